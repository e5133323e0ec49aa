/** What was on screen before a decision, as its event states it. */

/** Of each how many were seen, and of how many. */
export interface Seen {
  /** Newest answers to each operation that were in sight, as the window says. */
  readonly answers: readonly [shown: number, all: number]
  /** Documents behind the links of their requests that the person has opened. */
  readonly documents: readonly [opened: number, all: number]
}
/** An answer, or a document by its field: where it was opened from. */
export interface SeenEntry {
  /** Number of the record. */
  readonly record: number
  readonly field?: string
  readonly source?: 'kept' | 'link'
}

/** What decisions record of that: the policy `ReviewProof`. */
export const reviewProofs = ['off', 'documents'] as const
