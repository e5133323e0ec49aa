/** What is known of the applicants of a list of IDs, for an authority that asks about them. */
import { z } from 'zod'
import { applicantIdSchema } from './applicant-id.ts'
import type { ApplicantSummary } from './applicants.ts'
import type { RelationshipPeriod } from './relationships.ts'

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
  /** The relationships that there are or were: the state alone, which is the last one, would hide one before a refusal. */
  readonly periods: readonly RelationshipPeriod[]
}

/** In words, for a person and for a cell of a table. */
export const periodText = ({ from, until }: RelationshipPeriod): string =>
  until === undefined ? `since ${from ?? ''}` : from === undefined ? `until ${until}` : `${from} to ${until}`
