/** Saved views of the history. */
import { z } from 'zod'
import { rule } from '../verification/field-issues.ts'
import { historyFilterSchema } from '../history/queries.ts'

export const maxSavedViews = 50

/**
 * The filter of a saved view, without the search text, which may contain a name and does not belong in the settings.
 */
export const viewFilterSchema = historyFilterSchema.omit({ search: true }).extend({
  /** Local days back from today, including today: 1 is today. Used instead of `from`, which is fixed. */
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
