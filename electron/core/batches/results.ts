/** A batch's results as files: CSV in the input's own columns and order, and JSON lines in which nothing is changed. */
import type { RowState } from '#contract/batch-rows.ts'
import type { BatchFile, BatchSummary } from '#contract/batches.ts'
import type { Failure } from '#contract/failures.ts'
import { rowFaultsText, sentencesOf, withSentences } from '#contract/failures/sentences.ts'
import { ok, type Result } from '#contract/result.ts'
import { escapedColumn, markedCsvText } from '#core/csv/escaped.ts'
import { csvText } from '#core/csv/formula.ts'
import { foldHeading } from '#core/csv/headings.ts'
import type { BatchDraft, BatchStore, RowResult } from '#core/history/api/batches.ts'

const chunkRows = 250

/** Which rows a file holds; `keep` narrows what the states let through. */
interface Subset {
  readonly states?: readonly RowState[]
  keep?(row: RowResult): boolean
}

const answeredWell = ({ state, record }: RowResult): boolean =>
  state === 'answered' && (record?.status ?? 0) >= 200 && (record?.status ?? 0) < 300

const subsets: Readonly<Record<BatchFile, Subset>> = {
  results: {},
  lossless: {},
  /** Certainly not sent, not readable, or answered with a status other than 2xx. */
  failed: { states: ['not-sent', 'unreadable', 'answered'], keep: (row) => !answeredWell(row) },
  unknown: { states: ['unknown'] },
  invalid: { states: ['invalid'] }
}

/** The name under which a file is offered, without what no file name may hold. */
export const resultsName = (batch: BatchSummary, file: BatchFile): string =>
  `${batch.name} ${file}.${file === 'lossless' ? 'jsonl' : 'csv'}`

const outcomeWords = ({ state, resolved }: RowResult): string =>
  resolved === undefined ? state : `${state} (${resolved === 'sent' ? 'counted as sent' : 'to be sent again'})`

const ownColumns = ['row', 'outcome', 'status', 'message', 'record_id', 'started', 'took_ms', 'remark', escapedColumn] as const

/** Our columns beside the input's: a heading that the input has, too, gets a name of its own. */
export function freeColumns(own: readonly string[], columns: readonly string[]): string[] {
  const taken = new Set(columns.map(foldHeading))
  return own.map((name) => {
    let free: string = name
    while (taken.has(foldHeading(free))) free = `veridesk_${free}`
    return free
  })
}

function csvRow(row: RowResult, width: number): string[] {
  const { record } = row
  // A ragged row keeps its further cells out of our columns: they are in the lossless file.
  const cells = Array.from({ length: width }, (_, index) => row.cells[index] ?? '')
  return [
    ...cells,
    String(row.row),
    outcomeWords(row),
    record?.status === undefined ? '' : String(record.status),
    record?.fullMessage ?? '',
    record?.id ?? '',
    record ? new Date(record.startedAt).toISOString() : '',
    record?.took === undefined ? '' : String(Math.round(record.took)),
    remarkOf(row)
  ]
}

function remarkOf({ fault, record }: RowResult): string {
  if (fault !== undefined) return rowFaultsText(fault)
  return record?.failure ? sentencesOf(record.failure).what : ''
}

/** Thrown out of the pieces where the history fails meanwhile. */
export class ResultsError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

export interface ResultsText {
  /** Throws `ResultsError`. */
  readonly pieces: AsyncIterable<string>
  /** Rows given so far. */
  rows(): number
}

/** The text of a file, streamed out of the history. */
export function resultsText(store: BatchStore, batch: BatchSummary, draft: BatchDraft, file: BatchFile): ResultsText {
  const subset = subsets[file]
  const { columns, delimiter } = draft.layout
  let count = 0

  async function* chunks(): AsyncGenerator<readonly RowResult[]> {
    let after = 0
    for (let more = true; more; ) {
      const wanted = { ...(subset.states && { states: subset.states }), after, limit: chunkRows, records: file !== 'invalid' }
      const read: Result<{ readonly rows: readonly RowResult[]; readonly more: boolean }, Failure> = await store.results(batch.id, wanted)
      if (!read.ok) throw new ResultsError(read.failure)
      after = read.value.rows.at(-1)?.row ?? after
      more = read.value.more
      const kept = subset.keep ? read.value.rows.filter((row) => subset.keep?.(row)) : read.value.rows
      count += kept.length
      yield kept
    }
  }

  async function* csv(): AsyncGenerator<string> {
    // Without the mark, Excel takes UTF-8 for the system's own encoding.
    yield `\ufeff${csvText([[...columns, ...freeColumns(ownColumns, columns)]], delimiter)}`
    for await (const rows of chunks()) if (rows.length > 0) yield markedCsvText(rows.map((row) => ({ cells: csvRow(row, columns.length) })), delimiter)
  }

  async function* lossless(): AsyncGenerator<string> {
    const { layout, operator, consoleVersion } = draft
    yield `${JSON.stringify({ batch, layout, operator, consoleVersion }, withSentences)}\n`
    for await (const rows of chunks()) yield rows.map((row) => `${JSON.stringify(row, withSentences)}\n`).join('')
  }

  return { pieces: file === 'lossless' ? lossless() : csv(), rows: () => count }
}

/** An empty file with an operation's headings and one made-up row. */
export function templateText(fields: readonly { readonly name: string; readonly example: string }[]): string {
  return `\ufeff${csvText([fields.map(({ name }) => name), fields.map(({ example }) => example)])}`
}

/** `ok` as a Result of a file that was written. */
export const writtenFile = (path: string, rows: number): Result<{ readonly path: string; readonly rows: number }, Failure> => ok({ path, rows })
