/**
 * How wide the columns of a table are. Each gets its least width; what is left goes to columns whose text is cut, IDs first,
 * and no column becomes wider than its longest text while another one is cut.
 */

/** Columns whose texts have any length. */
export type TextKind = 'id' | 'name' | 'message' | 'other'

export interface SizedColumn {
  /** In pixels, as all widths. */
  readonly least: number
  /** Widths of its texts in the loaded rows and of its heading; empty before any was drawn. */
  readonly texts: readonly number[]
  readonly text?: TextKind | undefined
  /** Set by the user. */
  readonly byHand?: number | undefined
}

/** Width of the longest text; the least width before any was drawn. */
export const naturalWidth = ({ least, texts }: SizedColumn): number => (texts.length > 0 ? Math.max(...texts) : least)

/** An ID of 24 characters: no column is wider than its text while one of these is cut. */
const wholeId = 180
/** Width at which no ID is cut; longer ones, and the addresses that some columns have as well, are cut in the middle. */
export const idWidth = ({ least, texts }: SizedColumn): number =>
  Math.max(least, ...texts.filter((width) => width <= wholeId))

/** After the IDs, columns get space in this order, and others by how many of their rows are cut. */
const kinds: readonly (TextKind | undefined)[] = ['name', 'message', 'id']
const rank = ({ text }: SizedColumn): number => (kinds.includes(text) ? kinds.indexOf(text) : kinds.length)

/** @param available The space of all columns together, without gaps. */
export function columnWidths(columns: readonly SizedColumn[], available: number): readonly number[] {
  const widths = columns.map((column) => column.byHand ?? Math.min(column.least, naturalWidth(column)))
  let left = available - widths.reduce((sum, width) => sum + width, 0)
  const widen = (place: number, wanted: number): void => {
    const more = Math.min(Math.max(0, wanted - (widths[place] ?? 0)), Math.max(0, left))
    widths[place] = (widths[place] ?? 0) + more
    left -= more
  }
  const cutRows = columns.map(({ texts }, place) => texts.filter((width) => width > (widths[place] ?? 0)).length)
  const places = columns
    .map((_, place) => place)
    .filter((place) => columns[place]?.byHand === undefined)
    .sort(
      (a, b) =>
        rank(columns[a] as SizedColumn) - rank(columns[b] as SizedColumn) || (cutRows[b] ?? 0) - (cutRows[a] ?? 0)
    )
  const ids = places.filter((place) => columns[place]?.text === 'id')
  for (const place of ids) {
    const id = columns[place] as SizedColumn
    widen(place, Math.min(idWidth(id), naturalWidth(id)))
  }
  for (const place of places) widen(place, naturalWidth(columns[place] as SizedColumn))
  // Nothing is cut: texts that come into view later find the space that the table intends for them.
  for (const place of places) widen(place, (columns[place] as SizedColumn).least)
  const widest = places
    .filter((place) => columns[place]?.text !== undefined)
    .reduce<number | undefined>(
      (found, place) => (found !== undefined && (widths[found] ?? 0) >= (widths[place] ?? 0) ? found : place),
      undefined
    )
  if (widest !== undefined) widen(widest, Infinity)
  return widths
}

/**
 * The widths that the drawn cells and headings of each column need, by its name. For one layout they are as wide as their
 * content; nothing of it is seen.
 *
 * @param grid The table's element.
 */
export function neededWidths(grid: HTMLElement): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  grid.classList.add('measuring')
  for (const cell of grid.querySelectorAll<HTMLElement>('[data-column]')) {
    const name = cell.dataset['column'] ?? ''
    const list = found.get(name)
    const width = Math.ceil(cell.getBoundingClientRect().width)
    if (list) list.push(width)
    else found.set(name, [width])
  }
  grid.classList.remove('measuring')
  return found
}
