/**
 * The organisation's relationship with an applicant, which a person records: documents must be kept for some years from its end, and a
 * relationship that lasts is reviewed. Its dates are days of the calendar, as texts: no time zone moves them.
 */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import { dueOfIso, isoDue, today } from './due-dates.ts'
import { rule } from '../verification/field-issues.ts'

/** The order is stored in every history file. */
export const relationshipStates = ['active', 'occasional', 'refused', 'ended'] as const
export type RelationshipState = (typeof relationshipStates)[number]

/** `2026-12-01`; other dates than these are typing errors. */
export const civilDateSchema = z
  .string()
  .refine((text) => dueOfIso(text) !== undefined && text < '2200', rule('date-invalid'))

/**
 * Whether a day has not come, here or in UTC, which a window can show: a relationship is recorded once it has begun or is over, since
 * its state counts at once, for reviews and expiries.
 */
export const isAhead = (day: string, now: number): boolean => day > isoDue(Math.max(today(now), now))

export interface Relationship {
  readonly state: RelationshipState
  /** Since when, or for `occasional` the day of the transaction. */
  readonly on: string
}
/** One that lasts, which has no last day, or lasted; without a first day if only its end was recorded. */
export interface RelationshipPeriod {
  readonly from?: string
  readonly until?: string
}
/**
 * The relationships that there are or were, from what was recorded, in its order. What is recorded again, without another state in
 * between, has its last day. Nothing else is left out or put together: what was recorded by mistake stays visible.
 */
export function periodsOf(recorded: readonly Relationship[]): readonly RelationshipPeriod[] {
  return recorded.reduce<readonly RelationshipPeriod[]>((found, { state, on }, at) => {
    const before = recorded[at - 1]?.state
    const last = found.at(-1)
    if (state === 'active') return [...(before === 'active' ? found.slice(0, -1) : found), { from: on }]
    // Only what was active is over with any other state; an end says that there was something.
    if (before === 'active' || (state === 'ended' && before === 'ended'))
      return [...found.slice(0, -1), { ...last, until: on }]
    return state === 'ended' ? [...found, { until: on }] : found
  }, [])
}

export const relationshipSchema = z.strictObject({ state: z.enum(relationshipStates), on: civilDateSchema })

export const relationshipDraftSchema = relationshipSchema.extend({
  applicantId: applicantIdSchema,
  note: z.string().trim().max(8000)
})
export type RelationshipDraft = z.output<typeof relationshipDraftSchema>
