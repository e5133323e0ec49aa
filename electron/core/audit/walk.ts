/**
 * Verification of the whole trail in stretches: the state between two of them is plain data, so that
 * the history's thread keeps nothing and answers other calls in between.
 */
import type { AuditVerdict, BreakKind } from '#contract/audit.ts'
import { rootOfSubtrees } from './merkle.ts'

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
  /** Ends and settlements that the list names and that are still to come: number of the event, and of the record. */
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

export interface Break {
  readonly at: number
  readonly why: BreakKind
  readonly words: string
  readonly verified: number
}

export type WalkStep =
  | { readonly kind: 'more'; readonly state: WalkState }
  | { readonly kind: 'whole'; readonly state: WalkState }
  | { readonly kind: 'broken'; readonly broken: Break }

export const walkStart: WalkState = { seq: 0, hash: '00'.repeat(32), opened: 0, erased: 0, records: 0, awaited: [], tree: [] }

/** The verdict of a walk that ended. */
export function verdictOf(
  step: Exclude<WalkStep, { readonly kind: 'more' }>,
  took: number,
  anchor?: { readonly seq: number; readonly at: number }
): AuditVerdict {
  if (step.kind === 'broken') return { intact: false, ...step.broken, took }
  const { seq, hash, opened, erased, tree } = step.state
  const root = rootOfSubtrees(tree)
  return { intact: true, events: seq, head: { seq, hash, root }, opened, erased, anchor, took }
}
