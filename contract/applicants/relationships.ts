/**
 * The organisation's relationship with an applicant, which a person records: documents must be kept for some years from its end, and a
 * relationship that lasts is reviewed. Its dates are days of the calendar, as texts: no time zone moves them.
 */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import { dueOfIso } from './due-dates.ts'
import { rule } from '../verification/field-issues.ts'

/** The order is stored in every history file. */
export const relationshipStates = ['active', 'occasional', 'refused', 'ended'] as const
export type RelationshipState = (typeof relationshipStates)[number]

/** `2026-12-01`; other dates than these are typing errors. */
export const civilDateSchema = z
  .string()
  .refine((text) => dueOfIso(text) !== undefined && text < '2200', rule('date-invalid'))

export interface Relationship {
  readonly state: RelationshipState
  /** Since when, or for `occasional` the day of the transaction. */
  readonly on: string
}
export const relationshipSchema = z.strictObject({ state: z.enum(relationshipStates), on: civilDateSchema })

export const relationshipDraftSchema = relationshipSchema.extend({
  applicantId: applicantIdSchema,
  note: z.string().trim().max(8000)
})
export type RelationshipDraft = z.output<typeof relationshipDraftSchema>
