/** The audit trail's groups and breaks in words. */
import type { AuditEvent, AuditGroup, BreakKind } from '#contract/audit.ts'

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

/** Who did it: empty where Veridesk did it by itself. */
export const operatorLabel = ({ operator, unnamed }: Pick<AuditEvent, 'operator' | 'unnamed'>): string => operator ?? (unnamed ? 'Not recorded' : '')

/** What kind of damage it is; core says in a sentence what it found. */
export const breakLabels: Readonly<Record<BreakKind, string>> = {
  gap: 'An event is missing',
  hash: 'An event or its position was changed',
  tail: 'Events at the end are missing',
  anchor: 'File does not match the anchor',
  payload: 'Encrypted data was replaced',
  body: 'A response body was replaced',
  projection: 'A list does not match the events'
}
