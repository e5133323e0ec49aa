/** The rows of one sheet, as a stream. */
import { WorkbookError } from './fault.ts'
import { limits } from './limits.ts'
import { momentText, numberText, withZeros, type NumberForm } from './numbers.ts'
import { isText, type SharedTexts } from './texts.ts'
import { isOn, unescaped, xmlEvents, type Attributes, type XmlReader } from './xml.ts'

/**
 * What a person should know about a cell. `formula`: its value was calculated when the file was saved. `formula-empty`:
 * the file has no value of it. `error`: Excel shows an error such as #N/A. `long-number`: 16 and more digits, of which
 * Excel keeps 15. `scientific`: the file has it with an exponent. `no-date`: its format is a date's, but it is none.
 * `false-day`: 29 February 1900, which Excel alone knows.
 */
export const cellMarks = [
  'formula',
  'formula-empty',
  'error',
  'long-number',
  'scientific',
  'no-date',
  'false-day'
] as const
export type CellMark = (typeof cellMarks)[number]

export interface SheetRow {
  /** The spreadsheet's number, from 1. */
  readonly line: number
  readonly hidden: boolean
  /** Text of each cell, from column A. */
  readonly cells: readonly string[]
  /** Column numbers from 0. */
  readonly marks: readonly (readonly [column: number, mark: CellMark])[]
}

/** What is known once all rows were read. */
export interface SheetFacts {
  /** Rows with values that are hidden, by a person or by a filter. */
  readonly hiddenRows: number
  /** First and last column numbers from 0 of hidden columns. */
  readonly hiddenColumns: readonly (readonly [first: number, last: number])[]
  /** Ranges of merged cells: only the first cell of each has a value. */
  readonly merged: number
}

export interface SheetParts {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly texts: SharedTexts
  /** By the number of a cell's style. */
  readonly forms: readonly NumberForm[]
  readonly since1904: boolean
}

/** Column number from 0 and row from 1 of a reference such as B12. Throws `WorkbookError`. */
function placeOf(reference: string): { readonly column: number; readonly line: number } {
  const [, letters = '', digits = ''] = /^\$?([A-Za-z]{1,3})\$?(\d{1,7})$/.exec(reference) ?? []
  let column = 0
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  const line = Number(digits)
  if (column < 1 || column > limits.columns || line < 1 || line > limits.rows) throw new WorkbookError('damaged')
  return { column: column - 1, line }
}

interface OpenCell {
  readonly column: number
  readonly type: string
  readonly style: number
  formula: boolean
  value: string
  valued: boolean
}

/** Reads the rows that have a value. Returns the facts. Throws `WorkbookError`. */
export async function* sheetRows(parts: SheetParts): AsyncGenerator<SheetRow, SheetFacts> {
  const sheet = createSheet(parts)
  for await (const _ of xmlEvents(parts.bytes, sheet.reader)) yield* sheet.take()
  if (!sheet.sawData()) throw new WorkbookError('damaged')
  return sheet.facts()
}

