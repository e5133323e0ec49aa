/**
 * Reads CSV text in pieces: RFC 4180, and beyond it what people's spreadsheets and scripts write, read as they mean it.
 * Cells are never converted.
 */

/** A line of a table: the number of the line on which it begins, from 1, and its cells. */
export interface CsvLine {
  readonly line: number
  readonly cells: readonly string[]
  /** Columns whose quotes could be read in more than one way. */
  readonly doubtful?: readonly number[]
}

/** Why the text cannot be read further. `line`: where the row begins. */
export class CsvFault extends Error {
  readonly kind: 'quote-open' | 'too-large'
  readonly line: number
  constructor(kind: CsvFault['kind'], line: number) {
    super(kind)
    this.kind = kind
    this.line = line
  }
}

/** Maximum characters of one row: how much an open quote may consume before it is reported; far above any real row. */
export const maxRowLength = 8 * 1024 * 1024

/** A cell as found: its text, the position behind it, and whether its quotes are doubtful. */
interface Found {
  readonly text: string
  readonly end: number
  readonly doubtful: boolean
}
/** The text ends before the cell does. */
type More = 'more'

/** DOS ended a text with this character. */
const endMark = '\u001a'
const onlyEndMarks = new RegExp(`^${endMark}+$`)
const endMarksAtEnd = new RegExp(`${endMark}+\\s*$`)
/** A formula that is nothing but a text: the usual way to keep leading zeros in a spreadsheet. */
const textFormula = /^="((?:[^"]|"")*)"$/

const plainCell = (cell: string): string =>
  cell.startsWith('="') ? cell.replace(textFormula, (_, text: string) => text.replaceAll('""', '"')) : cell

/** Whether nothing stands in any cell: such a line is counted, not read. */
const isEmpty = (cells: readonly string[]): boolean =>
  cells.every((cell) => cell.trim() === '') || (cells.length === 1 && onlyEndMarks.test((cells[0] ?? '').trim()))

/** Where a mark is next, if it was last found before a place; -1 if there is none. */
const nextFrom = (text: string, mark: string, found: number, at: number): number =>
  found >= 0 && found < at ? text.indexOf(mark, at) : found

/** Reads one text, piece by piece. */
export class CsvLines {
  private readonly delimiter: string
  private rest = ''
  private line = 1
  /** The most cells of a line so far: those of a whole row. */
  private width = 0

  constructor(delimiter: string) {
    this.delimiter = delimiter
  }

  /** The lines that are complete. Throws `CsvFault`. */
  push(piece: string): CsvLine[] {
    return this.read(this.rest + piece, false)
  }

  /** The last lines. Throws `CsvFault`. */
  end(): CsvLine[] {
    return this.read(this.rest.replace(endMarksAtEnd, ''), true)
  }

  private read(text: string, isAll: boolean): CsvLine[] {
    const lines: CsvLine[] = []
    let at = 0
    let [quote, lf, cr] = [text.indexOf('"'), text.indexOf('\n'), text.indexOf('\r')]
    while (at < text.length) {
      quote = nextFrom(text, '"', quote, at)
      lf = nextFrom(text, '\n', lf, at)
      cr = nextFrom(text, '\r', cr, at)
      const broken = lf < 0 ? cr : cr < 0 ? lf : Math.min(lf, cr)
      // The line feed of a carriage return at the end may still come.
      if (!isAll && (broken < 0 || (broken === cr && cr === text.length - 1))) break
      const end = broken < 0 ? text.length : broken
      const found =
        quote < 0 || quote > end
          ? { cells: text.slice(at, end).split(this.delimiter), end, breaks: 0, doubtful: [] }
          : // A quote that is still open after the longest row is not closed by what follows.
            this.quotedLine(text, at, isAll || text.length - at > maxRowLength)
      if (found === 'more') break
      const { cells, doubtful } = found
      if (found.end - at > maxRowLength) throw new CsvFault('too-large', this.line)
      this.width = Math.max(this.width, cells.length)
      if (!isEmpty(cells)) lines.push({ line: this.line, cells, ...(doubtful.length > 0 && { doubtful }) })
      this.line += found.breaks + 1
      at = found.end + (text[found.end] === '\r' && text[found.end + 1] === '\n' ? 2 : 1)
    }
    this.rest = text.slice(at)
    if (this.rest.length > maxRowLength) throw new CsvFault('too-large', this.line)
    return lines
  }

  /** A line in which there are quotes. */
  private quotedLine(
    text: string,
    from: number,
    isAll: boolean
  ): { readonly cells: string[]; readonly end: number; readonly breaks: number; readonly doubtful: number[] } | More {
    const cells: string[] = []
    const doubtful: number[] = []
    for (let at = from; ;) {
      const cell = this.cell(text, at, cells.length, isAll)
      if (cell === 'more') return 'more'
      if (cell.doubtful) doubtful.push(cells.length)
      cells.push(plainCell(cell.text))
      if (text[cell.end] !== this.delimiter) {
        // The line feed of a carriage return at the end may still come.
        if (!isAll && (cell.end >= text.length || (text[cell.end] === '\r' && cell.end === text.length - 1)))
          return 'more'
        return { cells, end: cell.end, breaks: breaksIn(text.slice(from, cell.end)), doubtful }
      }
      at = cell.end + 1
    }
  }

