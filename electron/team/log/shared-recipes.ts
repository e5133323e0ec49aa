/** Recipes that colleagues share: of each installation the last word about a name. A member can put anything into an event. */
import { maxRecipes, operationsSchema, recipeSchema } from '#contract/verification/saved-recipes.ts'
import { operationIds, type OperationId } from '#contract/verification/operations.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'

export const recipeTable = `
  -- Operations as JSON, in order.
  CREATE TABLE recipe (ref INTEGER NOT NULL, name TEXT NOT NULL, operations TEXT NOT NULL, PRIMARY KEY (ref, name)) STRICT, WITHOUT ROWID;`

const nameSchema = recipeSchema.pick({ name: true }).strip()
const isKnown = (id: unknown): id is OperationId => (operationIds as readonly unknown[]).includes(id)

/** A recipe, and the installation that shares it. */
interface ReceivedRecipe {
  readonly installation: string
  readonly name: string
  readonly operations: readonly OperationId[]
}

/** Statements on the file of received events. Throws SQLite's errors. */
export class SharedRecipes {
  private readonly put
  private readonly remove
  private readonly read

  constructor(db: Db) {
    this.put = db.prepare(
      `INSERT INTO recipe SELECT @ref, @name, @operations WHERE (SELECT count(*) FROM recipe WHERE ref = @ref AND name <> @name) < ${maxRecipes}
        ON CONFLICT DO UPDATE SET operations = excluded.operations`
    )
    this.remove = db.prepare('DELETE FROM recipe WHERE ref = ? AND name = ?')
    this.read = db.prepare(
      'SELECT i.id AS installation, r.name, r.operations FROM recipe r JOIN installation i USING (ref) ORDER BY i.id, r.name'
    )
  }

  /** A verified event was added. @param ref Of its installation in the file. */
  onAdded(ref: number, { kind, plain }: SharedEvent): void {
    const values = kind === 'recipe.shared' ? valuesOf(plain) : undefined
    const named = nameSchema.safeParse(values)
    if (!values || !named.success) return
    const operations = operationsSchema.safeParse(values['operations'])
    // One of a later version, with operations that are unknown here, is no longer what it was.
    if (operations.success) this.put.run({ ref, name: named.data.name, operations: JSON.stringify(operations.data) })
    else this.remove.run(ref, named.data.name)
  }

  all(): readonly ReceivedRecipe[] {
    return (this.read.all() as { installation: string; name: string; operations: string }[]).map((row) => ({
      ...row,
      operations: (JSON.parse(row.operations) as unknown[]).filter(isKnown)
    }))
  }
}
