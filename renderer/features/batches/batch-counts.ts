/** Every figure of a batch: without words, since the side bar shows one from the start. */
import { maxChosenMessages } from '#contract/applicants/queue-kinds.ts'
import type { MessageMeaning } from '#contract/applicants/applicants.ts'
import type { BatchMessages, BatchSummary } from '#contract/batches/batches.ts'
import { outcomeIds } from '#contract/verification/outcomes.ts'

/** Rows to send: all but invalid, duplicate and recently answered ones, and those that are with the team. */
export const toSend = ({ rows, counts }: BatchSummary): number =>
  rows - counts.invalid - counts.duplicate - counts['recently-answered'] - counts.shared
/** Rows to send that have ended. */
export const ended = ({ counts }: BatchSummary): number =>
  outcomeIds.reduce((sum, id) => sum + counts[id], 0) + counts.cancelled
/** From 0 to 100; 100 only if all rows are done. */
export function percent(batch: BatchSummary): number {
  const all = toSend(batch)
  return all === 0 ? 100 : Math.floor((ended(batch) / all) * 100)
}

/**
 * Whether rows can perhaps be sent again, so that counting them is useful. Answers with a status other than 2xx can, and the counts do
 * not distinguish them.
 */
export const mayBeSentAgain = ({ counts }: BatchSummary): boolean =>
  counts.answered + counts['invalid-response'] + counts['not-sent'] + counts.unknown > 0

/**
 * The messages of the rows that are shown, by their numbers; none for all rows. Undefined if messages alone do not tell which rows those
 * are: a row with several operations has the gravest interpretation of their messages.
 *
 * @param chosen Numbers of messages that are chosen.
 * @param meanings Interpretations that are chosen.
 */
export function messagesMeaning(
  { operations }: Pick<BatchSummary, 'operations'>,
  { messages }: Pick<BatchMessages, 'messages'>,
  chosen: readonly number[],
  meanings: readonly MessageMeaning[]
): readonly number[] | undefined {
  if (meanings.length === 0) return chosen
  const found = messages
    .filter(({ id, meaning }) => meanings.includes(meaning) && (chosen.length === 0 || chosen.includes(id)))
    .map(({ id }) => id)
  return operations.length > 1 || found.length === 0 || found.length > maxChosenMessages ? undefined : found
}
