/**
 * Rows of an export in either format. CSV is for spreadsheets: flat, with cells escaped that a spreadsheet would
 * execute. JSON lines are lossless: a first line that describes the content, one object per line, and a last line with
 * their number, so that a truncated file is detected.
 */
import { withSentences } from '#contract/failures/sentences.ts'
import type { ExportFormat } from '#contract/data-management/data-management.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { escapedColumn, markedCsvText } from '#core/csv/escaped.ts'
import { csvText } from '#core/csv/formula.ts'

export interface ExportText {
  /** The head of the chain when the export began; later events are not included. */
  readonly head: { readonly seq: number; readonly hash: string }
  readonly total?: number
  /** Throws `StoreError`. */
  readonly pieces: AsyncIterable<string>
  /** Rows written so far. */
  rows(): number
}

export interface ExportAbout {
  readonly madeAt: string
  readonly consoleVersion: string
}

/** Thrown while rows are read, so that no file remains. */
export class StoreError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

/** Rows read at a time. */
export const atOnce = 200
export const time = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toISOString())
export const number = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** Rows in either format. The head of the chain is at the beginning or, if a heading must be first, at the end. */
export function textOf<Row>(
  head: ExportText['head'],
  total: number | undefined,
  format: ExportFormat,
  start: object,
  columns: readonly string[],
  flat: (row: Row) => string[],
  chunks: AsyncIterable<readonly Row[]>
): ExportText {
  let count = 0
  async function* lines(): AsyncGenerator<string> {
    // Without a byte order mark, Excel reads UTF-8 in the system's encoding.
    yield format === 'csv'
      ? `\ufeff${csvText([[...columns, escapedColumn]])}`
      : `${JSON.stringify({ ...start, head })}\n`
    for await (const rows of chunks) {
      count += rows.length
      if (rows.length > 0)
        yield format === 'csv'
          ? markedCsvText(rows.map((row) => ({ cells: flat(row) })))
          : rows.map((row) => `${JSON.stringify(row, withSentences)}\n`).join('')
    }
    const last = [`# rows ${count}`, `# chain event ${head.seq}`, `# chain head ${head.hash}`]
    yield format === 'csv'
      ? markedCsvText([{ cells: columns.map((_, index) => last[index] ?? '') }])
      : `${JSON.stringify({ end: true, rows: count })}\n`
  }
  return { head, ...(total !== undefined && { total }), pieces: lines(), rows: () => count }
}
