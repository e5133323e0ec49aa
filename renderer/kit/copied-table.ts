/** Rows of a table as text for the clipboard: cells between tabs, which spreadsheets and documents take as a table. */
import { oneLine } from '#contract/text/hidden-text.ts'
import { spreadsheetSafe } from '#contract/text/spreadsheet-safe.ts'
import type { TableColumn } from './table-columns.ts'

/** What an item says in each column, by the column's name. */
export type CellTexts<Item> = Readonly<Record<string, (item: Item) => string>>

/** No cell contains a tab or a line break, and none begins like a formula. */
export const tabSeparated = (rows: readonly (readonly string[])[]): string =>
  rows
    .map((cells) => cells.map((cell) => spreadsheetSafe(oneLine(cell).replaceAll('\t', ' '), '\t')).join('\t'))
    .join('\r\n')

/** The items with the headings of their columns. */
export const copiedTable = <Item>(
  columns: readonly TableColumn[],
  texts: CellTexts<Item>,
  items: readonly Item[]
): string =>
  tabSeparated([
    columns.map(({ label }) => label),
    ...items.map((item) => columns.map(({ name }) => texts[name]?.(item) ?? ''))
  ])
