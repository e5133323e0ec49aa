/** Result files of a batch: CSV with the input's columns and order, and lossless JSON lines. */
import { rowStateLabels, type RowState } from '#contract/batches/rows.ts'
import { stoppedWords } from '#contract/batches/calls.ts'
import type { BatchFile, BatchSummary, TableFormat } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { rowFaultsText, sentencesOf, withSentences } from '#contract/failures/sentences.ts'
import type { Result } from '#contract/failures/result.ts'
import { correctionsText } from '#contract/history/record-facts.ts'
import { cellText, timed, workbookHeading, type Column } from '#core/csv/columns.ts'
import { escapedColumn, markedCsvText } from '#core/csv/escaped.ts'
import { csvText } from '#core/csv/formula.ts'
import { foldHeading } from '#core/csv/headings.ts'
import { writeWorkbook, type WorkbookValue } from '#kit/workbook/write.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { BatchDraft, CallResult, RowResult, RowsWanted } from '#wire/history/batches.ts'

const chunkRows = 250

/** A row with what its columns need; a colleague's has no more. */
export interface ResultRow extends Omit<RowResult, 'record'> {
  readonly record?: Partial<NonNullable<RowResult['record']>> &
    Pick<NonNullable<RowResult['record']>, 'id' | 'startedAt'>
  /** Where it was run, if not here. */
  readonly remark?: string
  /** What must not be overlooked, whatever else is said about the row. */
  readonly warning?: string
}

/** Where the rows come from: this history, or a whole team. */
export interface ResultSource {
  results(
    id: string,
    wanted: RowsWanted
  ): Promise<Result<{ readonly rows: readonly ResultRow[]; readonly more: boolean }, Failure>>
}

/** Which rows a file holds; `keep` narrows the selection by state. */
interface Subset {
  readonly states?: readonly RowState[]
  keep?(row: ResultRow): boolean
}

const answeredWell = ({ state, record }: ResultRow): boolean =>
  state === 'answered' && (record?.status ?? 0) >= 200 && (record?.status ?? 0) < 300

const subsets: Readonly<Record<BatchFile, Subset>> = {
  results: {},
  lossless: {},
  /** Not sent, invalid response, or answered with a status other than 2xx. */
  unsuccessful: { states: ['not-sent', 'invalid-response', 'answered'], keep: (row) => !answeredWell(row) },
  unknown: { states: ['unknown'] },
  invalid: { states: ['invalid'] }
}

/** The suggested file name. */
export const resultsName = (batch: Pick<BatchSummary, 'name'>, file: BatchFile, format: TableFormat): string =>
  `${batch.name} ${file}.${file === 'lossless' ? 'jsonl' : format}`

const outcomeWords = ({ state, resolved }: ResultRow): string =>
  resolved === undefined
    ? rowStateLabels[state]
    : `${rowStateLabels[state]} (${resolved === 'sent' ? 'counted as sent' : 'to be sent again'})`

const firstColumns: readonly Column<ResultRow>[] = [
  ['line', ({ row }) => row],
  ['outcome', outcomeWords]
]
const recordColumns: readonly Column<Pick<ResultRow, 'record'>>[] = [
  ['status', ({ record }) => record?.status],
  ['message', ({ record }) => record?.fullMessage],
  ['record_id', ({ record }) => record?.id],
  timed('started', ({ record }) => record?.startedAt),
  ['took_ms', ({ record }) => (record?.took === undefined ? undefined : Math.round(record.took))]
]
/** The outcome and record of each operation, of a batch with several; the name of the operation stands before that of the column. */
const callColumns = (operations: readonly OperationId[]): readonly Column<ResultRow>[] =>
  operations.flatMap((operation) => {
    const callOf = ({ calls }: ResultRow): CallResult | undefined => calls?.find((call) => call.operation === operation)
    const columns: readonly Column<CallResult>[] = [['outcome', ({ state }) => rowStateLabels[state]], ...recordColumns]
    return columns.map(([name, of, ...more]): Column<ResultRow> => [
      `${operation.replaceAll('-', '_')}_${name}`,
      (row) => {
        const call = callOf(row)
        return call && of(call)
      },
      ...more
    ])
  })
/** Cells that a person corrected; only in results of a batch that has some. The history's export has the same column. */
const corrected: Column<ResultRow> = ['corrections', correctionsText]
const ownColumnsOf = ({ layout, operations }: BatchDraft): readonly Column<ResultRow>[] => [
  ...firstColumns,
  ...(operations.length > 1 ? callColumns(operations) : recordColumns),
  ...((layout.read?.corrected ?? 0) > 0 ? [corrected] : []),
  ['remark', remarkOf]
]

