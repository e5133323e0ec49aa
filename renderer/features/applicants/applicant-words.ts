/**
 * Labels for applicants, decisions and interpretations. All of them are the organisation's, not the service's, and say
 * so.
 */
import type { Decision } from '#contract/applicants/applicants.ts'
import { dayLength, isoDue } from '#contract/applicants/due-dates.ts'
import type { Relationship, RelationshipState } from '#contract/applicants/relationships.ts'
import type { ReviewClass, ReviewOutcome } from '#contract/applicants/reviews.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { formats } from '../../kit/formats.ts'
import { dayStart, localDate, localDay } from '../../kit/time.ts'
import { words } from './words.ts'

export const decisionLabels: Readonly<Record<Decision, string>> = {
  approve: words.approve,
  decline: words.decline,
  escalate: words.escalate
}
export const decidedLabels: Readonly<Record<Decision, string>> = {
  approve: words.approved,
  decline: words.declined,
  escalate: words.escalated
}

export const relationshipLabels: Readonly<Record<RelationshipState, string>> = {
  active: words.active,
  occasional: words.occasional,
  refused: words.refused,
  ended: words.ended
}
/** A date of the calendar, `2026-12-01`, for display. */
export const calendarDate = (text: string): string => localDate(dayStart(text) ?? Date.parse(text))

/** “Active since Mar 14, 2026”. */
export function relationshipText({ state, on }: Relationship): string {
  const date = calendarDate(on)
  const said = {
    active: words.activeSince,
    occasional: words.occasionalOn,
    refused: words.refusedOn,
    ended: words.endedOn
  } as const
  return said[state]({ date })
}

/** The label of a reason's code, even if the reason has been removed; the code itself if it is not known. */
export const reasonLabel = (
  code: string,
  { decisionReasons, removedReasons }: Pick<Settings, 'decisionReasons' | 'removedReasons'>
): string => [...decisionReasons, ...removedReasons].find((reason) => reason.code === code)?.label ?? code

/** The label of a risk class; its code if it has been removed. */
export const riskLabel = (code: string, { riskClasses }: Pick<Settings, 'riskClasses'>): string =>
  riskClasses.find((each) => each.code === code)?.label ?? code
/** Where a class stands among the others: 1, 2 or 3 bars. */
export function riskLevel(code: string, { riskClasses }: Pick<Settings, 'riskClasses'>): number {
  const place = riskClasses.findIndex((each) => each.code === code)
  return riskClasses.length < 2 || place < 0 ? 1 : 1 + Math.round((2 * place) / (riskClasses.length - 1))
}

export const reviewClassLabels: Readonly<Record<ReviewClass, string>> = {
  overdue: words.overdueReview,
  in30: words.in30Days,
  in90: words.in90Days,
  later: words.laterReview,
  unrated: words.noRiskClass,
  none: words.notScheduled
}

export const reviewOutcomeLabels: Readonly<Record<ReviewOutcome, string>> = {
  unchanged: words.unchanged,
  updated: words.updated,
  exit: words.exit
}

/** What this installation did about approval in a team. */
export const approvalEntryLabel = ({ agrees, by }: { readonly agrees?: boolean; readonly by?: string }): string =>
  agrees === undefined
    ? words.approvalRequestedInTheTeam
    : by === undefined
      ? agrees
        ? words.requestForApprovalAnsweredAgrees
        : words.requestForApprovalAnsweredDoes
      : agrees
        ? words.answerToTheRequestFor
        : words.answerToTheRequestForApproval

/** What a field has of a due date, as text: `2026-12-01`. */
export const dueDay = (due: number | undefined): string => (due === undefined ? '' : isoDue(due))

/** A due date for display. */
export const dueDate = (due: number): string => localDate(dayStart(isoDue(due)) ?? due)

/** Whether its day has passed where the person is. */
export const isOverdue = (due: number, now: number): boolean => isoDue(due) < localDay(now)

const daysTo = (due: number, now: number): number =>
  Math.round((due - Date.parse(`${localDay(now)}T00:00:00Z`)) / dayLength)

/** “Today”, “Nov 28”, “2 d overdue”. */
export function shortDue(due: number, now: number): string {
  const [day, today] = [isoDue(due), localDay(now)]
  const days = daysTo(due, now)
  if (days < 0) return words.daysOverdue({ days: -days })
  if (days === 0) return words.today
  if (days === 1) return words.tomorrow
  return day.slice(0, 4) === today.slice(0, 4) ? formats().dayOfYear(dayStart(day) ?? due) : dueDate(due)
}

/** “Due today”, “Due tomorrow”, “Due 2026-11-23”, “Overdue since 2026-11-20”. */
export function dueWords(due: number, now: number): string {
  if (isOverdue(due, now)) return words.overdueSinceDay({ day: dueDate(due) })
  const days = daysTo(due, now)
  return days === 0 ? words.dueToday : days === 1 ? words.dueTomorrow : words.dueOn({ date: dueDate(due) })
}
