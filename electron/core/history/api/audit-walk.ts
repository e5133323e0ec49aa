/**
 * Verification of the whole audit trail in stretches: the state between two of them is plain data, so that
 * the history's thread keeps nothing and answers other calls in between.
 */
import type { AuditBreak } from '#contract/failures.ts'

/** A head of the chain that is known from outside the file that is verified; hash in hex. */
export interface KnownHead {
  readonly seq: number
  readonly hash: string
}

export interface WalkState {
  /** The last event that was verified, and its hash in hex. */
  readonly seq: number
  readonly hash: string
  readonly opened: number
  readonly erased: number
  /** Records that the events so far have begun. */
  readonly records: number
  /** Ends and resolutions that the list names and that are still to come: number of the event, and of the record. */
  readonly awaited: readonly (readonly [event: number, record: number])[]
  /** Roots of the complete subtrees so far, hex, the largest first: the Merkle tree in a few hashes. */
  readonly tree: readonly string[]
}

export interface WalkTask {
  /** Absent for the first stretch. */
  readonly from?: WalkState
  /** The last event to verify; what is written meanwhile is not waited for. */
  readonly until: number
  /** Heads that the chain must contain. */
  readonly known: readonly KnownHead[]
  /** Milliseconds after which the stretch ends. */
  readonly slice: number
}

/** Where the chain breaks, how, and how many events before it were verified. */
export type Break = { readonly at: number; readonly verified: number } & AuditBreak

export type WalkStep =
  | { readonly kind: 'more'; readonly state: WalkState }
  | { readonly kind: 'whole'; readonly state: WalkState }
  | { readonly kind: 'broken'; readonly broken: Break }