/** Names of the added columns; one that also occurs in the input gets a prefix. */
export function freeColumns(own: readonly string[], columns: readonly string[]): string[] {
  const taken = new Set(columns.map(foldHeading))
  return own.map((name) => {
    let free: string = name
    while (taken.has(foldHeading(free))) free = `veridesk_${free}`
    return free
  })
}

function remarkOf({ fault, record, remark, warning, calls }: ResultRow): string {
  const said = fault !== undefined ? rowFaultsText(fault) : record?.failure ? sentencesOf(record.failure).what : remark
  const stopped = calls?.map(({ record: of, ...call }) => ({
    ...call,
    ...(of && { recordId: of.id, status: of.status })
  }))
  return [warning, said, stopped && stoppedWords(stopped)].filter(Boolean).join(' ')
}

/** Thrown by the text's iterator when the history fails while a file is written. */
export class ResultsError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

export interface ResultsText {
  /** Throws `ResultsError`. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Rows written so far. */
  rows(): number
  /** Texts that were longer than a cell of a workbook, so far. */
  cut?(): number
}

/** The text of a result file, streamed from the history. */
export function resultsText(
  store: ResultSource,
  batch: Pick<BatchSummary, 'id'>,
  draft: BatchDraft,
  file: BatchFile,
  format: TableFormat
): ResultsText {
  const subset = subsets[file]
  const { columns, delimiter } = draft.layout
  const ownColumns = ownColumnsOf(draft)
  const ownNames = ownColumns.map(([name]) => name)
  let count = 0

  async function* chunks(): AsyncGenerator<readonly ResultRow[]> {
    let after = 0
    for (let more = true; more;) {
      const wanted = {
        ...(subset.states && { states: subset.states }),
        after,
        limit: chunkRows,
        records: file !== 'invalid'
      }
      const read: Awaited<ReturnType<ResultSource['results']>> = await store.results(batch.id, wanted)
      if (!read.ok) throw new ResultsError(read.failure)
      after = read.value.rows.at(-1)?.row ?? after
      more = read.value.more
      const kept = subset.keep ? read.value.rows.filter((row) => subset.keep?.(row)) : read.value.rows
      count += kept.length
      yield kept
    }
  }

  // Surplus cells of a ragged row are left out, so that they do not shift the added columns; the lossless file has
  // them.
  const given = (row: ResultRow): string[] => columns.map((_, index) => row.cells[index] ?? '')

  async function* csv(): AsyncGenerator<string> {
    // Without a byte order mark, Excel reads UTF-8 in the system's encoding.
    yield `\ufeff${csvText([[...columns, ...freeColumns([...ownNames, escapedColumn], columns)]], delimiter)}`
    for await (const rows of chunks())
      if (rows.length > 0)
        yield markedCsvText(
          rows.map((row) => ({ cells: [...given(row), ...ownColumns.map(([, of]) => cellText(of(row)))] })),
          delimiter
        )
  }

  async function* cells(): AsyncGenerator<WorkbookValue[][]> {
    for await (const rows of chunks())
      yield rows.map((row) => [...given(row), ...ownColumns.map(([, of]) => of(row) ?? '')])
  }

  async function* lossless(): AsyncGenerator<string> {
    const { layout, operator, consoleVersion } = draft
    yield `${JSON.stringify({ batch, layout, operator, consoleVersion }, withSentences)}\n`
    for await (const rows of chunks()) yield rows.map((row) => `${JSON.stringify(row, withSentences)}\n`).join('')
  }

  const rows = (): number => count
  if (file === 'lossless') return { pieces: lossless(), rows }
  if (format === 'csv') return { pieces: csv(), rows }
  const headings = [...columns, ...freeColumns(ownColumns.map(workbookHeading), columns)]
  return { ...writeWorkbook([{ name: 'Results', headings, rows: cells() }]), rows }
}

type TemplateFields = readonly { readonly name: string; readonly example: string }[]

/** A template file: an operation's headings and one example row. */
export function templateText(fields: TemplateFields): string {
  return `\ufeff${csvText([fields.map(({ name }) => name), fields.map(({ example }) => example)])}`
}

/** The same as a workbook, whose cells keep the zeros of an ID. */
export function templateWorkbook(fields: TemplateFields): AsyncIterable<Uint8Array> {
  async function* rows(): AsyncGenerator<string[][]> {
    yield [fields.map(({ example }) => example)]
  }
  return writeWorkbook([{ name: 'Rows', headings: fields.map(({ name }) => name), rows: rows() }]).pieces
}
