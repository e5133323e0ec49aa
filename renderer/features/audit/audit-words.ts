/** Labels for the audit trail's event groups and breaks, and the columns of its table. */
import type { AuditEvent, AuditGroup, BreakKind } from '#contract/evidence/audit.ts'
import type { TableColumn } from '../../kit/table-columns.ts'

export const groupLabels: Readonly<Record<AuditGroup, string>> = {
  checks: 'Verifications',
  views: 'Views of personal data',
  decisions: 'Decisions',
  applicants: 'Notes, tags, links',
  catalogue: 'Interpretations',
  exports: 'Exports and evidence',
  settings: 'Settings',
  connections: 'Connections',
  batches: 'Batches',
  erasure: 'Holds and erasure',
  program: 'Application'
}

export const eventColumns: readonly TableColumn[] = [
  { name: 'seq', label: 'Event', width: 64, narrow: 56, right: true },
  { name: 'time', label: 'Time', width: 178, narrow: 176, dated: { content: 'time', mono: true }, sort: 'descending' },
  { name: 'words', label: 'Description', width: 150, grow: 4 },
  { name: 'kind', label: 'Kind', width: 130, gives: 2 },
  { name: 'operator', label: 'Operator', width: 64, grow: 1 },
  { name: 'hash', label: 'Hash', width: 72, narrow: 64, gives: 1 }
]

/** The operator; empty if Veridesk acted by itself. */
export const operatorLabel = ({ operator, unnamed }: Pick<AuditEvent, 'operator' | 'unnamed'>): string =>
  operator ?? (unnamed ? 'Not recorded' : '')

/** The kind of damage; core's sentence describes what was found. */
export const breakLabels: Readonly<Record<BreakKind, string>> = {
  gap: 'An event is missing',
  hash: 'An event or its position was changed',
  tail: 'Events at the end are missing',
  anchor: 'File does not match the anchor',
  payload: 'Encrypted data was replaced',
  body: 'A response body was replaced',
  projection: 'A list does not match the events'
}
