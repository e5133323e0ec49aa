/** Rows of a table as text for the clipboard: cells between tabs, which spreadsheets and documents take as a table. */
import { oneLine } from '#contract/hidden-text.ts'
import { spreadsheetSafe } from '#contract/spreadsheet-safe.ts'

/** No cell contains a tab or a line break, and none begins like a formula. */
export const tabSeparated = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => cells.map((cell) => spreadsheetSafe(oneLine(cell).replaceAll('\t', ' '), '\t')).join('\t')).join('\r\n')
