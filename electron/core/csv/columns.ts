/** Columns of tables that are saved: as CSV all texts, in a workbook numbers and times as such. */
import type { WorkbookValue } from '#kit/workbook/write.ts'

/** A cell: a text, a number or a time of ours; nothing is an empty text. */
type Cell = WorkbookValue | undefined

/** A column: its heading, what it says of a row, and whether that is a time. */
export type Column<Row> = readonly [name: string, of: (row: Row) => Cell, kind?: 'time']

/** A column of times (Unix milliseconds). */
export const timed = <Row>(name: string, of: (row: Row) => number | undefined): Column<Row> => [
  name,
  (row) => {
    const at = of(row)
    return at === undefined ? undefined : new Date(at)
  },
  'time'
]

/** A cell in CSV. */
export const cellText = (cell: Cell): string => (cell instanceof Date ? cell.toISOString() : String(cell ?? ''))

/** A heading of a workbook says the zone of its times, which their cells cannot. */
export const workbookHeading = ([name, , kind]: Column<never>): string => (kind === 'time' ? `${name} (UTC)` : name)
