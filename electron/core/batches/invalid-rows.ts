/**
 * Writes the invalid rows of a checked file to a file for correction: the original columns and the errors of each
 * row.
 */
import type { BatchCheck, TableFormat } from '#contract/batches/batches.ts'
import { failure } from '#contract/failures/failures.ts'
import type { Checked } from './held-checks.ts'
import { escapedColumn, markedCsvText, type RowToWrite } from '#core/csv/escaped.ts'
import { csvText } from '#core/csv/formula.ts'
import { writeWorkbook } from '#kit/workbook/write.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { rowFaultsText } from '#contract/failures/sentences.ts'
import { RowsError } from './reading/lines.ts'
import { freeColumns, ResultsError, type ResultsText } from './results.ts'

const chunkRows = 250
const ownColumns = ['line', 'faults'] as const

/** The suggested file name: without a choice, rows of a workbook are saved as one. */
export const rowsName = (
  { fileName, workbook }: BatchCheck,
  what: 'link findings' | 'invalid rows',
  format: TableFormat = workbook ? 'xlsx' : 'csv'
): string => `${fileName.replace(/\.[a-z0-9]{1,5}$/i, '')} ${what}.${format}`

/**
 * The text, streamed from the checked file. `faultsOf`: the errors of a row, those of its validation by default.
 * Cells beyond the headings follow the error columns, so nothing is lost.
 * Throws `ResultsError` with the failures of reading and with `batch-file-changed`.
 */
export function invalidText(
  { source, check }: Pick<Checked, 'source' | 'check'>,
  format: TableFormat,
  faultsOf: (row: ValidatedRow) => ValidatedRow['faults'] = ({ faults }) => faults
): ResultsText {
  let count = 0
  const { columns, reading } = check

  async function* chunks(): AsyncGenerator<RowToWrite[]> {
    const opened = await openRows(source, reading)
    if (!opened.ok) throw new ResultsError(opened.failure)
    let rows: RowToWrite[] = []
    for await (const each of opened.value.rows()) {
      const { row, cells } = each
      const faults = faultsOf(each)
      if (faults.length === 0) continue
      const own = columns.map((_, index) => cells[index] ?? '')
      rows.push({ cells: [...own, String(row), rowFaultsText(faults)], beyond: cells.slice(columns.length) })
      count += 1
      if (rows.length < chunkRows) continue
      yield rows
      rows = []
    }
    yield rows
    const { digest, unchanged } = opened.value.reading
    if (digest().sha256 !== check.sha256 || !(await unchanged()))
      throw new ResultsError(failure('batch-file-changed', { file: source.name }))
  }
  async function* csv(): AsyncGenerator<string> {
    // Without a byte order mark, Excel reads UTF-8 in the system's encoding.
    yield `\ufeff${csvText([[...columns, ...freeColumns([...ownColumns, escapedColumn], columns)]], reading.delimiter)}`
    for await (const rows of chunks()) if (rows.length > 0) yield markedCsvText(rows, reading.delimiter)
  }
  async function* cells(): AsyncGenerator<string[][]> {
    for await (const rows of chunks()) yield rows.map(({ cells: own, beyond = [] }) => [...own, ...beyond])
  }
  const headings = [...columns, ...freeColumns(ownColumns, columns)]
  const book = format === 'xlsx' ? writeWorkbook([{ name: 'Rows', headings, rows: cells() }]) : undefined
  async function* withFailures(): AsyncGenerator<string | Uint8Array> {
    try {
      yield* book?.pieces ?? csv()
    } catch (error) {
      throw error instanceof RowsError ? new ResultsError(error.failure) : error
    }
  }
  return { pieces: withFailures(), rows: () => count, ...(book && { cut: book.cut }) }
}
