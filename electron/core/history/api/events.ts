/** Events of the audit trail: what a chained event is made of. */
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

/** What a hash covers, apart from the hash before it. */
export interface ChainedEvent {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
  readonly commitment: Buffer | null
}

/** An event before it has its place in the chain. */
export type NewEvent = Omit<ChainedEvent, 'seq' | 'plain' | 'commitment'> & { readonly plain: object }

/** Whatever appends events; returns the new event's seq. */
export interface Appender {
  append(event: NewEvent, sealed?: { key: Buffer; payload: object }): number
}

export interface Head {
  readonly seq: number
  readonly hash: Buffer
}
