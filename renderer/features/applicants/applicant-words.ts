/**
 * Labels for applicants, decisions and interpretations. All of them are the organisation's, not the service's, and say
 * so.
 */
import type { CheckAnswer, ChecklistAnswered } from '#contract/applicants/checklists.ts'
import type { Decision, DecisionAnswer, DecisionMade } from '#contract/applicants/applicants.ts'
import type { StandingDecision } from '#contract/team/activity.ts'
import type { ApprovableDecision } from '#contract/applicants/four-eyes.ts'
import { dayLength, isoDue } from '#contract/applicants/due-dates.ts'
import type { Relationship, RelationshipState } from '#contract/applicants/relationships.ts'
import type { ReviewClass, ReviewOutcome } from '#contract/applicants/reviews.ts'
import type { FocusClass, Seen } from '#contract/applicants/seen.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { formats } from '../../kit/formats.ts'
import { stateWord, type MarkedState } from '../../kit/marks.ts'
import { count } from '../../kit/text.ts'
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

/** The state that a decision has by itself, whatever has arrived since. */
export const stateOfDecision = ({ decision, proposed, answer }: DecisionMade): MarkedState =>
  !proposed || answer?.agrees ? decision : answer ? 'returned' : 'proposed'
export const decisionWord = (made: DecisionMade): string =>
  stateWord({ state: stateOfDecision(made), proposal: made.decision as ApprovableDecision })
/** What a colleague decided, and what became of it if a second person must agree. */
export function colleagueWord({
  decision,
  proposed,
  agrees,
  outdated,
  challenged
}: Pick<StandingDecision, 'decision' | 'proposed' | 'agrees' | 'outdated' | 'challenged'>): string {
  if (outdated || challenged) return stateWord({ state: 'outdated', challenged })
  if (!proposed || agrees) return decidedLabels[decision]
  return stateWord({ state: agrees === false ? 'returned' : 'proposed', proposal: decision as ApprovableDecision })
}
/** “Countersigned by Jonas Berg”, or with the reason for which a decision was returned. */
export const secondPersonText = ({ by, agrees, note }: DecisionAnswer): string =>
  [agrees ? words.countersignedBy({ by }) : words.returnedBy({ by }), note].filter(Boolean).join(': ')
export const checkAnswerLabels: Readonly<Record<CheckAnswer, string>> = {
  'yes': words.yes,
  'no': words.no,
  'not-applicable': words.notApplicable
}
/** The answer to an item of a checklist, and that there is none. */
export const checkAnswerLabel = (answer: CheckAnswer | undefined): string =>
  answer === undefined ? words.notAnswered : checkAnswerLabels[answer]
/** A checklist on paper, a line for each item. */
export const checklistLines = (checklist: ChecklistAnswered | undefined): readonly string[] =>
  (checklist?.items ?? []).map(({ label, answer }) => `${label}: ${checkAnswerLabel(answer)}`)

/** “3 of 3 answers, 1 of 2 documents opened”. */
export const seenWords = ({ answers: [shown, all], documents: [opened, of] }: Seen): string =>
  [
    words.seenAnswers({ shown: count(shown), all }),
    ...(of > 0 ? [words.seenDocuments({ opened: count(opened), of })] : [])
  ].join(', ')
/** What was on screen before a decision. */
export const seenText = (seen: Seen): string => words.shownBefore({ seen: seenWords(seen) })
/** How long an applicant was shown before a decision. */
export const timeShownLabels: Readonly<Record<FocusClass, string>> = {
  'under-5': words.to5Seconds,
  'under-15': words.to15Seconds,
  'under-60': words.to60Seconds,
  'under-300': words.to5Minutes,
  'more': words.over5Minutes
}
export const timeShownText = (focus: FocusClass): string => words.timeShownWas({ time: timeShownLabels[focus] })

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
  unrated: words.notRated,
  none: words.notScheduled
}

export const reviewOutcomeLabels: Readonly<Record<ReviewOutcome, string>> = {
  unchanged: words.unchanged,
  updated: words.updated,
  exit: words.exit
}

/** What this installation did about approval, or what a colleague answered; of an answer, also that it counts for nothing. */
export function approvalEntryLabel({
  agrees,
  by,
  void: isVoid
}: {
  readonly agrees?: boolean
  readonly by?: string
  readonly void?: true
}): string {
  if (agrees === undefined) return words.approvalRequested
  if (by === undefined) return agrees ? words.requestCountersigned : words.requestReturned
  const answer = agrees ? words.answeredCountersigned : words.answeredReturned
  return isVoid ? words.voidAnswerIs({ answer }) : answer
}

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
