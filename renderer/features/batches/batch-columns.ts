/** The columns of the row table of a batch: facts of a row and its file's columns, those that are sent first. */
import type { BatchCheck, BatchColumns } from '#contract/batches/batches.ts'
import { oneLine } from '#contract/text/hidden-text.ts'
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { fieldsOfRows } from '#contract/verification/recipes.ts'
import type { ColumnSight, TableColumn } from '../../kit/table-columns.ts'
import { count } from '../../kit/text.ts'
import { words } from './words.ts'

interface ShownColumn {
  /** Index in the row's cells, from 0. */
  readonly at: number
  readonly heading: string
  /** The field that the column is sent as, in words; absent if the column is not sent. */
  readonly as?: string
  /** The field's label. */
  readonly field?: string
}
interface ShownColumns {
  readonly sent: readonly ShownColumn[]
  readonly kept: readonly ShownColumn[]
}

/** Field names and applicant links by column; -1 means none. */
function meanings(
  { mapping, applicantColumn }: Omit<BatchColumns, 'columns'>,
  operations: readonly OperationId[]
): Map<number, { readonly as: string; readonly field: string }> {
  const found = new Map([[applicantColumn, { as: words.applicantInVerideskOnly, field: words.applicant }]])
  for (const { name, label } of fieldsOfRows(operations))
    found.set(mapping[name] ?? -1, { as: words.sentAs({ label }), field: label })
  found.delete(-1)
  return found
}

export function shownColumns(layout: BatchColumns, operations: readonly OperationId[]): ShownColumns {
  const means = meanings(layout, operations)
  const all = layout.columns.map((heading, at): ShownColumn => {
    return { at, heading, ...means.get(at) }
  })
  return { sent: all.filter(({ as }) => as !== undefined), kept: all.filter(({ as }) => as === undefined) }
}

/** A column between the fixed ones. `at` is its index in the row's cells, from 0; absent for a fact of the row. */
export interface RowColumn extends TableColumn {
  readonly at?: number
  /** Of what came of an operation. */
  readonly operation?: OperationId
}

/** In pixels. The least width of a cell's column. */
const cellWidth = 112
const state: RowColumn = { name: 'state', label: words.state, width: 128, sort: 'ascending' }
const facts: readonly RowColumn[] = [
  { name: 'message', label: words.message, width: 200, text: 'message', sort: 'ascending' },
  { name: 'interpretation', label: words.interpretation, width: 116, sort: 'ascending' },
  { name: 'status', label: 'HTTP', width: 42, sort: 'ascending' },
  { name: 'decision', label: words.decision, width: 138, sort: 'ascending' }
]
/** What is said of a row whose operations have columns of their own. */
const ofRow: readonly string[] = ['interpretation', 'decision']
const tries: RowColumn = { name: 'tries', label: words.attempts, width: 64, right: true, sort: 'descending' }

/** What came of one operation, in place of what came of the row. */
const ofOperation = (operation: OperationId): RowColumn => ({
  name: operation,
  label: operationOf(operation).shortTitle,
  width: 180,
  text: 'message',
  sort: 'ascending',
  operation
})

/** Whose row it is, and what came of it; then the file's other columns, those that are sent first, and the attempts. */
export function rowColumns(layout: BatchColumns, operations: readonly OperationId[]): readonly RowColumn[] {
  const { sent, kept } = shownColumns(layout, operations)
  const applicantAt = layout.mapping['applicant_id'] ?? layout.applicantColumn
  const ofFile = ({ at, heading, as }: ShownColumn): RowColumn => {
    const label = oneLine(heading)
    return {
      name: at === applicantAt ? 'applicant' : `c${at}`,
      label,
      width: cellWidth,
      text: at === applicantAt ? 'id' : 'other',
      at,
      sort: 'ascending',
      hint: `${label}: ${as ?? words.notSent}`,
      ...(as !== undefined && { note: as })
    }
  }
  const columns = [...sent, ...kept].map(ofFile)
  const applicant = columns.filter(({ at }) => at === applicantAt)
  const told =
    operations.length > 1
      ? [...operations.map(ofOperation), ...facts.filter(({ name }) => ofRow.includes(name))]
      : facts
  return [...applicant, state, ...told, ...columns.filter(({ at }) => at !== applicantAt), tries]
}

