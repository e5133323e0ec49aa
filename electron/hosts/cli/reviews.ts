/** `reviews list`: whose periodic review is overdue, or due soon. */
import { randomUUID } from 'node:crypto'
import { maxApplicantsPage, type ApplicantCursor, type ApplicantSummary } from '#contract/applicants/applicants.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import type { ReviewClass } from '#contract/applicants/reviews.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { failureEnding, textOption, usage, type Context, type Ending } from './context.ts'
import { jsonText } from './print-text.ts'

const causes = { period: 'review', expiry: 'document expires' } as const

/** “2026-01-31  overdue  high  APP-1”, with the reason if it is not the period. */
function line({ id, risk, review }: ApplicantSummary, day: string): string {
  const due = review && review.at < day ? 'overdue' : 'due'
  return [review?.at, due.padEnd(7), risk ?? '-', oneLine(id), review?.cause === 'expiry' ? causes.expiry : '']
    .filter(Boolean)
    .join('  ')
}
const asJson = ({ id, risk, review }: ApplicantSummary, day: string): string =>
  jsonText({ applicant_id: id, risk: risk ?? null, ...review, overdue: review !== undefined && review.at < day })

/** Prints applicants by the day of their review, the earliest first; with --json, one JSON object per line. */
export async function listReviews(context: Context): Promise<Ending> {
  const limit = Number(textOption(context, 'limit') ?? 1000)
  if (!Number.isInteger(limit) || limit < 1) return usage('--limit is a whole number from 1.')
  const reviews: ReviewClass[] = context.options['overdue'] ? ['overdue'] : ['overdue', 'in30', 'in90']
  const day = isoDue(today(Date.now()))
  const [lines, visit] = [[] as string[], randomUUID()]
  let isLate = false
  let after: ApplicantCursor | undefined
  do {
    const page = await context.ask('applicants.list', {
      reviews,
      order: { by: 'review' },
      limit: Math.min(limit - lines.length, maxApplicantsPage),
      ...(after && { after }),
      visit
    })
    if (!page.ok) return failureEnding(page.failure)
    for (const each of page.value.applicants) {
      isLate ||= each.review !== undefined && each.review.at < day
      lines.push(context.options['json'] ? asJson(each, day) : line(each, day))
    }
    after = page.value.next
  } while (after && lines.length < limit)
  const exit = isLate ? 'findings' : 'done'
  if (lines.length === 0) return { exit, ...(!context.options['json'] && { error: 'No review is due.' }) }
  return {
    exit,
    out: lines.join('\n'),
    ...(after && { error: `Only the first ${limit} are listed; --limit lists more.` })
  }
}
