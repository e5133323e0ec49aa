/** The audit trail's groups and breaks in words. */
import type { AuditGroup, BreakKind } from '#contract/audit.ts'

export const groupLabels: Readonly<Record<AuditGroup, string>> = {
  checks: 'Checks',
  views: 'Views of personal data',
  decisions: 'Decisions',
  applicants: 'Notes, tags, links',
  catalogue: 'Readings',
  exports: 'Exports',
  settings: 'Settings',
  connections: 'Connections',
  batches: 'Batches',
  erasure: 'Holds and erasure',
  program: 'Program'
}

/** What kind of damage it is; core says in a sentence what it found. */
export const breakLabels: Readonly<Record<BreakKind, string>> = {
  gap: 'An event is missing',
  hash: 'An event or its place was changed',
  tail: 'The end is missing',
  anchor: 'Another file than the anchored one',
  payload: 'Sealed data was exchanged',
  body: 'A reply’s body was exchanged',
  projection: 'A list contradicts the events'
}