const gap = 12
/** The fixed left part: padding, checkbox, line. */
const boxWidth = 14
const heldPadding = 32
const numberWidth = (rows: number): number => Math.max(44, 5 + 7.5 * count(rows).length)
export const heldTemplate = (rows: number): string => `${boxWidth}px ${numberWidth(rows)}px`
const recordWidth = 72
/** Widths of what stays in place while the rest scrolls sideways, with the gap beside it. */
export const fixedWidths = (rows: number): { readonly left: number; readonly right: number } => ({
  left: heldPadding + boxWidth + numberWidth(rows) + gap,
  right: recordWidth + gap
})
/** `grid-template-columns`: fixed left, the columns, fixed right. */
export const rowTemplate = (tracks: string, rows: number): string =>
  `${fixedWidths(rows).left - gap}px ${tracks} ${recordWidth}px`
/** Where a column begins, in pixels from the first of them. */
export const columnStart = (widths: readonly number[], place: number): number =>
  widths.slice(0, place).reduce((sum, width) => sum + width + gap, 0)
/** Width in pixels below which the table scrolls sideways. */
export const leastWidth = (widths: readonly number[], rows: number): number =>
  fixedWidths(rows).left + columnStart(widths, widths.length) + recordWidth

/** Pixels to the right of the first visible column within which columns are drawn: wider than any screen. */
const span = 4000
/**
 * The columns to draw at scroll position `left` in pixels, and one more on either side for the arrow keys. A file has up
 * to a thousand columns, and each row would contain all of them. If nothing scrolls sideways, all are within the span.
 */
export function inSight<Column>(
  columns: readonly Column[],
  widths: readonly number[],
  left: number,
  between = gap
): readonly { readonly column: Column; readonly place: number }[] {
  let first = 0
  let start = 0
  while (first < columns.length && start + (widths[first] ?? 0) < left) {
    start += (widths[first] ?? 0) + between
    first += 1
  }
  let last = first
  while (last < columns.length && start <= left + span) {
    start += (widths[last] ?? 0) + between
    last += 1
  }
  const from = Math.max(0, first - 1)
  return columns.slice(from, last + 1).map((column, step) => ({ column, place: from + step }))
}
export type RowSight = ColumnSight<RowColumn>

export const isLink = (cell: string): boolean => /^https?:\/\//i.test(cell)
/** A cell in a table. For a link, host and end of the path identify the row; scheme and query are omitted. */
export const cellInShort = (cell: string): string =>
  isLink(cell) ? cell.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '') : cell
/** A cell as an example of its column: of a link the host and the end of the path, cut between. */
export function cellAsExample(cell: string): string {
  const [host = '', ...path] = cellInShort(cell).split('/')
  return isLink(cell) && path.length > 1 ? `${host}/…/${path.at(-1)}` : oneLine(cellInShort(cell))
}

const keptWidth = 116
/** In pixels: what a sentence about a cell and its repair take. */
const faultWidth = 430
/**
 * Sizes in pixels of the lines of a file that is checked. The space that is left is for the sentences about faulty cells first, and
 * then for what is sent. Nothing moves after the last correction.
 */
export function lineSizes(
  columns: readonly ShownColumn[],
  wide: number,
  { invalid, reading }: { readonly invalid: number; readonly reading: Pick<BatchCheck['reading'], 'corrections'> }
) {
  const [left, rightLeast, sentLeast] = wide < 900 ? [64, 232, 150] : [64, 270, 200]
  const sent = columns.filter(({ as }) => as !== undefined).length
  const others = left + sent * sentLeast + (columns.length - sent) * keptWidth
  const isFaulty = invalid + reading.corrections.length > 0
  const right = isFaulty ? Math.max(rightLeast, Math.min(faultWidth, wide - others)) : rightLeast
  const least = others + right
  const sentWidth = sentLeast + Math.max(0, wide - least) / Math.max(1, sent)
  const widths = columns.map(({ as }) => (as === undefined ? keptWidth : sentWidth))
  const template = [left, ...widths, right].map((each) => `${each}px`).join(' ')
  return { left, right, widths, template, least }
}
