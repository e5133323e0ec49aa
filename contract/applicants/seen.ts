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

/** What decisions record of that: the policy `ReviewProof`. With time, also the class of it. */
export const reviewProofs = ['off', 'documents', 'documents-and-time'] as const
export type ReviewProof = (typeof reviewProofs)[number]

/** Time in which an applicant was shown in a focused, unlocked window, as that window says: each class ends where the next one begins. */
export const focusClasses = ['under-5', 'under-15', 'under-60', 'under-300', 'more'] as const
export type FocusClass = (typeof focusClasses)[number]
/** Where each class begins, in milliseconds. */
const begins: Readonly<Record<FocusClass, number>> = {
  'under-5': 0,
  'under-15': 5000,
  'under-60': 15_000,
  'under-300': 60_000,
  'more': 300_000
}
/** The least time of a class, in milliseconds: all that is known of a time once it is one. */
export const leastTime = (focus: FocusClass): number => begins[focus]
/** @param milliseconds 0 or more. */
export const focusClassOf = (milliseconds: number): FocusClass =>
  focusClasses.findLast((each) => begins[each] <= milliseconds) ?? 'under-5'
