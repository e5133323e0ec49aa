/**
 * Writes a workbook (.xlsx) as a stream. Every cell is text unless it is a number or a time of ours, and text stays text
 * in every spreadsheet: an inline string is never a formula, and the quote prefix keeps it so when it is edited.
 */
import { archive, type PartToWrite } from './archive.ts'
import { limits } from './limits.ts'

/** A text, a number, or a time (shown in UTC). */
export type WorkbookValue = string | number | Date

export interface SheetToWrite {
  /** Excel refuses `History`, and more than 31 characters. */
  readonly name: string
  readonly headings: readonly string[]
  readonly rows: AsyncIterable<readonly (readonly WorkbookValue[])[]>
}

export interface WrittenWorkbook {
  readonly pieces: AsyncGenerator<Uint8Array>
  /** Cells whose text was cut at what a cell of Excel holds; valid once everything was written. */
  cut(): number
}

/** Characters that a cell of Excel holds. */
export const maxCellText = 32_767
/** Rows whose contents decide the widths of the columns. */
const measured = 200
const [narrowest, widest] = [8, 60]
/** Bytes of one sheet's XML, below what the reader takes. */
const maxSheetBytes = limits.sheet - 64 * 1024 * 1024

const styles = { text: 1, heading: 2, time: 3, number: 0 } as const

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const special = /[&<>"]/g
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
// Control characters, of which XML knows two, its own two that are none, halves of a character, and what reads like an escape.
const unwritable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]|_(?=x[0-9A-Fa-f]{4}_)/g

const escapeOf = (character: string): string =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`

/** A text as the XML of a workbook has it. */
export const xmlText = (text: string): string =>
  text.replace(unwritable, escapeOf).replace(special, (character) => entities[character] ?? character)

/** The letters of a column number from 0. */
export function columnLetters(column: number): string {
  let letters = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters
  return letters
}

/** The text that fits into a cell; never ends within a character. */
function cutText(text: string): string {
  if (text.length <= maxCellText) return text
  const end = /[\uD800-\uDBFF]/.test(text.charAt(maxCellText - 1)) ? maxCellText - 1 : maxCellText
  return text.slice(0, end)
}

/** Days since the origin of Excel's calendar; undefined for times that it does not know. */
function serialOf(at: Date): string | undefined {
  const serial = at.getTime() / 86_400_000 + 25_569
  return serial >= 61 && serial < 2_958_466 ? serial.toFixed(10).replace(/\.?0+$/, '') : undefined
}

/** A number as Excel keeps it; undefined for more digits than it keeps. */
function digitsOf(value: number): string | undefined {
  const text = String(value)
  return /^-?\d+(\.\d+)?$/.test(text) && text.replace(/\D/g, '').length <= 15 ? text : undefined
}

const shownText = (value: WorkbookValue): string =>
  typeof value === 'string'
    ? value
    : typeof value === 'number'
      ? String(value)
      : Number.isNaN(value.getTime())
        ? ''
        : value.toISOString()

const textCell = (place: string, text: string, style: number): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

function createSheet({ headings }: SheetToWrite, onCut: () => void) {
  const letters = headings.map((_, column) => columnLetters(column))
  const placeOf = (column: number, line: number): string => `${letters[column] ?? columnLetters(column)}${line}`
  const cell = (value: WorkbookValue, column: number, line: number, style: number = styles.text): string => {
    const place = placeOf(column, line)
    if (typeof value !== 'string') {
      const number = typeof value === 'number' ? digitsOf(value) : serialOf(value)
      if (number !== undefined)
        return `<c r="${place}" s="${typeof value === 'number' ? styles.number : styles.time}"><v>${number}</v></c>`
    }
    const text = shownText(value)
    if (text === '') return ''
    const kept = cutText(text)
    if (kept !== text) onCut()
    return textCell(place, kept, style)
  }
  const row = (values: readonly WorkbookValue[], line: number, style?: number): string =>
    `<row r="${line}">${values.map((value, column) => cell(value, column, line, style)).join('')}</row>`

  const start = (widths: readonly number[]): string => {
    const columns = widths.map(
      (width, column) => `<col min="${column + 1}" max="${column + 1}" width="${width}" customWidth="1"/>`
    )
    return (
      `${declaration}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0">` +
      '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
      `${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
    )
  }
  const end = (rows: number): string =>
    `</sheetData>${headings.length > 0 ? `<autoFilter ref="A1:${placeOf(headings.length - 1, rows)}"/>` : ''}</worksheet>`
  return { row, start, end }
}

/** Widths in characters that show the headings and the first rows. */
function widthsOf(headings: readonly string[], rows: readonly (readonly WorkbookValue[])[]): number[] {
  return headings.map((heading, column) => {
    const longest = rows.reduce((most, row) => Math.max(most, longestLine(shownText(row[column] ?? ''))), 0)
    // The filter's button covers the end of a heading.
    return Math.min(widest, Math.max(narrowest, longest + 2, heading.length + 5))
  })
}
const longestLine = (text: string): number =>
  text.length > 4 * widest ? widest : Math.max(...text.split('\n').map((line) => line.length))

const quotedName = (name: string): string => `'${name.replaceAll("'", "''")}'`

