/** Labels of the queue. */
import type { DueClass, QueueKind, QueueMeaning } from '#contract/applicants/queue-kinds.ts'
import type { QueueItem } from '#contract/applicants/queue.ts'
import { interpretationMarks, stateMarks } from '../../kit/marks.ts'
import { shownLine } from '../../kit/screen-share.ts'
import { words } from './words.ts'

export const queueLabels: Readonly<Record<QueueKind, string>> = {
  open: words.pendingDecision,
  escalated: words.escalated,
  outdated: words.outdated,
  unresolved: words.unknownOutcome,
  review: words.reviewDue,
  returned: stateMarks.returned.word
}

export const dueLabels: Readonly<Record<DueClass, string>> = {
  overdue: words.overdue,
  today: words.today,
  later: words.later,
  none: words.noDueDate
}

/** Orders as they are chosen, by name. */
export const queueOrders = [
  ['due', words.earliestDueDateFirst],
  ['-due', words.latestDueDateFirst],
  ['age', words.longestWaitingFirst],
  ['-age', words.shortestWaitingFirst],
  ['check', words.latestVerificationFirst],
  ['-check', words.earliestVerificationFirst],
  ['applicant', words.applicantAToZ],
  ['-applicant', words.applicantZToA]
] as const

/** A time span in a narrow column: `5 min`, `3 h`, `12 d`. */
export function shortSpan(from: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - from) / 60_000))
  if (minutes < 60) return words.minutesMin({ minutes })
  if (minutes < 60 * 48) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} d`
}

/** Interpretations as a filter has them. */
export const meaningLabels: Readonly<Record<QueueMeaning, string>> = {
  good: interpretationMarks.good.word,
  bad: interpretationMarks.bad.word,
  unclear: interpretationMarks.unclear.word,
  unreviewed: interpretationMarks.unreviewed.word
}

/** What is opened after a decision. */
export const nextWords = (next: QueueItem): string =>
  next.kind === 'unresolved'
    ? words.nextRecordSeq({ seq: next.record.seq })
    : words.nextApplicantId({ id: shownLine(next.applicant.id) })
