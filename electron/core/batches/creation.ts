/** Creates a batch from a checked file: all rows are stored durably, or none. */
import { maxCellLength, type CorrectedCell } from '#contract/batches/rows.ts'
import type { BatchCheck, BatchOrder, BatchSummary } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { removedMark, scrubLink } from '#contract/links/links.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { Result } from '#contract/failures/result.ts'
import { looksLikeCredential } from '#contract/text/unsafe-text.ts'
import { fromRows } from '#contract/verification/recipes.ts'
import type { Masker } from '#core/masking/masker.ts'
import { storable } from '#core/verification/storable.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { RowsError } from './reading/lines.ts'
import type { Source } from './reading/source.ts'
import type { colleagueGuard } from './shared/colleague-guard.ts'
import type { LinkRun } from './link-check.ts'
import type { BatchLayout, BatchStore, NewRow } from '#wire/history/batches.ts'

const chunkRows = 400
/** Characters stored of a cell that is too long to be sent. */
const longCellPrefix = 1000

export interface CreationParts {
  readonly store: BatchStore
  readonly source: Source
  readonly check: BatchCheck
  readonly order: BatchOrder
  readonly connection: RecordConnection
  readonly operator: string
  readonly consoleVersion: string
  /** Unix milliseconds. */
  readonly now: number
  /**
   * Unix milliseconds. Rows whose verification was answered at or after this time are recent duplicates; undefined
   * where the spend guard is off.
   */
  readonly recentDuplicates: number | undefined
  /** Whether a colleague has recently sent the same request; undefined without a team. */
  readonly colleagues?: ReturnType<typeof colleagueGuard>
  /** What finds the credentials of all connections in a text. */
  readonly own?: Pick<Masker, 'holds'> | undefined
  /** What a check of the links of these rows found. */
  readonly links?: Pick<LinkRun, 'faultsOf' | 'seenIn'> | undefined
}

/** What a person chose or accepted about how the file is read, as the batch keeps it. */
const readOf = ({ encoding, headingRow, rounded, sheet, corrections }: BatchCheck['reading']): BatchLayout['read'] => ({
  encoding,
  headingRow,
  rounded,
  sheet,
  corrected: new Set(corrections.map(({ row }) => row)).size
})

/** The failure if a text contains a credential. */
const holding = (
  own: CreationParts['own'],
  text: string,
  reason: 'name' | 'file-name' | 'heading'
): Result<never, Failure> | undefined =>
  own?.holds(text) || looksLikeCredential(text) ? failed('text-holds-credential', { reason }) : undefined

/** The failure if a cell contains a credential of a connection. */
function holdingCell(
  own: CreationParts['own'],
  { row, cells }: ValidatedRow,
  columns: readonly string[]
): Result<never, Failure> | undefined {
  if (!own?.holds(cells.join('\n'))) return undefined
  const column = cells.findIndex((cell) => own.holds(cell))
  return column < 0
    ? undefined
    : failed('text-holds-credential', {
        reason: 'row',
        row: String(row),
        column: columns[column] ?? String(column + 1)
      })
}

/**
 * Creates the batch. Failures: those of reading and of the history, `batch-nothing-to-run`, `batch-file-changed`, `text-holds-credential`;
 * nothing is stored then.
 */
