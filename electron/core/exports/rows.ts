/**
 * Rows of an export in each format. CSV and workbooks are for spreadsheets: flat; cells of CSV are escaped where a
 * spreadsheet would execute them. JSON lines are lossless: a first line that describes the content, one object per line,
 * and a last line with their number, so that a truncated file is detected.
 */
import { withSentences } from '#contract/failures/sentences.ts'
import type { ExportFormat } from '#contract/data-management/data-management.ts'
import { escapedColumn, markedCsvText } from '#core/csv/escaped.ts'
import { cellText, workbookHeading, type Column } from '#core/csv/columns.ts'
import { csvText } from '#core/csv/formula.ts'
import { writeWorkbook, type WorkbookValue } from '#kit/workbook/write.ts'

export interface ExportText {
  /** The head of the chain when the export began; later events are not included. */
  readonly head: { readonly seq: number; readonly hash: string }
  readonly total?: number
  /** Throws `StoreError`. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Rows written so far. */
  rows(): number
  /** Cells that a workbook cannot hold whole, and that were cut. */
  cut?(): number
}

export interface ExportAbout {
  readonly madeAt: string
  readonly consoleVersion: string
}

/** Rows read at a time. */
export const atOnce = 200
/** What the first line of a lossless export says. */
type Start = ExportAbout & { readonly format: string; readonly version: number; readonly [more: string]: unknown }

/** Rows in any format. The head of the chain is at the beginning, at the end if a heading must be first, or on a sheet. */
export function textOf<Row>(
  head: ExportText['head'],
  total: number | undefined,
  format: ExportFormat,
  start: Start,
  columns: readonly Column<Row>[],
  chunks: AsyncIterable<readonly Row[]>
): ExportText {
  let count = 0
  async function* counted(): AsyncGenerator<readonly Row[]> {
    for await (const rows of chunks) {
      count += rows.length
      if (rows.length > 0) yield rows
    }
  }
  async function* lines(): AsyncGenerator<string> {
    // Without a byte order mark, Excel reads UTF-8 in the system's encoding.
    yield format === 'csv'
      ? `\ufeff${csvText([[...columns.map(([name]) => name), escapedColumn]])}`
      : `${JSON.stringify({ ...start, head })}\n`
    for await (const rows of counted())
      yield format === 'csv'
        ? markedCsvText(rows.map((row) => ({ cells: columns.map(([, of]) => cellText(of(row))) })))
        : rows.map((row) => `${JSON.stringify(row, withSentences)}\n`).join('')
    const last = [`# rows ${count}`, `# chain event ${head.seq}`, `# chain head ${head.hash}`]
    yield format === 'csv'
      ? markedCsvText([{ cells: columns.map((_, index) => last[index] ?? '') }])
      : `${JSON.stringify({ end: true, rows: count })}\n`
  }
  const common = { head, ...(total !== undefined && { total }), rows: () => count }
  if (format !== 'xlsx') return { ...common, pieces: lines() }

  async function* cells(): AsyncGenerator<WorkbookValue[][]> {
    for await (const rows of counted()) yield rows.map((row) => columns.map(([, of]) => of(row) ?? ''))
  }
  // What the rows are, and of which state of the audit trail: written after them, since only then their number is known.
  async function* facts(): AsyncGenerator<WorkbookValue[][]> {
    yield [
      ['content', start.format],
      ['made at (UTC)', new Date(start.madeAt)],
      ['made by Veridesk', start.consoleVersion],
      ['rows', count],
      ['audit trail, event', head.seq],
      ['audit trail, head', head.hash]
    ]
  }
  const { pieces, cut } = writeWorkbook([
    { name: 'Rows', headings: columns.map(workbookHeading), rows: cells() },
    { name: 'About', headings: ['fact', 'value'], rows: facts() }
  ])
  return { ...common, pieces, cut }
}
