/** What the work queue is divided and ordered by: what an address of it needs, without zod. */

/** The most days before a review from which it may wait in the queue. */
export const maxReviewRemindDays = 90

/**
 * Kinds of queue items. `open`: an applicant pending a decision; `unresolved`: an unknown outcome that needs
 * resolution, with or without an applicant; `review`: the review of an applicant who waits for nothing else; `returned`:
 * a second person did not agree with a proposed decision.
 */
export const queueKinds = ['open', 'escalated', 'outdated', 'unresolved', 'review', 'returned'] as const
export type QueueKind = (typeof queueKinds)[number]

/** `overdue`: the date has passed; `today`: before the end of the local day. */
export const dueClasses = ['overdue', 'today', 'later', 'none'] as const
export type DueClass = (typeof dueClasses)[number]

/**
 * `due`: earliest first, then those that wait longest; without a date last. `age`: longest first. `check`: latest
 * verification first. `applicant`: by ID.
 */
export const queueSorts = ['due', 'age', 'check', 'applicant'] as const

/** What the organisation makes of the standing answers of an item; `unreviewed`: nothing yet. Without one, an item has none. */
export const queueMeanings = ['good', 'bad', 'unclear', 'unreviewed'] as const
export type QueueMeaning = (typeof queueMeanings)[number]

/** Messages that are chosen at once. */
export const maxChosenMessages = 500