function createSheet(parts: SheetParts) {
  let ready: SheetRow[] = []
  let line = 0
  let hidden = false
  let hiddenByDefault = false
  let cells: string[] = []
  let marks: (readonly [number, CellMark])[] = []
  let column = -1
  let cell: OpenCell | undefined
  let reads = false
  let data = false
  const found = { hiddenRows: 0, merged: 0 }
  const hiddenColumns: (readonly [number, number])[] = []

  function openRow({ r, hidden: hides }: Attributes): void {
    const number = r === undefined ? line + 1 : Number(r.value)
    if (!Number.isInteger(number) || number < 1 || number > limits.rows) throw new WorkbookError('damaged')
    if (number <= line) throw new WorkbookError('order')
    line = number
    hidden = hides === undefined ? hiddenByDefault : isOn(hides)
    cells = []
    marks = []
    column = -1
  }
  function openCell({ r, t, s }: Attributes): void {
    const place = r === undefined ? { column: column + 1, line } : placeOf(r.value)
    if (place.column >= limits.columns) throw new WorkbookError('damaged')
    if (place.line !== line || place.column <= column) throw new WorkbookError('order')
    column = place.column
    cell = { column, type: t?.value ?? 'n', style: Number(s?.value ?? 0), formula: false, value: '', valued: false }
  }
  function closeCell(of: OpenCell): void {
    const { text, marks: own } = cellText(of, parts)
    if (of.formula) own.unshift(of.valued ? 'formula' : 'formula-empty')
    for (const mark of own) marks.push([of.column, mark])
    if (text === '') return
    while (cells.length < of.column) cells.push('')
    cells.push(text)
  }
  function closeRow(): void {
    if (cells.length === 0 && marks.length === 0) return
    if (hidden) found.hiddenRows += 1
    ready.push({ line, hidden, cells, marks })
  }
  function openCol({ min, max, hidden: hides }: Attributes): void {
    const [first, last] = [Number(min?.value), Math.min(Number(max?.value), limits.columns)]
    if (isOn(hides) && first >= 1 && last >= first && hiddenColumns.length < limits.columns)
      hiddenColumns.push([first - 1, last - 1])
  }

  function openInCell(of: OpenCell, name: string, above: readonly string[]): void {
    if (above.length === 4 && name === 'f') of.formula = true
    else if ((above.length === 4 && name === 'v') || (name === 't' && isText(above, 4))) of.valued = reads = true
  }

  const reader: XmlReader = {
    open(name, attributes, above) {
      reads = false
      if (cell) return openInCell(cell, name, above)
      const parent = above.at(-1)
      if (above.length === 3 && name === 'c' && parent === 'row' && above[1] === 'sheetData') openCell(attributes)
      else if (above.length === 2 && name === 'row' && parent === 'sheetData') openRow(attributes)
      else if (above.length === 2 && name === 'col' && parent === 'cols') openCol(attributes)
      else if (above.length === 2 && name === 'mergeCell' && parent === 'mergeCells') found.merged += 1
      else if (above.length === 1 && name === 'sheetData') data = true
      else if (above.length === 1 && name === 'sheetFormatPr') hiddenByDefault = isOn(attributes['zeroHeight'])
    },
    text(piece) {
      if (!reads || !cell) return
      cell.value += piece
      if (cell.value.length > limits.cell) throw new WorkbookError('large-cell')
    },
    close(name, above) {
      reads = false
      if (name === 'c' && above.length === 3 && cell) {
        closeCell(cell)
        cell = undefined
      } else if (name === 'row' && above.length === 2 && above[1] === 'sheetData') closeRow()
    }
  }
  return {
    reader,
    sawData: () => data,
    take(): readonly SheetRow[] {
      const taken = ready
      ready = []
      return taken
    },
    facts: (): SheetFacts => ({ ...found, hiddenColumns })
  }
}

const only = (text: string, ...marks: CellMark[]) => ({ text, marks })

function cellText(
  { type, value, valued, style }: OpenCell,
  { texts, forms, since1904 }: SheetParts
): { readonly text: string; readonly marks: CellMark[] } {
  if (!valued || value === '') return only('')
  switch (type) {
    case 's': {
      const text = /^\s*\d+\s*$/.test(value) ? texts.at(Number(value)) : undefined
      if (text === undefined) throw new WorkbookError('damaged')
      return only(text)
    }
    case 'str':
    case 'inlineStr':
      return only(unescaped(value))
    case 'b':
      return only(['1', 'true'].includes(value.trim()) ? 'TRUE' : 'FALSE')
    case 'e':
      return only(value, 'error')
    case 'd':
      return only(value.trim())
    default:
      return numeric(value, forms[style] ?? { as: 'number' }, since1904)
  }
}

function numeric(raw: string, form: NumberForm, since1904: boolean) {
  const number = numberText(raw)
  // "NaN" and the like: no number that Excel knows, shown as it is.
  if (!number) return only(raw, 'error')
  const own = only(number.text, ...(number.long ? (['long-number'] as const) : []))
  if (form.as === 'number') return number.scientific ? only(number.text, ...own.marks, 'scientific') : own
  if (form.as === 'zeros') return only(withZeros(number.text, form.pieces) ?? number.text, ...own.marks)
  const moment = momentText(Number(raw), form, since1904)
  return moment ? only(moment.text, ...(moment.falseDay ? (['false-day'] as const) : [])) : only(number.text, 'no-date')
}