  /** `before`: how many cells of the line come before it. */
  private cell(text: string, at: number, before: number, isAll: boolean): Found | More {
    const start = afterSpaces(text, at)
    const open = text.startsWith('="', start) ? start + 1 : start
    if (open + 1 >= text.length && !isAll) return 'more'
    let quoted = text[open] === '"' ? this.quoted(text, open, isAll) : undefined
    if (quoted === 'more') return 'more'
    if (quoted === 'open' || (quoted?.doubtful && breaksIn(quoted.text) > 0)) {
      const isStray = this.isWholeRow(text, at, before, isAll)
      if (isStray === 'more') return 'more'
      if (isStray) quoted = undefined
      else if (quoted === 'open') throw new CsvFault('quote-open', this.line)
    }
    // A formula of more than one text is not a text.
    if (quoted && (open === start || !quoted.doubtful)) return quoted
    const end = this.endOfPlain(text, at)
    if (end === undefined && !isAll) return 'more'
    const plain = text.slice(at, end)
    return { text: plain, end: end ?? text.length, doubtful: text[open] === '"' }
  }

  /** Where a cell without quotes around it ends. */
  private endOfPlain(text: string, at: number): number | undefined {
    for (let end = at; end < text.length; end += 1) if (this.ends(text, end)) return end
    return undefined
  }
  private readonly ends = (text: string, at: number): boolean => {
    const character = text[at]
    return character === this.delimiter || character === '\n' || character === '\r'
  }

  /**
   * Whether this line up to its break, and the next one, each are a row of their own: a quote that would join them was
   * only typed by mistake.
   */
  private isWholeRow(text: string, at: number, before: number, isAll: boolean): boolean | More {
    const end = breakFrom(text, at)
    if (before + this.cellsIn(text.slice(at, end)) !== this.width) return false
    const next = end + (text.startsWith('\r\n', end) ? 2 : 1)
    const behind = breakFrom(text, next)
    if (behind >= text.length && !isAll) return 'more'
    const following = text.slice(next, behind)
    return following.trim() === '' || this.cellsIn(following) === this.width
  }
  /** The cells of a line, where quotes that stand alone enclose nothing. */
  private readonly cellsIn = (line: string): number => line.replace(/"(?:[^"]|"")*"/g, '').split(this.delimiter).length

  /** A cell in quotes; undefined if its first character is a quote that encloses nothing, `open` if it is never closed. */
  private quoted(text: string, open: number, isAll: boolean): Found | More | 'open' | undefined {
    let cell = ''
    let doubtful = false
    for (let from = open + 1; ;) {
      const quote = text.indexOf('"', from)
      if (quote < 0) {
        return isAll ? 'open' : 'more'
      }
      const behind = afterSpaces(text, quote + 1)
      if (behind >= text.length && !isAll) return 'more'
      cell += text.slice(from, quote)
      if (behind >= text.length || this.ends(text, behind)) return { text: cell, end: behind, doubtful }
      const isPair = text[quote + 1] === '"'
      if (isPair && doubtful) {
        const last = afterSpaces(text, quote + 2)
        if (last >= text.length && !isAll) return 'more'
        if (last >= text.length || this.ends(text, last)) return { text: `${cell}"`, end: last, doubtful }
      }
      if (!isPair) {
        const closes = this.closesOnLine(text, quote + 1, isAll)
        if (closes === 'more') return 'more'
        if (!closes) return undefined
        doubtful = true
      }
      cell += '"'
      from = quote + (isPair ? 2 : 1)
    }
  }

  /** Whether a quote that closes the cell follows on the same line, before one that opens another. */
  private closesOnLine(text: string, from: number, isAll: boolean): boolean | More {
    let isAfterDelimiter = false
    for (let at = from; at < text.length; at += 1) {
      const character = text[at]
      if (character === '\n' || character === '\r') return false
      if (character === '"') {
        if (isAfterDelimiter) return false
        const behind = afterSpaces(text, at + 1)
        if (behind >= text.length) return isAll ? true : 'more'
        if (this.ends(text, behind)) return true
      }
      isAfterDelimiter = character === this.delimiter || (isAfterDelimiter && character === ' ')
    }
    return isAll ? false : 'more'
  }
}

/** The position of the first character that is not a space. A tab may be the delimiter. */
function afterSpaces(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\u00a0') at += 1
  return at
}

/** The place of the next line break, or of the end. */
function breakFrom(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) if (text[at] === '\n' || text[at] === '\r') return at
  return text.length
}

/** Line breaks within a text: CR LF, LF or CR. */
const breaksIn = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0
