/** Views of the history that a person keeps under a name. */
import { z } from 'zod'
import { rule } from './field-issues.ts'
import { historyFilterSchema } from './records.ts'

export const maxSavedViews = 50

/**
 * What a kept view narrows to: a filter without the words that were searched for, since those may name a person
 * and the settings are no place for that.
 */
export const viewFilterSchema = historyFilterSchema.omit({ search: true }).extend({
  /** Local days back from today, today included: 1 is today. In place of `from`, which stays where it is. */
  days: z.number().int().min(1).max(3660).optional()
})
export type ViewFilter = z.output<typeof viewFilterSchema>

export const savedViewSchema = z.strictObject({
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  filter: viewFilterSchema
})
export type SavedView = z.output<typeof savedViewSchema>

export const savedViewsSchema = z
  .array(savedViewSchema)
  .max(maxSavedViews, `at most ${maxSavedViews} views`)
  .refine((views) => new Set(views.map(({ name }) => name)).size === views.length, rule('names-repeated'))
