/** Risk classes: the organisation's own, each with the months after which an applicant of that class is reviewed. */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import { rule } from '../verification/field-issues.ts'

/** Months to the next review that the law allows at most: with enhanced measures, and without them. */
export const maxReviewMonths = { enhanced: 12, other: 60 } as const
export const maxRiskClasses = 10

export const riskCodeSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, rule('reason-code-invalid'))
export const riskClassSchema = z
  .strictObject({
    code: riskCodeSchema,
    label: z.string().trim().min(1, rule('label-missing')).max(60),
    /** Until the next review. */
    months: z.int().min(1),
    /** Enhanced due diligence applies. */
    enhanced: z.boolean()
  })
  .refine(
    ({ months, enhanced }) => months <= maxReviewMonths[enhanced ? 'enhanced' : 'other'],
    rule('review-months-exceeded')
  )
export type RiskClass = z.output<typeof riskClassSchema>
export const riskClassesSchema = z
  .array(riskClassSchema)
  .min(1, rule('risk-classes-missing'))
  .max(maxRiskClasses)
  .refine((all) => new Set(all.map(({ code }) => code)).size === all.length, rule('codes-repeated'))

export const ratingDraftSchema = z.strictObject({
  applicantId: applicantIdSchema,
  /** The code of a class in the settings. */
  risk: riskCodeSchema,
  note: z.string().trim().max(8000)
})
export type RatingDraft = z.output<typeof ratingDraftSchema>
/** With the months that the class had when it was given. */
export type Rated = RatingDraft & Pick<RiskClass, 'months'>
