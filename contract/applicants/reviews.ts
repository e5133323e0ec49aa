/**
 * When an applicant is to be reviewed next, from what was recorded: pure, so that the answer is the same from the same history. Days are
 * those of the calendar, as texts. A review says on which day it was done; the day of an approval is that of its time in UTC. No later
 * change of a time zone moves either.
 */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import { checksSchema } from './checklists.ts'
import { dayLength, isoDue, today } from './due-dates.ts'
import { civilDateSchema, type Relationship } from './relationships.ts'
import { rule } from '../verification/field-issues.ts'

export const reviewOutcomes = ['unchanged', 'updated', 'exit'] as const
export type ReviewOutcome = (typeof reviewOutcomes)[number]

export const reviewDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  outcome: z.enum(reviewOutcomes),
  note: z.string().trim().max(8000),
  /** Answers to the checklist of reviews, if there is one. */
  checks: checksSchema.optional()
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

/**
 * When a review is due, on a day: `in90` does not include `in30`. `unrated`: nobody has given a risk class, and the relationship is active or
 * not recorded. `none`: not scheduled for another reason.
 */
export const reviewClasses = ['overdue', 'in30', 'in90', 'later', 'unrated', 'none'] as const
export type ReviewClass = (typeof reviewClasses)[number]

/** Periodic reviews that were done in a period. */
export interface ReviewsDone {
  readonly done: number
  /** Of those, how many had been scheduled for a day. */
  readonly scheduled: number
  /** Of those, how many were done by that day. */
  readonly onTime: number
}
/** Periodic reviews at a time, of the whole history. */
export interface ReviewFigures {
  /** By the code of the class. */
  readonly overdue: readonly { readonly risk: string; readonly count: number }[]
  readonly in30: number
  /** Without those in 30 days. */
  readonly in90: number
  readonly unrated: number
  /** Applicants with a document that has expired since their last review. */
  readonly expired: number
}

/** The first days that are not overdue, not within 30 and not within 90 days. */
export interface ReviewEdges {
  readonly today: string
  readonly after30: string
  readonly after90: string
}
export function reviewEdges(now: number): ReviewEdges {
  const day = today(now)
  return { today: isoDue(day), after30: isoDue(day + 31 * dayLength), after90: isoDue(day + 91 * dayLength) }
}

/** The days of these classes, from the first to before the last: undefined if they are not all of days. */
export function reviewDays(
  classes: readonly ReviewClass[],
  { today: day, after30, after90 }: ReviewEdges
): { readonly from: string; readonly until: string } | undefined {
  // Before and after every date.
  const days = { overdue: ['', day], in30: [day, after30], in90: [after30, after90], later: [after90, '~'] } as const
  const chosen = classes.map((each) => (each === 'unrated' || each === 'none' ? undefined : days[each]))
  const whole = chosen.filter((each) => each !== undefined)
  if (whole.length === 0 || whole.length < chosen.length) return undefined
  return {
    from: earliest(whole.map(([from]) => from)) ?? '',
    until:
      whole
        .map(([, until]) => until)
        .toSorted()
        .at(-1) ?? '~'
  }
}

/** @param at The day of the next review. @param isOpen Whether the relationship is active or not recorded. */
export function reviewClassOf(
  { at, isRated, isOpen }: { readonly at: string | null; readonly isRated: boolean; readonly isOpen: boolean },
  { today: day, after30, after90 }: ReviewEdges
): ReviewClass {
  if (at === null) return isRated || !isOpen ? 'none' : 'unrated'
  return at < day ? 'overdue' : at < after30 ? 'in30' : at < after90 ? 'in90' : 'later'
}

/** The day of an approval. */
export const dayOfEvent = (at: number): string => isoDue(at)

/** The same day some months later; the last one of a shorter month: 2028-02-29 and 12 months are 2029-02-28. */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 1, of = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoDue(Date.UTC(year, month - 1 + months, Math.min(of, last)))
}

const earliest = (days: readonly string[]): string | undefined => days.toSorted()[0]

/**
 * Counted from the last review, else from the first approval or the day on which the relationship became active. Of one that began
 * again after another was over, only what is of its own days counts. Undefined without a risk class, without anything to count
 * from, and for a relationship that is not active any more.
 */
export function nextReview(facts: readonly ReviewFact[]): NextReview | undefined {
  const months = facts.findLast((each) => each.kind === 'rated')?.months
  if (months === undefined || !isOpen(facts)) return undefined
  const from =
    lastLook(facts) ??
    earliest([
      ...facts.flatMap((each) => (each.kind === 'approved' ? [each.day] : [])),
      // A day that is recorded again corrects the one before.
      ...facts
        .filter(isRelationship)
        .slice(-1)
        .map(({ on }) => on)
    ])
  if (from === undefined) return undefined
  const at = addMonths(from, months)
  const expires = nextExpiry(facts)
  return expires !== undefined && expires < at ? { at: expires, cause: 'expiry' } : { at, cause: 'period' }
}

/**
 * When the next document expires, or has expired since the last review, which looks at what has expired by then, as whoever begins a
 * relationship again does. Undefined without one, and for a relationship that is not active any more.
 */
export function nextExpiry(facts: readonly ReviewFact[]): string | undefined {
  if (!isOpen(facts)) return undefined
  const looked = lastLook(facts)
  const expiries = new Map(facts.flatMap((each) => (each.kind === 'expiry' ? [[each.document, each.expires]] : [])))
  return earliest([...expiries.values()].filter((day) => looked === undefined || day > looked))
}

const isRelationship = (fact: ReviewFact): fact is Extract<ReviewFact, { readonly kind: 'relationship' }> =>
  fact.kind === 'relationship'

/** Whether the relationship is active, or nobody has recorded one. */
const isOpen = (facts: readonly ReviewFact[]): boolean =>
  (facts.findLast(isRelationship)?.state ?? 'active') === 'active'

/** The day since which a relationship lasts that is not the first one; one that is taken back to a day before an end never had it. */
function begunAgain(facts: readonly ReviewFact[]): string | undefined {
  const since = facts.findLast(isRelationship)?.on
  return since !== undefined &&
    facts.some((each) => isRelationship(each) && each.state !== 'active' && each.on <= since)
    ? since
    : undefined
}

/** Of an open relationship: the day of its last review, else of its beginning after another one. */
function lastLook(facts: readonly ReviewFact[]): string | undefined {
  const begun = begunAgain(facts)
  const days = facts.flatMap((each) => (each.kind === 'reviewed' ? [each.day] : []))
  return days.findLast((day) => begun === undefined || day >= begun) ?? begun
}
