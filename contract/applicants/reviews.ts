/**
 * When an applicant is to be reviewed next, from what was recorded: pure, so that the answer is the same from the same history. Days are
 * those of the calendar, as texts; the day of an event is that of its time in UTC, which no later change of a time zone moves.
 */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import { isoDue } from './due-dates.ts'
import { civilDateSchema, type Relationship } from './relationships.ts'
import { rule } from '../verification/field-issues.ts'

export const reviewOutcomes = ['unchanged', 'updated', 'exit'] as const
export type ReviewOutcome = (typeof reviewOutcomes)[number]

export const reviewDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  outcome: z.enum(reviewOutcomes),
  note: z.string().trim().max(8000)
})
export type ReviewDraft = z.output<typeof reviewDraftSchema>

export const expiryDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  /** Which document, in words; another date of the same one replaces the date before. */
  document: z.string().trim().min(1, rule('text-needed')).max(60),
  expires: civilDateSchema
})
export type ExpiryDraft = z.output<typeof expiryDraftSchema>

/** What decides when a review is due, in the order in which it was recorded. */
export type ReviewFact =
  | { readonly kind: 'approved'; readonly day: string }
  | ({ readonly kind: 'relationship' } & Relationship)
  | { readonly kind: 'rated'; readonly months: number }
  | { readonly kind: 'expiry'; readonly document: string; readonly expires: string }
  | { readonly kind: 'reviewed'; readonly day: string }

export interface NextReview {
  readonly at: string
  /** The months of the class are over, or a document expires before that. */
  readonly cause: 'period' | 'expiry'
}

/** The day of an event. */
export const dayOfEvent = (at: number): string => isoDue(at)

/** The same day some months later; the last one of a shorter month: 2028-02-29 and 12 months are 2029-02-28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoDue(Date.UTC(year, month - 1 + months, Math.min(of, last)))
}

const earliest = (days: readonly string[]): string | undefined => days.toSorted()[0]

/**
 * Counted from the last review, else from the first approval or the day on which the relationship became active. Undefined
 * without a risk class, without anything to count from, and for a relationship that is not active any more.
 */
export function nextReview(facts: readonly ReviewFact[]): NextReview | undefined {
  const months = facts.findLast((each) => each.kind === 'rated')?.months
  const relationship = facts.findLast((each) => each.kind === 'relationship')
  if (months === undefined || (relationship && relationship.state !== 'active')) return undefined
  const reviewed = facts.findLast((each) => each.kind === 'reviewed')?.day
  const from =
    reviewed ??
    earliest(
      facts.flatMap((each) =>
        each.kind === 'approved' ? [each.day] : each.kind === 'relationship' && each.state === 'active' ? [each.on] : []
      )
    )
  if (from === undefined) return undefined
  const at = addMonths(from, months)
  const expiries = new Map(facts.flatMap((each) => (each.kind === 'expiry' ? [[each.document, each.expires]] : [])))
  // A review looks at what has expired by then.
  const expires = earliest([...expiries.values()].filter((day) => reviewed === undefined || day > reviewed))
  return expires !== undefined && expires < at ? { at: expires, cause: 'expiry' } : { at, cause: 'period' }
}
