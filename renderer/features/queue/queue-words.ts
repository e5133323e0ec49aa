/** Labels of the work queue. */
import type { DueClass, QueueKind } from '#contract/applicants/queue-kinds.ts'

export const queueLabels: Readonly<Record<QueueKind, string>> = {
  open: 'Pending decision',
  escalated: 'Escalated',
  outdated: 'Outdated',
  unresolved: 'Needs resolution'
}

export const dueLabels: Readonly<Record<DueClass, string>> = {
  overdue: 'Overdue',
  today: 'Today',
  later: 'Later',
  none: 'No due date'
}

/** Orders as they are chosen, by name. */
export const queueOrders = [
  ['due', 'Earliest due date first'],
  ['-due', 'Latest due date first'],
  ['age', 'Longest waiting first'],
  ['-age', 'Shortest waiting first'],
  ['check', 'Latest verification first'],
  ['-check', 'Earliest verification first'],
  ['applicant', 'Applicant, A to Z'],
  ['-applicant', 'Applicant, Z to A']
] as const

/** A time span in a narrow column: `5 min`, `3 h`, `12 d`. */
export function shortSpan(from: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - from) / 60_000))
  if (minutes < 60) return `${minutes} min`
  if (minutes < 60 * 48) return `${Math.floor(minutes / 60)} h`
  return `${Math.floor(minutes / 1440)} d`
}
