/** Batches in the orders of their list. */
import { batchStates, type BatchListOrder, type BatchSort, type BatchSummary } from '#contract/batches/batches.ts'
import { shortOperations } from '#contract/verification/recipes.ts'

type Key = string | number | undefined

/** People number their batches: 2 comes before 10. */
const names = new Intl.Collator('en', { numeric: true })

function keyOf(batch: BatchSummary, by: BatchSort): Key {
  switch (by) {
    case 'name':
      return batch.name
    case 'state':
      return batchStates.indexOf(batch.state)
    case 'operation':
      return shortOperations(batch.operations)
    case 'connection':
      return batch.connection.name
    case 'rows':
      return batch.rows
    case 'created':
      return batch.createdAt
    case 'ended':
      return batch.endedAt
    default:
      return batch.counts[by]
  }
}
const compare = (a: Key, b: Key): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : names.compare(String(a), String(b))

/** Those without the value are last in either direction; equal ones are newest first. */
export function sortBatches(
  batches: readonly BatchSummary[],
  { by, reversed = false }: BatchListOrder
): readonly BatchSummary[] {
  const keyed = batches.map((batch) => ({ batch, key: keyOf(batch, by) }))
  keyed.sort((a, b) => {
    const newer = b.batch.createdAt - a.batch.createdAt
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined) || newer
    return (reversed ? -1 : 1) * compare(a.key, b.key) || newer
  })
  return keyed.map(({ batch }) => batch)
}
