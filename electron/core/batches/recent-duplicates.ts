/** How many rows of a checked file were recently answered: what the spend guard would leave out, before a batch is made. */
import type { RecentDuplicates } from '#contract/batches.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { VerificationInput } from '#contract/verification.ts'
import { storable } from '#core/verification/storable.ts'
import type { Checked } from './checks.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { RowsError } from './reading/rows.ts'
import type { BatchStore } from '#core/history/api/batches.ts'

/** Rows that the history is asked about at a time: it answers others in between. */
const chunkRows = 400

export interface RecentDuplicateParts extends Checked {
  readonly store: Pick<BatchStore, 'recentDuplicates'>
  readonly connectionId: string
  /** Unix milliseconds; checks answered at or after this time count. */
  readonly since: number
  /** True once nobody waits for the count any more, or it has taken too long. */
  over(): boolean
  /** Rows that were read so far. */
  onProgress(rows: number): void
}

/**
 * Counts; null where it was over before its end. Memory does not grow with the file.
 * Failures: those of reading and of the history, `batch-file-changed`.
 */
export async function countRecentDuplicates(parts: RecentDuplicateParts): Promise<Result<RecentDuplicates | null, Failure>> {
  const { source, check, store, connectionId, since } = parts
  const { operation } = check.reading
  const opened = await openRows(source, check.reading)
  if (!opened.ok) return opened
  const counted = { rows: 0, duplicates: 0 }
  let chunk: { readonly check: VerificationInput; readonly duplicate: boolean }[] = []
  const ask = async (): Promise<Result<null, Failure>> => {
    const asked = chunk
    chunk = []
    const found = await store.recentDuplicates({ operation, connectionId }, asked.map((row) => row.check), since)
    if (!found.ok) return found
    for (const [index, { duplicate }] of asked.entries()) if (found.value[index]) counted[duplicate ? 'duplicates' : 'rows'] += 1
    return ok(null)
  }
  const take = ({ faults, input, duplicate }: ValidatedRow): void => {
    if (faults.length === 0) chunk.push({ check: storable(input, operation).input, duplicate })
  }
  try {
    for await (const row of opened.value.rows()) {
      take(row)
      if (chunk.length < chunkRows) continue
      if (parts.over()) return ok(null)
      const asked = await ask()
      if (!asked.ok) return asked
      parts.onProgress(row.row)
    }
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
  const asked = await ask()
  if (!asked.ok) return asked
  const { reading } = opened.value
  const same = reading.digest().sha256 === check.sha256 && (await reading.unchanged())
  return same ? ok(counted) : failed('batch-file-changed', { file: source.name })
}
