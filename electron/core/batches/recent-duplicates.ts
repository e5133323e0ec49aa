/**
 * Counts the rows of a checked file that were recently answered and that the spend guard would skip, before a batch
 * is created.
 */
import type { RecentDuplicates } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { fromRows } from '#contract/verification/recipes.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import { storable } from '#core/verification/storable.ts'
import type { Checked } from './held-checks.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { RowsError } from './reading/lines.ts'
import type { BatchStore } from '#wire/history/batches.ts'

/** Rows per query to the history, so that it can serve other queries in between. */
const chunkRows = 400

export interface RecentDuplicateParts extends Checked {
  readonly store: Pick<BatchStore, 'recentDuplicates'>
  readonly connectionId: string
  /** Unix milliseconds; verifications answered at or after this time count. */
  readonly since: number
  /** True when the count is no longer wanted or has taken too long. */
  over(): boolean
  /** Called with the number of rows read so far. */
  onProgress(rows: number): void
}

/**
 * Returns the counts, or null if `over` ended it early. Memory use grows by a number for each row that was. Failures: those of
 * reading and of the history, `batch-file-changed`.
 */
export async function countRecentDuplicates(
  parts: RecentDuplicateParts
): Promise<Result<RecentDuplicates | null, Failure>> {
  const { source, check, index, store, connectionId, since } = parts
  const { operations } = check.reading
  const own = fromRows(operations)
  const opened = await openRows(source, check.reading)
  if (!opened.ok) return opened
  const counted = { rows: 0, duplicates: 0 }
  let chunk: { readonly input: VerificationInput; readonly duplicate: boolean; readonly place: number }[] = []
  const recent: number[] = []
  const ask = async (): Promise<Result<null, Failure>> => {
    const asked = chunk
    chunk = []
    // A row is left out if each of its operations was.
    const recentRows = asked.map(() => true)
    for (const operation of operations) {
      const found = await store.recentDuplicates(
        { operation, connectionId },
        asked.map(({ input }) => storable(own.input(operation, input), operation).input),
        since
      )
      if (!found.ok) return found
      for (const at of asked.keys()) recentRows[at] &&= found.value[at] === true
    }
    for (const [at, { duplicate, place }] of asked.entries()) {
      if (!recentRows[at]) continue
      counted[duplicate ? 'duplicates' : 'rows'] += 1
      if (!duplicate) recent.push(place)
    }
    return ok(null)
  }
  let read = 0
  const take = ({ faults, input, duplicate }: ValidatedRow): void => {
    if (faults.length === 0) chunk.push({ input, duplicate, place: read - 1 })
  }
  try {
    for await (const row of opened.value.rows()) {
      read += 1
      take(row)
      if (chunk.length < chunkRows) continue
      if (parts.over()) return ok(null)
      const asked = await ask()
      if (!asked.ok) return asked
      parts.onProgress(read)
    }
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
  const asked = await ask()
  if (!asked.ok) return asked
  const { reading } = opened.value
  const same = reading.digest().sha256 === check.sha256 && (await reading.unchanged())
  if (same) index.setRecent(recent)
  return same ? ok(counted) : failed('batch-file-changed', { file: source.name })
}
