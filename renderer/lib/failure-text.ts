/** Failures as texts of toasts and announcements. */
import type { RecordedFailure } from '#contract/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'

/** What happened and what to do, for a toast. */
export function whatToDo(failure: RecordedFailure): string {
  const { what, nextStep } = sentencesOf(failure)
  return `${what} ${nextStep}`
}

/** What happened and what it means, for an announcement beside a panel that says what to do. */
export function whatHappened(failure: RecordedFailure): string {
  const { what, impact } = sentencesOf(failure)
  return `${what} ${impact}`
}
