/**
 * Writes the invalid rows of a checked file to a file for correction: the original columns and the errors of each
 * row.
 */
import { failure } from '#contract/failures/failures.ts'
import type { Checked } from './held-checks.ts'
import { escapedColumn, markedCsvText, type RowToWrite } from '#core/csv/escaped.ts'
import { csvText } from '#core/csv/formula.ts'
import { openRows, type ValidatedRow } from './reading/check.ts'
import { rowFaultsText } from '#contract/failures/sentences.ts'
import { RowsError } from './reading/lines.ts'
import { freeColumns, ResultsError, type ResultsText } from './results.ts'

const chunkRows = 250
const ownColumns = ['line', 'faults', escapedColumn] as const

/** The suggested file name. */
export const foundName = (fileName: string): string => `${fileName.replace(/\.[a-z0-9]{1,5}$/i, '')} link findings.csv`
export const invalidName = (fileName: string): string => `${fileName.replace(/\.[a-z0-9]{1,5}$/i, '')} invalid rows.csv`

/**
 * The text, streamed from the checked file. `faultsOf`: the errors of a row, those of its validation by default. Cells beyond the headings follow the error columns, so nothing is lost.
 * Throws `ResultsError` with the failures of reading and with `batch-file-changed`.
 */
export function invalidText(
  { source, check }: Checked,
  faultsOf: (row: ValidatedRow) => ValidatedRow['faults'] = ({ faults }) => faults
): ResultsText {
  let count = 0
  const { columns, reading } = check

  async function* pieces(): AsyncGenerator<string> {
    const opened = await openRows(source, reading)
    if (!opened.ok) throw new ResultsError(opened.failure)
    // Without a byte order mark, Excel reads UTF-8 in the system's encoding.
    yield `\ufeff${csvText([[...columns, ...freeColumns(ownColumns, columns)]], reading.delimiter)}`
    let rows: RowToWrite[] = []
    for await (const each of opened.value.rows()) {
      const { row, cells } = each
      const faults = faultsOf(each)
      if (faults.length === 0) continue
      const own = columns.map((_, index) => cells[index] ?? '')
      rows.push({ cells: [...own, String(row), rowFaultsText(faults)], beyond: cells.slice(columns.length) })
      count += 1
      if (rows.length < chunkRows) continue
      yield markedCsvText(rows, reading.delimiter)
      rows = []
    }
    if (rows.length > 0) yield markedCsvText(rows, reading.delimiter)
    const { digest, unchanged } = opened.value.reading
    if (digest().sha256 !== check.sha256 || !(await unchanged()))
      throw new ResultsError(failure('batch-file-changed', { file: source.name }))
  }
  async function* withFailures(): AsyncGenerator<string> {
    try {
      yield* pieces()
    } catch (error) {
      throw error instanceof RowsError ? new ResultsError(error.failure) : error
    }
  }
  return { pieces: withFailures(), rows: () => count }
}
