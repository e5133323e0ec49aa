/**
 * Verification of the whole audit trail in steps. The state between two steps is plain data, so that the history's
 * thread keeps nothing and answers other calls in between.
 */
import type { AuditBreak } from '#contract/failures/failures.ts'

/** A head of the chain known from outside the verified file; hash in hex. */
export interface KnownHead {
  readonly seq: number
  readonly hash: string
}

export interface WalkState {
  /** The last verified event, and its hash in hex. */
  readonly seq: number
  readonly hash: string
  readonly opened: number
  readonly erased: number
  /** Number of records that the events so far have started. */
  readonly records: number
  /**
   * Results and resolutions that the list names and that are still expected: numbers of the event and of the record.
   */
  readonly awaited: readonly (readonly [event: number, record: number])[]
  /**
   * The first event that the list of series does not match; 0 if there is none. Reported last: a later event that was
   * changed is why an earlier one does not match.
   */
  readonly series: number
  /** Number of series whose last event has been verified. */
  readonly ended: number
  /** Roots of the complete subtrees so far, hex, the largest first: the Merkle tree in a few hashes. */
  readonly tree: readonly string[]
}

export interface WalkTask {
  /** Absent for the first step. */
  readonly from?: WalkState
  /** The last event to verify; later events are not included. */
  readonly until: number
  /** Heads that the chain must contain. */
  readonly known: readonly KnownHead[]
  /** Milliseconds after which the step ends. */
  readonly slice: number
}

/** Where and how the chain is broken, and how many events before it were verified. */
export type Break = { readonly at: number; readonly verified: number } & AuditBreak

export type WalkStep =
  | { readonly kind: 'more'; readonly state: WalkState }
  | { readonly kind: 'whole'; readonly state: WalkState }
  | { readonly kind: 'broken'; readonly broken: Break }
