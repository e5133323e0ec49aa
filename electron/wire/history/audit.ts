/** The history's interface for the audit trail. */
import type { AuditHead, AuditPage, AuditQuery, ConsistencyProof, InclusionProof } from '#contract/evidence/audit.ts'
import type { ForwardableEvent } from '#contract/forwarding/fields.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { AuditNote } from './audit-notes.ts'
import type { KnownHead, WalkStep, WalkTask } from './audit-walk.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A query whose events can contain the time-stamps of the audit trail, which are large. */
export type TimestampedQuery = AuditQuery & { readonly timestamps?: true }

export interface EventsAfter {
  /** Of the event with the number itself, hex; undefined if there is none. */
  readonly hash: string | undefined
  readonly events: readonly ForwardableEvent[]
  /** Number of the last event; 0 if there is none. */
  readonly last: number
}

export interface AuditStore {
  /**
   * Appends an event that does not belong to a record: a view, an export, a changed setting. Synced before the
   * promise resolves.
   */
  note(note: AuditNote): Answer<{ readonly seq: number }>
  page(query: TimestampedQuery): Answer<AuditPage>
  /** Events after a number, oldest first, as log forwarding reads them; see `EventsAfter`. */
  after(seq: number, most: number): Answer<EventsAfter>
  /** The last event and the tree's root, which every export contains. */
  head(): Answer<AuditHead>
  /** Failure: `event-missing`. `size` defaults to all events. */
  inclusion(seq: number, size?: number): Answer<InclusionProof>
  consistency(from: number, size?: number): Answer<ConsistencyProof>
  /** The last event to verify, and the heads that the chain must contain; `anchor` is the keychain's. */
  anchors(): Answer<{
    readonly until: number
    readonly known: readonly KnownHead[]
    readonly anchor?: { readonly seq: number; readonly at: number }
  }>
  /** Verifies for some tens of milliseconds; `AuditTrail.verify()` calls it repeatedly. */
  walk(task: WalkTask): Answer<WalkStep>
}
