/** The columns of a table: which fit the width, how wide they are, in which order, and the layout of headings and rows. */
import { columnWidths, idWidth, type SizedColumn, type TextKind } from './column-widths.ts'
import { words } from './words.ts'
import type { Term } from '../features/help/terms.ts'
import { leastColumnWidth, maxColumnWidth } from '#contract/history/column-widths.ts'

/** Dates and times that columns show. */
export type DatedContent = 'time' | 'short-time' | 'brief' | 'due'

export interface TableColumn {
  readonly name: string
  readonly label: string
  /** In pixels; the least width of a column of texts. */
  readonly width: number
  /** The same in a narrow table; below `shapeBelow` pixels already, where a mark is shown without its word. */
  readonly narrow?: number
  readonly shapeBelow?: number
  /** Shown by itself only in tables of this width in pixels and wider; otherwise if the user chooses it. */
  readonly from?: number
  /** It shows a date or time, another one in a narrow table, and is at least as wide as the longest. `mono`: in the font of fixed width. */
  readonly dated?: { readonly content: DatedContent; readonly narrow?: DatedContent; readonly mono?: boolean }
  /** Its texts have any length: it gets of the width that is left. */
  readonly text?: TextKind
  /** In a narrow table its text has two lines, for which every row has the space. */
  readonly wraps?: true
  /** Columns that do not fit are left out, the highest number first; without a number, a column stays. */
  readonly gives?: number
  /** The direction in which it is sorted first; absent if it cannot be sorted. */
  readonly sort?: 'ascending' | 'descending'
  /** Aligned to the right, as numbers are. */
  readonly right?: boolean
  /** A word that the guide explains; of a column that is not sorted by. */
  readonly term?: Term
  /** Title of the heading. */
  readonly hint?: string
  /** What screen readers add to the heading; it is marked by its colour as well. */
  readonly note?: string
}

/** The columns of a table that scrolls sideways between fixed ones; only those in sight are drawn. */
export interface ColumnSight<Column extends TableColumn = TableColumn> {
  /** With their places among the shown columns, from 0. */
  readonly drawn: readonly { readonly column: Column; readonly place: number }[]
  /** Fixed columns on the left, as a screen reader counts them, and the grid tracks that they have. */
  readonly before: number
  readonly tracks: number
  /** Scrolls until a column is in sight, and draws it. */
  reveal(name: string): Promise<void>
}

/** What the user changed. */
export interface ColumnChoice {
  readonly order: readonly string[]
  readonly shown: Readonly<Record<string, boolean>>
  readonly widths: Readonly<Record<string, number>>
}

export interface Sort {
  readonly by: string
  readonly descending: boolean
}
/** The order of a table that nobody has sorted yet, and the table's name in it. */
export interface UsualOrder extends Sort {
  readonly words: string
}

/** Width in pixels below which a table is narrow. */
export const narrowTable = 860
/** Width of the column of check boxes. */
export const checkWidth = 24

/**
 * Rows of two lines, for tables that are too narrow for columns: the names of the columns in each line. The last of the first line
 * is at its end.
 */
export type Lines = readonly [readonly string[], readonly string[]]
const spaceOf = (width: number): { readonly gap: number; readonly padding: number } =>
  width < narrowTable ? { gap: 8, padding: 20 } : { gap: 12, padding: 32 }

/** Rounded and within limits. */
export const withinWidth = (width: number): number =>
  Math.round(Math.min(Math.max(width, leastColumnWidth), maxColumnWidth))

/** Widths that the drawn texts of each column need, by its name. */
export type NeededWidths = ReadonlyMap<string, readonly number[]>

const sized = (
  { name, width, narrow = width, shapeBelow = narrowTable, text, dated }: TableColumn,
  { widths }: ColumnChoice,
  available: number,
  needed: NeededWidths
): SizedColumn => {
  const least = available < shapeBelow ? narrow : width
  const texts = needed.get(name) ?? []
  // The longest date may not be in view yet.
  return { least, texts: dated && texts.length > 0 ? [...texts, least] : texts, text, byHand: widths[name] }
}

/** All columns in the user's order; new ones are where the table has them. */
export function inOrder<Column extends TableColumn>(
  columns: readonly Column[],
  order: readonly string[]
): readonly Column[] {
  const known = order.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const list = [...known]
  columns.forEach((column, place) => {
    if (!known.includes(column)) list.splice(Math.min(place, list.length), 0, column)
  })
  return list
}

/** All that is no column: the padding, the gaps, the check boxes. */
const spaceBeside = (count: number, available: number, checks: boolean): number => {
  const { gap, padding } = spaceOf(available)
  return padding + gap * Math.max(0, count + (checks ? 1 : 0) - 1) + (checks ? checkWidth : 0)
}
const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0)

