/** Events of the audit trail: the parts of a chained event. */
import type { EventLink } from '#kit/hashing/values.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'

/** What an event's hash covers, besides the previous hash; the plain part through the digest of its values. */
export interface ChainedEvent {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
  /** Its place in its series as canonical JSON. */
  readonly links: string
  /**
   * The salt of `plain` (16 bytes), the digest of its values (32) and, with a sealed part, that of the values in it
   * (32), whose salt is sealed with them.
   */
  readonly digests: Buffer
}

/** An event that has not been appended to the chain yet. */
export interface NewEvent extends Pick<ChainedEvent, 'at' | 'kind' | 'subject' | 'record'> {
  readonly plain: object
  /** Its place among the events of its record, if it is one of them. */
  readonly ofRecord?: EventLink
  /** ID of the batch whose events it is one of. */
  readonly batch?: string
}

/** Appends events; returns the new event's seq. */
export interface Appender {
  append(event: NewEvent, sealed?: { key: Buffer; payload: object }): number
}

export interface Head {
  readonly seq: number
  readonly hash: Buffer
}
