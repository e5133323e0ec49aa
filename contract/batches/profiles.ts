/**
 * Column profiles: how a file with certain headings is read, under a name. Kept with the settings, since headings and
 * encodings are no personal data, and proposed for a file with the same headings.
 */
import { z } from 'zod'
import { batchDelimiters, batchEncodings } from './batches.ts'
import { operationsSchema } from '../verification/saved-recipes.ts'
import { rule } from '../verification/field-issues.ts'

const maxProfiles = 30
const heading = z.string().max(200)

export const columnProfileSchema = z.strictObject({
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  operations: operationsSchema,
  /** The headings of the file from which it was made. */
  headings: z.array(heading).min(1).max(200),
  /** Field name to the heading of its column. */
  mapping: z.record(z.string().max(100), heading),
  /** The heading of the applicant's column, of operations that name none. */
  applicant: heading.optional(),
  encoding: z.enum(batchEncodings).optional(),
  delimiter: z.enum(batchDelimiters).optional(),
  sheet: z.string().max(31).optional(),
  /** The line of the headings. */
  headingRow: z.number().int().min(1).optional()
})
export type ColumnProfile = z.output<typeof columnProfileSchema>

export const columnProfilesSchema = z
  .array(columnProfileSchema)
  .max(maxProfiles)
  .refine((profiles) => new Set(profiles.map(({ name }) => name)).size === profiles.length, rule('names-repeated'))
