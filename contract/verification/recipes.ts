/** Check an applicant: several operations for one person, in order, each field entered once. Pure. */
import { z } from 'zod'
import { rule } from './field-issues.ts'
import { operationIds, operationOf, type FieldDeclaration, type OperationId } from './operations.ts'
import { nextStepOf, type Ended } from './next-steps.ts'
import type { VerificationInput } from './verification.ts'

const maxRecipes = 30

/** A named list of operations, in the order in which they are sent. */
export const recipeSchema = z.strictObject({
  name: z.string().trim().min(1, rule('name-missing')).max(60),
  operations: z
    .array(z.enum(operationIds))
    .min(1)
    .max(operationIds.length)
    .refine((ids) => new Set(ids).size === ids.length)
})
export type Recipe = z.output<typeof recipeSchema>
export const recipesSchema = z
  .array(recipeSchema)
  .max(maxRecipes)
  .refine((recipes) => new Set(recipes.map(({ name }) => name)).size === recipes.length, rule('names-repeated'))

/** A value that one or several of the operations need: the same link is not typed twice. */
export interface CheckField {
  /** Names the value, whatever the operations call it. */
  readonly key: string
  readonly field: FieldDeclaration
}

/** What a value is, whatever an operation calls its field: the label says it, and a document that an operation does not name is the ID document. */
const keyOf = ({ kind, label }: FieldDeclaration): string =>
  kind === 'applicant-id'
    ? 'applicant'
    : label === 'Document URL'
      ? 'id-document'
      : label.replace(/ URL$/, '').replaceAll(' ', '-').toLowerCase()

/** Each distinct value of the operations, in the order in which it is first needed. */
export function fieldsOfCheck(operations: readonly OperationId[]): CheckField[] {
  const found = new Map<string, FieldDeclaration>()
  for (const field of operations.flatMap((id): readonly FieldDeclaration[] => operationOf(id).fields)) {
    const key = keyOf(field)
    // Of two names for one value, the one that says which document it is.
    if (!found.has(key) || found.get(key)?.label === 'Document URL') found.set(key, field)
  }
  return [...found].map(([key, field]) => ({ key, field }))
}

/** The input of one operation, from the values of the check. */
export const inputOfCheck = (operation: OperationId, values: Readonly<Record<string, string>>): VerificationInput =>
  Object.fromEntries(operationOf(operation).fields.map((field) => [field.name, values[keyOf(field)] ?? '']))

const refused: readonly (number | undefined)[] = [401, 403, 429]

/** Whether nothing more of a check is sent after a verification that ended so. */
export const stopsCheck = (ended: Ended): boolean =>
  nextStepOf(ended)?.id === 'unknown' || ended.state === 'open' || refused.includes(ended.status)
