/** Labels for evidence packs. */
import type { RevocationReason } from '#contract/evidence/keys.ts'
import { redactionProfiles, type EvidenceFinding, type RedactionProfile } from '#contract/evidence/evidence.ts'
import { words } from './words.ts'

export const findingLabels: Readonly<Record<EvidenceFinding['what'], string>> = {
  'format': 'Format',
  'signature': words.signature,
  'signer': words.signer,
  'events': words.eventsLabel,
  'inclusion': words.inclusionInTheAuditTrail,
  'payloads': words.sealedDataAndResponses,
  'fields': words.withheldValues,
  'completeness': words.completeness,
  'about': 'Subject',
  'approvals': words.approvals,
  'attachments': words.accompanyingFiles,
  'beside': words.comparisonWithTheOtherPack,
  'time-stamps': words.timeStamps,
  'certificates': words.certificates,
  'revocations': words.revocations
}

/** Why a key was revoked. */
export const revocationLabels: Readonly<Record<RevocationReason, string>> = {
  left: words.itsOwnerHasLeft,
  lost: words.itWasLost,
  replaced: words.itWasReplaced
}

/** The label of a pack's disclosure profile. */
export const profileLabel = (profile: RedactionProfile): string =>
  redactionProfiles.find(({ id }) => id === profile)?.label ?? profile

/** A key's fingerprint in groups of four, for comparison. */
export const inGroups = (fingerprint: string): string => fingerprint.replace(/(.{4})(?=.)/g, '$1 ')

const mostNamed = 20
/** Sealed parts that a pack does not give, the first of them by name. */
export function erasedWords(parts: readonly string[]): string {
  const named = parts.slice(0, mostNamed).join(', ')
  return parts.length > mostNamed ? words.andMore({ named, more: parts.length - mostNamed }) : named
}
