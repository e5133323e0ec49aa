/** CSV whose cells no spreadsheet executes, whichever separator it uses. */
import { stringify } from 'csv-stringify/sync'
import { spreadsheetSafe } from '#contract/text/spreadsheet-safe.ts'
import { batchDelimiters, type BatchDelimiter } from '#contract/batches/batches.ts'

/** Quoted although this file's separator does not require it: single line breaks, and other possible separators. */
const quoted = new RegExp(`[\\r\\n${batchDelimiters.join('')}]`)

/** Rows as CSV text (RFC 4180, CRLF line ends), each cell safe for spreadsheets. All CSV files are written with it. */
export function csvText(rows: readonly (readonly string[])[], delimiter: BatchDelimiter = ','): string {
  const safe = rows.map((cells) => cells.map((cell) => spreadsheetSafe(cell, delimiter)))
  return stringify(safe, { delimiter, record_delimiter: '\r\n', quoted_match: quoted })
}
