/**
 * Labels for applicants, decisions and interpretations. All of them are the organisation's, not the service's, and say
 * so.
 */
import type { ApplicantState, Decision, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { dayStart, localDate, localDay } from '../../kit/time.ts'
import { words } from './words.ts'

export const stateLabels: Readonly<Record<ApplicantState, string>> = {
  'none': words.pendingDecision,
  'approve': words.approved,
  'decline': words.declined,
  'escalate': words.escalated,
  'outdated': words.outdatedDecision,
  'no-evidence': words.noEvidenceYet
}
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

export const readingLabels: Readonly<Record<ReadingMeaning, string>> = {
  good: words.favourable,
  bad: words.unfavourable,
  unclear: words.unclear
}

/** The label of a reason's code, even if the reason has been removed; the code itself if it is not known. */
export const reasonLabel = (
  code: string,
  { decisionReasons, removedReasons }: Pick<Settings, 'decisionReasons' | 'removedReasons'>
): string => [...decisionReasons, ...removedReasons].find((reason) => reason.code === code)?.label ?? code

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

/** A due date is the end of a local day, so the whole day is left. */
export const dueOf = (day: string): number | undefined => {
  const next = dayStart(day, 1)
  return next === undefined ? undefined : next - 1
}
export const dueDay = (due: number | undefined): string => (due === undefined ? '' : localDay(due))

/** “Due today”, “Due 2026-11-23”, “Overdue since 2026-11-20”. */
export function dueWords(due: number, now: number): string {
  const day = localDate(due)
  if (due < now) return words.overdueSinceDay({ day })
  return day === localDate(now) ? words.dueToday : words.dueOn({ date: day })
}
