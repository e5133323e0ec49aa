/** Failures as text for toasts and announcements. */
import type { RecordedFailure } from '#contract/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'

/** What happened and the next step, for a toast. */
export function whatToDo(failure: RecordedFailure): string {
  const { what, nextStep } = sentencesOf(failure)
  return `${what} ${nextStep}`
}

/** What happened and its impact, for an announcement; a panel shows the next step. */
export function whatHappened(failure: RecordedFailure): string {
  const { what, impact } = sentencesOf(failure)
  return `${what} ${impact}`
}
