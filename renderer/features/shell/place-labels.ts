/** What the places of the window are called. */
import type { PlaceName } from '#contract/app/places.ts'
import { words } from './words.ts'

export const placeLabels: Readonly<Record<PlaceName, string>> = {
  'queue': words.queue,
  'applicants': words.applicants,
  'batches': words.batches,
  'history': words.history,
  'new-verification': words.newVerification,
  'overview': words.overview,
  'catalogue': words.catalogue,
  'evidence': words.evidence,
  'audit': words.auditTrail,
  'administration': words.administration
}