/** The columns of each line of a row; undefined where there is space for columns beside each other. */
export const columnsOfLines = (
  columns: readonly TableColumn[],
  lines: Lines | undefined,
  { shown }: ColumnChoice,
  available: number
): readonly (readonly TableColumn[])[] | undefined =>
  !lines || available >= narrowTable
    ? undefined
    : lines.map((line) =>
        line.flatMap((name) => columns.find((column) => column.name === name && shown[name] !== false) ?? [])
      )

/** Whether rows have the space of two lines: of their own, or of a text that wraps. */
export const isTall = (lines: unknown, shown: readonly TableColumn[], available: number): boolean =>
  lines !== undefined || (available < narrowTable && shown.some(({ wraps }) => wraps === true))

/** Columns are left out before an ID is cut. */
const wanted = (column: SizedColumn): number => column.byHand ?? (column.text === 'id' ? idWidth(column) : column.least)

/**
 * The columns that are shown: all but the hidden ones, as far as they fit. A column that the user shows stays.
 *
 * @param columns In the user's order.
 * @param checks Whether there is a column of check boxes.
 */
export function fitting<Column extends TableColumn>(
  columns: readonly Column[],
  choice: ColumnChoice,
  available: number,
  checks: boolean,
  needed: NeededWidths = new Map()
): readonly Column[] {
  let shown = columns.filter(({ name, from = 0 }) => choice.shown[name] ?? available >= from)
  const space = (list: readonly Column[]): number =>
    sum(list.map((column) => wanted(sized(column, choice, available, needed)))) +
    spaceBeside(list.length, available, checks)
  while (space(shown) > available) {
    const weakest = shown
      .filter(({ name, gives }) => gives !== undefined && choice.shown[name] === undefined)
      .reduce<Column | undefined>(
        (found, column) => (found && (found.gives ?? 0) >= (column.gives ?? 0) ? found : column),
        undefined
      )
    if (!weakest) return shown
    shown = shown.filter((column) => column !== weakest)
  }
  return shown
}

/** Width in pixels below which the table scrolls sideways. */
export const leastTableWidth = (
  columns: readonly TableColumn[],
  choice: ColumnChoice,
  available: number,
  checks: boolean
): number =>
  sum(
    columns.map((column) => {
      const { byHand, least } = sized(column, choice, available, new Map())
      return byHand ?? least
    })
  ) + spaceBeside(columns.length, available, checks)

/** The widths of the shown columns, which fill the table, in pixels. */
export function widthsOf(
  columns: readonly TableColumn[],
  choice: ColumnChoice,
  available: number,
  checks: boolean,
  needed: NeededWidths
): readonly number[] {
  const space = Math.max(available, leastTableWidth(columns, choice, available, checks))
  return columnWidths(
    columns.map((column) => sized(column, choice, available, needed)),
    space - spaceBeside(columns.length, available, checks)
  )
}

/** The tracks of headings and rows, as in `grid-template-columns`. */
export const tracks = (widths: readonly number[], checks: boolean): string =>
  [...(checks ? [checkWidth] : []), ...widths].map((width) => `${width}px`).join(' ')

/** The order after a column was moved next to another shown one, or undefined at the edge. */
export function moved(
  all: readonly TableColumn[],
  shown: readonly TableColumn[],
  name: string,
  step: 1 | -1
): readonly string[] | undefined {
  const place = shown.findIndex((column) => column.name === name)
  const next = shown[place + step]
  return place < 0 || !next ? undefined : movedTo(all, name, next.name, step > 0)
}

/** The order after a column was dropped before or behind another. */
export function movedTo(all: readonly TableColumn[], name: string, beside: string, behind: boolean): readonly string[] {
  const names = all.map((column) => column.name).filter((other) => other !== name)
  names.splice(names.indexOf(beside) + (behind ? 1 : 0), 0, name)
  return names
}

/** The order for core, or undefined for the table's usual one, which is core's own. */
export const unlessUsual = <By extends string>(
  { by, descending }: Sort,
  usual: Sort
): { readonly by: By; readonly reversed?: true } | undefined =>
  by === usual.by && descending === usual.descending
    ? undefined
    : { by: by as By, ...(descending && { reversed: true }) }

/** A table's name in its order. */
export function nameInOrder(
  title: string,
  { by, descending }: Sort,
  columns: readonly TableColumn[],
  usual: UsualOrder
): string {
  if (by === usual.by && descending === usual.descending) return usual.words
  const column = columns.find(({ name }) => name === by)?.label ?? ''
  return descending ? words.titleByColumnDescending({ title, column }) : words.titleByColumnAscending({ title, column })
}

/** The sort after its heading was used: another column in its first direction, the same one the other way round. */
export function sortedBy({ name, sort }: TableColumn, now: Sort): Sort | undefined {
  if (sort === undefined) return undefined
  return { by: name, descending: now.by === name ? !now.descending : sort === 'descending' }
}
