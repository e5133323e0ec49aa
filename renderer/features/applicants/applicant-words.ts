/**
 * Labels for applicants, decisions and interpretations. All of them are the organisation's, not the service's, and say
 * so.
 */
import type { ApplicantState, Decision, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { dayStart, localDate, localDay } from '../../kit/time.ts'

export const stateLabels: Readonly<Record<ApplicantState, string>> = {
  'none': 'Pending decision',
  'approve': 'Approved',
  'decline': 'Declined',
  'escalate': 'Escalated',
  'outdated': 'Outdated decision',
  'no-evidence': 'No evidence yet'
}
export const decisionLabels: Readonly<Record<Decision, string>> = {
  approve: 'Approve',
  decline: 'Decline',
  escalate: 'Escalate'
}
export const decidedLabels: Readonly<Record<Decision, string>> = {
  approve: 'Approved',
  decline: 'Declined',
  escalate: 'Escalated'
}

export const readingLabels: Readonly<Record<ReadingMeaning, string>> = {
  good: 'Favourable',
  bad: 'Unfavourable',
  unclear: 'Unclear'
}

/** The label of a reason's code, even if the reason has been removed; the code itself if it is not known. */
export const reasonLabel = (
  code: string,
  { decisionReasons, removedReasons }: Pick<Settings, 'decisionReasons' | 'removedReasons'>
): string => [...decisionReasons, ...removedReasons].find((reason) => reason.code === code)?.label ?? code

/** What this installation did about approval in a team. */
export const approvalEntryLabel = ({ agrees, by }: { readonly agrees?: boolean; readonly by?: string }): string =>
  agrees === undefined
    ? 'Approval requested in the team'
    : `${by === undefined ? 'Request for approval answered' : 'Answer to the request for approval'}: ${agrees ? 'agrees' : 'does not agree'}`

/** A due date is the end of a local day, so the whole day is left. */
export const dueOf = (day: string): number | undefined => {
  const next = dayStart(day, 1)
  return next === undefined ? undefined : next - 1
}
export const dueDay = (due: number | undefined): string => (due === undefined ? '' : localDay(due))

/** “Due today”, “Due 2026-11-23”, “Overdue since 2026-11-20”. */
export function dueWords(due: number, now: number): string {
  const day = localDate(due)
  if (due < now) return `Overdue since ${day}`
  return day === localDate(now) ? 'Due today' : `Due ${day}`
}
