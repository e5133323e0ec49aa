/**
 * A column that identifies CSV files written by Veridesk. For each row it names the separator for which apostrophes
 * were added before possible formulas, or is empty if none were added. So a row can be restored even if a spreadsheet
 * has sorted rows, moved columns or saved the file with another separator. See docs/decisions/0008.
 */
import { spreadsheetSafe, withoutApostrophes } from '#contract/text/spreadsheet-safe.ts'
import type { BatchDelimiter, BatchReading } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { csvText } from './formula.ts'
import { foldHeading } from './headings.ts'

/** The heading of this column. */
export const escapedColumn = 'veridesk_escaped'

const words: Readonly<Record<BatchDelimiter, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' }
const delimiterOf = new Map(Object.entries(words).map(([delimiter, word]) => [word, delimiter as BatchDelimiter]))

/** Rows of a file whose headings end with `escapedColumn`. Cells in `beyond` have no heading and follow it. */
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

/** A row with its original cells, if Veridesk wrote it. */
export interface RestoredRow {
  readonly cells: readonly string[]
  /** Whether apostrophes were removed that the row's mark names as added. */
  readonly restored: boolean
  /** Whether the row has a mark. */
  readonly marked: boolean
}
export interface Restoring {
  readonly headings: readonly string[]
  /** The number that a column has without the column of marks. */
  column(given: number): number
  /** Removes the cell of the mark; other cells stay unchanged. */
  cells(cells: readonly string[]): readonly string[]
  row(cells: readonly string[]): RestoredRow
}

/**
 * Determines how rows under these headings are restored: removes the column of marks, and the apostrophes that a mark
 * names; from rows without a mark only if the user chose so. Fails with `batch-heading-twice`.
 */
export function restoringOf(
  headings: readonly string[],
  delimiter: BatchDelimiter,
  choice: BatchReading['apostrophes']
): Result<Restoring, Failure> {
  const isMark = (heading: string): boolean => foldHeading(heading) === foldHeading(escapedColumn)
  const at = headings.findIndex(isMark)
  const second = headings.findLastIndex(isMark)
  if (second !== at) return failed('batch-heading-twice', { heading: escapedColumn, first: at + 1, second: second + 1 })
  const unmarked = (cells: readonly string[]): readonly string[] => (at < 0 ? cells : cells.toSpliced(at, 1))
  const removeAll = choice === 'remove'
  const plain = (cells: readonly string[], own: BatchDelimiter): readonly string[] =>
    cells.map((cell) => withoutApostrophes(cell, own))
  return ok({
    headings: at >= 0 || removeAll ? plain(unmarked(headings), delimiter) : headings,
    column: (given) => (at >= 0 && given > at ? given - 1 : given),
    cells: unmarked,
    row(given) {
      const own = delimiterOf.get((given[at] ?? '').trim().toLowerCase())
      const cells = unmarked(given)
      if (own === undefined && !removeAll) return { cells, restored: false, marked: false }
      const found = plain(cells, own ?? delimiter)
      return {
        cells: found,
        marked: own !== undefined,
        restored: own !== undefined && found.some((cell, index) => cell !== cells[index])
      }
    }
  })
}
