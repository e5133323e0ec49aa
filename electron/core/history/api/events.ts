/** Events of the audit trail: the parts of a chained event. */
import type { AuditNoteKind } from './audit-notes.ts'

export type EventKind =
  | 'connection.noted'
  | 'record.begun'
  | 'record.ended'
  | 'record.settled'
  | 'batch.made'
  | 'batch.changed'
  | 'batch.resolved'
  | 'decision.made'
  | 'note.made'
  | 'tags.changed'
  | 'link.made'
  | 'link.removed'
  | 'due.changed'
  | 'message.noted'
  | 'message.read'
  | 'subject.erased'
  | 'copies.cleared'
  | 'hold.placed'
  | 'hold.lifted'
  | 'case.countersigned'
  | AuditNoteKind

/** What an event's hash covers, besides the previous hash. */
export interface ChainedEvent {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
  readonly commitment: Buffer | null
}

/** An event that has not been appended to the chain yet. */
export type NewEvent = Omit<ChainedEvent, 'seq' | 'plain' | 'commitment'> & { readonly plain: object }

/** Appends events; returns the new event's seq. */
export interface Appender {
  append(event: NewEvent, sealed?: { key: Buffer; payload: object }): number
}

export interface Head {
  readonly seq: number
  readonly hash: Buffer
}
