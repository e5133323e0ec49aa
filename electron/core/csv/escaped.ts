/**
 * Our CSV files are known again by a column of their own. It names, row by row, the separator for which apostrophes
 * were put before what looks like a formula, and is empty where none was: so a row is given back as it was, also where
 * a spreadsheet has sorted rows, moved columns or saved the file with another separator. See docs/decisions/0008.
 */
import type { BatchDelimiter, BatchReading } from '#contract/batches.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { csvText, spreadsheetSafe, withoutApostrophes } from './formula.ts'
import { foldHeading } from './headings.ts'

/** The heading of that column. */
export const escapedColumn = 'veridesk_escaped'

const words: Readonly<Record<BatchDelimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }
const delimiterOf = new Map(Object.entries(words).map(([delimiter, word]) => [word, delimiter as BatchDelimiter]))

/** Rows of a file whose headings end with `escapedColumn`. Cells in `beyond` have no heading and stand behind it. */
export interface RowToWrite {
  readonly cells: readonly string[]
  readonly beyond?: readonly string[]
}
/** The rows as CSV text, each with its mark. */
export function markedCsvText(rows: readonly RowToWrite[], delimiter: BatchDelimiter = ','): string {
  const marked = rows.map(({ cells, beyond = [] }) => {
    const escaped = [...cells, ...beyond].some((cell) => spreadsheetSafe(cell, delimiter) !== cell)
    return [...cells, escaped ? words[delimiter] : '', ...beyond]
  })
  return csvText(marked, delimiter)
}

/** A row as it was before it was written, if it was written here. */
export interface RestoredRow {
  readonly cells: readonly string[]
  /** Whether apostrophes were taken away that the row's mark tells of. */
  readonly restored: boolean
  /** Whether the row has such a mark. */
  readonly marked: boolean
}
export interface Restoring {
  readonly headings: readonly string[]
  /** Without the cell of the mark, and otherwise as they stand in the file. */
  cells(cells: readonly string[]): readonly string[]
  row(cells: readonly string[]): RestoredRow
}

/**
 * How the rows under these headings are given back: without the column of marks, and without the apostrophes that a
 * mark tells of; of rows without a mark only where a person chose so. Fails with `batch-heading-twice`.
 */
export function restoringOf(headings: readonly string[], delimiter: BatchDelimiter, choice: BatchReading['apostrophes']): Result<Restoring, Failure> {
  const isMark = (heading: string): boolean => foldHeading(heading) === foldHeading(escapedColumn)
  const at = headings.findIndex(isMark)
  const second = headings.findLastIndex(isMark)
  if (second !== at) return failed('batch-heading-twice', { heading: escapedColumn, first: at + 1, second: second + 1 })
  const unmarked = (cells: readonly string[]): readonly string[] => (at < 0 ? cells : cells.toSpliced(at, 1))
  const removeAll = choice === 'remove'
  const plain = (cells: readonly string[], own: BatchDelimiter): readonly string[] => cells.map((cell) => withoutApostrophes(cell, own))
  return ok({
    headings: at >= 0 || removeAll ? plain(unmarked(headings), delimiter) : headings,
    cells: unmarked,
    row(given) {
      const own = delimiterOf.get((given[at] ?? '').trim().toLowerCase())
      const cells = unmarked(given)
      if (own === undefined && !removeAll) return { cells, restored: false, marked: false }
      const found = plain(cells, own ?? delimiter)
      return { cells: found, marked: own !== undefined, restored: own !== undefined && found.some((cell, index) => cell !== cells[index]) }
    }
  })
}
