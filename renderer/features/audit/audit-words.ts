/** Labels for the audit trail's event groups and breaks, and the columns of its table. */
import type { AuditGroup, BreakKind } from '#contract/evidence/audit.ts'
import type { TableColumn } from '../../kit/table-columns.ts'
import { words } from './words.ts'

export const groupLabels: Readonly<Record<AuditGroup, string>> = {
  checks: words.verifications,
  views: words.viewsOfPersonalData,
  decisions: words.decisions,
  applicants: words.notesTagsLinks,
  catalogue: words.interpretations,
  exports: words.exportsAndEvidence,
  settings: words.settings,
  connections: words.connections,
  batches: words.batches,
  erasure: words.holdsAndErasure,
  program: words.application
}

export const eventColumns: readonly TableColumn[] = [
  { name: 'seq', label: words.event, width: 64, narrow: 56, right: true },
  {
    name: 'time',
    label: words.time,
    width: 178,
    narrow: 176,
    dated: { content: 'time', mono: true },
    sort: 'descending'
  },
  { name: 'words', label: words.description, width: 150, text: 'message' },
  { name: 'kind', label: words.kind, width: 130, gives: 2 },
  { name: 'operator', label: words.operator, width: 64, text: 'name' },
  { name: 'hash', label: words.hash, width: 72, narrow: 64, gives: 1 }
]

/** The kind of damage; core's sentence describes what was found. */
export const breakLabels: Readonly<Record<BreakKind, string>> = {
  gap: words.anEventIsMissing,
  hash: words.anEventOrItsPosition,
  tail: words.eventsAtTheEndAre,
  anchor: words.fileDoesNotMatchThe,
  payload: words.encryptedDataWasReplaced,
  body: words.aResponseBodyWasReplaced,
  projection: words.aListDoesNotMatch
}