export async function createBatch(parts: CreationParts): Promise<Result<BatchSummary, Failure>> {
  const { store, source, check, order, connection } = parts
  if (check.good === 0) return failed('batch-nothing-to-run', { rows: check.rows })
  const opened = await openRows(source, check.reading)
  if (!opened.ok) return opened
  const { reading, layout } = opened.value
  const held =
    holding(parts.own, order.name, 'name') ??
    holding(parts.own, check.fileName, 'file-name') ??
    holding(parts.own, layout.columns.join('\n'), 'heading')
  if (held) {
    await opened.value.close()
    return held
  }
  const made = await store.create({
    name: order.name,
    fileName: check.fileName,
    sha256: check.sha256,
    operations: check.reading.operations,
    connection,
    atOnce: order.atOnce,
    pace: order.pace,
    skipRecent: order.skipRecent,
    createdAt: parts.now,
    operator: parts.operator,
    consoleVersion: parts.consoleVersion,
    layout: { ...layout, read: readOf(check.reading) }
  })
  if (!made.ok) {
    await opened.value.close()
    return made
  }
  const { id } = made.value
  const added = await addAll(parts, id, layout.columns, opened.value.rows())
  const same = added.ok && reading.digest().sha256 === check.sha256 && (await reading.unchanged())
  if (same) return store.seal(id)
  await store.discard(id)
  return added.ok ? failed('batch-file-changed', { file: source.name }) : added
}

/** A text of a correction as it may be kept with a record: no signature, no credential, not endless. */
const safe = (text: string): string =>
  looksLikeCredential(text) ? removedMark : scrubLink(text.slice(0, longCellPrefix)).url

async function addAll(
  { store, order, check, own: credentials, recentDuplicates, links, colleagues, operator, now }: CreationParts,
  id: string,
  columns: readonly string[],
  rows: AsyncGenerator<ValidatedRow>
): Promise<Result<null, Failure>> {
  const { operations } = check.reading
  const own = fromRows(operations)
  /** Whether colleagues have sent all of a row. */
  async function isSent({ checks = [], applicantId }: NewRow): Promise<boolean> {
    if (!colleagues) return false
    for (const [at, operation] of operations.entries())
      if (!(await colleagues(operation, checks[at] ?? {}, applicantId))) return false
    return true
  }
  const asNew = ({ row, cells, faults: invalid, duplicate, applicantId, input, ...each }: ValidatedRow): NewRow => {
    const corrections = each.corrections.map(({ column, said, value, at }): CorrectedCell => ({
      column: columns[column] ?? '',
      said: safe(said),
      value: safe(value),
      at: at ?? now,
      by: operator
    }))
    const found = order.skipFound && !duplicate ? (links?.faultsOf(row) ?? []) : []
    const faults = invalid.length > 0 ? invalid : found
    const documents = links?.seenIn(row)
    // The error says what it was.
    const unsafe = new Set(
      invalid.filter(({ fault }) => fault.code.startsWith('looks-like-')).map(({ column }) => column)
    )
    return {
      row,
      state: faults.length > 0 ? 'invalid' : duplicate && order.skipDuplicates ? 'duplicate' : 'waiting',
      cells: cells.map((cell, column) =>
        unsafe.has(columns[column] ?? '')
          ? removedMark
          : cell.length > maxCellLength
            ? `${cell.slice(0, longCellPrefix)}… (cut)`
            : cell
      ),
      ...(faults.length > 0 && { fault: faults }),
      ...(applicantId !== undefined && { applicantId }),
      ...(documents && { documents }),
      ...(corrections.length > 0 && { corrections }),
      ...(faults.length === 0 && { checks: operations.map((id) => storable(own.input(id, input), id).input) })
    }
  }
  let chunk: NewRow[] = []
  const flush = async (): Promise<Result<null, Failure>> => {
    const full: NewRow[] = []
    for (const row of chunk)
      full.push(
        row.state === 'waiting' && order.skipRecent && (await isSent(row))
          ? { ...row, state: 'recently-answered' }
          : row
      )
    chunk = []
    return store.add(id, full, order.skipRecent ? recentDuplicates : undefined)
  }
  try {
    for await (const row of rows) {
      const held = holdingCell(credentials, row, columns)
      if (held) return held
      chunk.push(asNew(row))
      if (chunk.length < chunkRows) continue
      const added = await flush()
      if (!added.ok) return added
    }
  } catch (error) {
    if (error instanceof RowsError) return { ok: false, failure: error.failure }
    throw error
  }
  return flush()
}
