/** What is known of the applicants of a list of IDs, for an authority that asks about them. */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import type { ApplicantSummary } from './applicants.ts'

/** IDs of one request. */
export const maxStatusIds = 1000

export const applicantStatusSchema = z.strictObject({
  applicantIds: z.array(applicantIdSchema).min(1).max(maxStatusIds)
})

/** Times are Unix milliseconds. */
export interface ApplicantStatus extends Pick<ApplicantSummary, 'relationship' | 'last'> {
  readonly id: string
  /** The first verification, or what else was recorded first. */
  readonly firstAt: number
}
