/** Recipes as they are kept: in the settings, and with a team. */
import { z } from 'zod'
import { rule } from './field-issues.ts'
import { operationIds } from './operations.ts'

/** Of one installation. */
export const maxRecipes = 30

/** Operations in the order in which they are sent, each once. */
export const operationsSchema = z
  .array(z.enum(operationIds))
  .min(1)
  .max(operationIds.length)
  .refine((ids) => new Set(ids).size === ids.length)
  .readonly()

/** A named list of operations, in the order in which they are sent. */
export const recipeSchema = z.strictObject({
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  operations: operationsSchema,
  /** With the team, if there is one. */
  shared: z.literal(true).optional()
})
export type Recipe = z.output<typeof recipeSchema>
/** One that a colleague shares. */
export interface TeamRecipe extends Omit<Recipe, 'shared'> {
  readonly installation: string
  /** The colleague's name. */
  readonly member: string
}
export const recipesSchema = z
  .array(recipeSchema)
  .max(maxRecipes)
  .refine((recipes) => new Set(recipes.map(({ name }) => name)).size === recipes.length, rule('names-repeated'))
