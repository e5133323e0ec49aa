/** The columns of a batch's file in the row table: those that are sent first, then the others, in the file's order. */
import type { BatchColumns } from '#contract/batches.ts'
import { operationOf, type FieldDeclaration, type OperationId } from '#contract/operations.ts'
import { count } from './text.ts'

export interface ShownColumn {
  /** Index in the row's cells, from 0. */
  readonly at: number
  readonly heading: string
  /** The field that the column is sent as; absent if the column is not sent. */
  readonly as?: string
}
export interface ShownColumns {
  readonly sent: readonly ShownColumn[]
  readonly kept: readonly ShownColumn[]
}

/** Field names and applicant links by column; -1 means none. */
function meanings({ mapping, applicantColumn }: Omit<BatchColumns, 'columns'>, operation: OperationId): Map<number, string> {
  const fields: readonly FieldDeclaration[] = operationOf(operation).fields
  const found = new Map<number, string>([[applicantColumn, 'applicant, in Veridesk only']])
  for (const { name, label } of fields) found.set(mapping[name] ?? -1, `sent as ${label}`)
  found.delete(-1)
  return found
}

export function shownColumns(layout: BatchColumns, operation: OperationId): ShownColumns {
  const means = meanings(layout, operation)
  const all = layout.columns.map((heading, at): ShownColumn => {
    const as = means.get(at)
    return { at, heading, ...(as !== undefined && { as }) }
  })
  return { sent: all.filter(({ as }) => as !== undefined), kept: all.filter(({ as }) => as === undefined) }
}

/** In pixels. Every cell's column is at least this wide; extra space is shared. */
const cellWidth = 130
const messageWidth = 168
const gap = 12
/** The fixed left part: padding, checkbox, row number, outcome. */
const boxWidth = 14
const outcomeWidth = 136
const heldPadding = 40
const numberWidth = (rows: number): number => Math.max(28, 5 + 7.5 * count(rows).length)
export const heldTemplate = (rows: number): string => `${boxWidth}px ${numberWidth(rows)}px ${outcomeWidth}px`
const heldWidth = (rows: number): number => heldPadding + boxWidth + numberWidth(rows) + outcomeWidth
const statusWidth = 32
const attemptsWidth = 56
const recordWidth = 80

const tracks = (count: number): string => (count === 0 ? '' : `repeat(${count}, minmax(${cellWidth}px, 1fr))`)
/**
 * `grid-template-columns`: fixed left, status, the first column that is sent, message, the others that are sent, other
 * columns, attempts, fixed right. A narrow window thus shows what a row is about and its message.
 */
export const template = ({ sent, kept }: ShownColumns, rows: number): string =>
  [
    `${heldWidth(rows)}px ${statusWidth}px`, tracks(Math.min(1, sent.length)), `minmax(${messageWidth}px, 1.3fr)`,
    tracks(Math.max(0, sent.length - 1)), tracks(kept.length), `${attemptsWidth}px ${recordWidth}px`
  ].join(' ')
/** What follows the status, in order: the columns that are sent, and undefined for the message. */
export const withMessage = ({ sent }: Pick<ShownColumns, 'sent'>): readonly (ShownColumn | undefined)[] => [...sent.slice(0, 1), undefined, ...sent.slice(1)]

const keptFrom = (sent: number, rows: number): number => heldWidth(rows) + gap + statusWidth + gap + sent * (cellWidth + gap) + messageWidth + gap
/** Width in pixels below which the table scrolls sideways. */
export const leastWidth = ({ sent, kept }: ShownColumns, rows: number): number =>
  keptFrom(sent.length, rows) + kept.length * (cellWidth + gap) + attemptsWidth + gap + recordWidth

/** Pixels to the right of the first visible column within which columns are drawn: wider than any screen. */
const span = 4000
/**
 * The unsent columns to draw at scroll position `left` in pixels. A file has up to a thousand columns, and each row
 * would contain all of them. If nothing scrolls sideways, all are within the span.
 */
export function keptInSight({ sent, kept }: ShownColumns, rows: number, left: number): readonly { readonly column: ShownColumn; readonly track: number }[] {
  const first = Math.max(0, Math.floor((left - keptFrom(sent.length, rows)) / (cellWidth + gap)))
  const last = Math.ceil((left + span - keptFrom(sent.length, rows)) / (cellWidth + gap))
  return kept.slice(first, Math.max(first, last)).map((column, step) => ({ column, track: keptTrack(sent.length, first + step) }))
}
/** Grid track of an unsent column, from 1. */
const keptTrack = (sent: number, index: number): number => 4 + sent + index

/** A cell in a table. For a link, host and end of the path identify the row; scheme and query are omitted. */
export const cellInShort = (cell: string): string => (/^https?:\/\//i.test(cell) ? cell.replace(/^https?:\/\//i, '').replace(/[?#].*$/s, '') : cell)