/** Writes sheets one after another; one with more rows than a sheet takes goes on in the next. */
export function writeWorkbook(sheets: readonly SheetToWrite[]): WrittenWorkbook {
  let cut = 0
  const written: { readonly name: string; readonly filter: string }[] = []

  async function* parts(): AsyncGenerator<PartToWrite> {
    yield { path: '[Content_Types].xml', text: [contentTypes] }
    yield { path: '_rels/.rels', text: [relationships([['officeDocument', 'xl/workbook.xml']])] }
    yield { path: 'xl/styles.xml', text: [styleSheet] }
    for (const sheet of sheets) {
      const { row, start, end } = createSheet(sheet, () => (cut += 1))
      const source = sheet.rows[Symbol.asyncIterator]()
      const rest: (readonly WorkbookValue[])[] = []
      let more = true
      const fill = async (): Promise<void> => {
        const next = await source.next()
        if (next.done) more = false
        else rest.push(...next.value)
      }
      async function* text(done: (lines: number) => void): AsyncGenerator<string> {
        while (more && rest.length < measured) await fill()
        let lines = 1
        let bytes = 0
        yield start(widthsOf(sheet.headings, rest.slice(0, measured))) + row(sheet.headings, 1, styles.heading)
        while (lines < limits.rows && bytes < maxSheetBytes) {
          if (rest.length === 0 && more) await fill()
          const taken = rest.splice(0, Math.min(measured, limits.rows - lines))
          if (taken.length === 0 && !more) break
          const piece = taken.map((values, index) => row(values, lines + index + 1)).join('')
          lines += taken.length
          bytes += Buffer.byteLength(piece)
          if (piece !== '') yield piece
        }
        // Whether there is another sheet must be known when this one ends.
        while (rest.length === 0 && more) await fill()
        yield end(lines)
        done(lines)
      }
      try {
        for (let number = 1; number === 1 || rest.length > 0; number += 1) {
          let lines = 0
          const path = `xl/worksheets/sheet${written.length + 1}.xml`
          yield { path, text: text((all) => (lines = all)) }
          const name = number === 1 ? sheet.name : `${sheet.name.slice(0, 25)} (${number})`
          const last = columnLetters(Math.max(0, sheet.headings.length - 1))
          written.push({ name, filter: `${quotedName(name)}!$A$1:$${last}$${lines}` })
        }
      } finally {
        await source.return?.()
      }
    }
    yield { path: 'xl/workbook.xml', text: [workbookXml(written)] }
    yield {
      path: 'xl/_rels/workbook.xml.rels',
      text: [
        relationships([
          ...written.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
          ['styles', 'styles.xml']
        ])
      ]
    }
  }
  return { pieces: archive(parts()), cut: () => cut }
}

// Every part is a sheet unless it says otherwise, so that their number need not be known first.
const contentTypes =
  `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>' +
  '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
  '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
  '</Types>'

const relationships = (all: readonly (readonly [kind: string, target: string])[]): string =>
  `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(([kind, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const workbookXml = (sheets: readonly { readonly name: string; readonly filter: string }[]): string =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}"><sheets>${sheets
    .map(({ name }, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets><definedNames>${sheets
    .map(
      ({ filter }, index) =>
        `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">${xmlText(filter)}</definedName>`
    )
    .join('')}</definedNames></workbook>`

// Numbers, texts, headings, times.
const styleSheet =
  `${declaration}<styleSheet xmlns="${main}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
