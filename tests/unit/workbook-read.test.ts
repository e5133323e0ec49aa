/** What the reader makes of workbooks: every kind of cell, what is pointed out, and what is refused. */
import { describe, expect, test } from 'vitest'
import { WorkbookError } from '#kit/workbook/fault.ts'
import { openWorkbook, resolveTarget } from '#kit/workbook/read.ts'
import type { SheetFacts, SheetRow } from '#kit/workbook/sheet.ts'
import {
  spreadsheetNamespace,
  textRows,
  workbookFile,
  workbookParts,
  zip,
  type TestWorkbook,
  type ZipEntry
} from './support/workbook-files.ts'

async function readAll(file: Buffer, sheet = 0): Promise<{ rows: SheetRow[]; facts: SheetFacts }> {
  const rows = (await openWorkbook(file)).rows(sheet)
  const all: SheetRow[] = []
  for (;;) {
    const next = await rows.next()
    if (next.done) return { rows: all, facts: next.value }
    all.push(next.value)
  }
}
const fault = (file: Buffer): Promise<string> =>
  readAll(file).then(
    () => 'read',
    (error: unknown) => (error instanceof WorkbookError ? error.fault : String(error))
  )
const one = (data: string, more: Partial<TestWorkbook> = {}): Buffer =>
  workbookFile({ sheets: [{ name: 'Rows', data }], ...more })
const entry = (name: string, data: string | Buffer): ZipEntry => ({ name, data })

/** The text and marks of cells, one a row. */
async function cells(all: readonly string[], more: Partial<TestWorkbook> = {}): Promise<string[]> {
  const data = all.map((xml, index) => `<row r="${index + 1}">${xml}</row>`).join('')
  const { rows } = await readAll(one(data, more))
  const found = new Map(rows.map((row) => [row.line, [row.cells[0] ?? '', ...row.marks.map(([, mark]) => mark)]]))
  return all.map((_, index) => (found.get(index + 1) ?? []).join(' | '))
}
/** Numbers, each under a format of its own. */
const numbers = (all: readonly (readonly [raw: string, format: string | number])[], since1904 = false) =>
  cells(
    all.map(([raw], index) => `<c s="${index + 1}"><v>${raw}</v></c>`),
    { formats: all.map(([, format]) => format), since1904 }
  )
const asked = <Given extends readonly unknown[]>(table: readonly Given[]): string[] =>
  table.map((given) => String(given.at(-1)))

describe('numbers keep the digits of the file', () => {
  const general: readonly (readonly [raw: string, expected: string])[] = [
    ['42', '42'],
    ['-0.5', '-0.5'],
    ['0', '0'],
    ['123.0', '123'],
    ['123456789012345', '123456789012345'],
    ['1234567890123450', '1234567890123450 | long-number'],
    ['12345678901234567890', '12345678901234567890 | long-number'],
    ['1.1000000000000001', '1.1000000000000001 | long-number'],
    ['1.234567891E9', '1234567891 | scientific'],
    ['1.23457E+11', '123457000000 | scientific'],
    ['1.2345678901234499E+17', '1.2345678901234499E+17 | long-number | scientific'],
    ['1.0000000000000001E-5', '1.0000000000000001E-5 | long-number | scientific'],
    ['1E+400', '1E+400 | scientific'],
    ['NaN', 'NaN | error']
  ]
  test('without a format', async () => {
    expect(await numbers(general.map(([raw]) => [raw, 0]))).toEqual(asked(general))
  })
  const formatted: readonly (readonly [raw: string, format: string | number, expected: string])[] = [
    ['0.25', 9, '0.25'],
    ['0.125', '0.0%', '0.125'],
    ['1234.5', '#,##0.00', '1234.5'],
    ['42', '00000', '00042'],
    ['123456', '00000', '123456'],
    ['-7', '000', '-007'],
    ['123456789', '000-00-0000', '123-45-6789'],
    ['42', '"A"0000', 'A0042'],
    ['1.5', '00000', '1.5'],
    ['42', '0', '42'],
    ['42', '0.00', '42'],
    ['42', '[Red]0000;[Blue]-0000', '0042']
  ]
  test('under formats', async () => {
    expect(await numbers(formatted.map(([raw, format]) => [raw, format]))).toEqual(asked(formatted))
  })
})

describe('dates as ISO text', () => {
  const dates: readonly (readonly [raw: string, format: string | number, expected: string])[] = [
    ['46353', 14, '2026-11-27'],
    ['46353', 'dd.mm.yyyy', '2026-11-27'],
    ['46353', '[$-407]d. mmmm yyyy', '2026-11-27'],
    ['46353', 'yyyy"年"m"月"d"日"', '2026-11-27'],
    ['46353', '[$-411]ggge"年"m"月"', '2026-11-27'],
    ['46353.5', 22, '2026-11-27T12:00:00'],
    ['46353.32194444444', 'yyyy-mm-dd hh:mm:ss', '2026-11-27T07:43:36'],
    ['46353.321944444', 'yyyy-mm-dd hh:mm:ss.000', '2026-11-27T07:43:36.000'],
    ['46352.99999999999', 'm/d/yy h:mm', '2026-11-27T00:00:00'],
    ['0.75', 18, '18:00:00'],
    ['46353.75', 'h:mm AM/PM', '18:00:00'],
    ['1.5', '[h]:mm:ss', '36:00:00'],
    ['4.1666666666666664E-2', 'h:mm', '01:00:00'],
    ['59', 14, '1900-02-28'],
    ['60', 14, '1900-02-29 | false-day'],
    ['61', 14, '1900-03-01'],
    ['1', 14, '1900-01-01'],
    ['0', 14, '0 | no-date'],
    ['-5', 14, '-5 | no-date'],
    ['2958466', 14, '2958466 | no-date'],
    ['46353', '0.00"days"', '46353'],
    ['46353', '#,##0 \\d', '46353'],
    ['46353', 'General', '46353'],
    ['46353', '@', '46353'],
    ['46353', '0.00E+00', '46353'],
    ['46353', '[Magenta]0', '46353']
  ]
  test('by the number format', async () => {
    expect(await numbers(dates.map(([raw, format]) => [raw, format]))).toEqual(asked(dates))
  })
  test('the other origin', async () => {
    const days = [
      ['0', 14],
      ['44891', 14]
    ] as const
    expect(await numbers(days, true)).toEqual(['1904-01-01', '2026-11-27'])
  })
})

describe('texts', () => {
  const table: readonly (readonly [xml: string, expected: string])[] = [
    ['<c t="s"><v>0</v></c>', '00123'],
    ['<c t="s"><v>1</v></c>', 'rich text'],
    ['<c t="s"><v>2</v></c>', '東京'],
    ['<c t="s"><v>3</v></c>', ' a\r\nb_x0041_ '],
    ['<c t="inlineStr"><is><t>in</t></is></c>', 'in'],
    ['<c t="inlineStr"><is><r><t>in </t></r><r><t>line</t></r><rPh><t>no</t></rPh></is></c>', 'in line'],
    ['<c t="str"><v>&amp;&#x20AC;&lt;</v></c>', '&€<'],
    ['<c t="inlineStr"><is><t><![CDATA[<b>]]></t></is></c>', '<b>'],
    ['<c t="b"><v>1</v></c>', 'TRUE'],
    ['<c t="b"><v>0</v></c>', 'FALSE'],
    ['<c t="e"><v>#N/A</v></c>', '#N/A | error'],
    ['<c t="e"><f>A2/0</f><v>#DIV/0!</v></c>', '#DIV/0! | formula | error'],
    ['<c t="str"><f>"A"&amp;"1"</f><v>A1</v></c>', 'A1 | formula'],
    ['<c><f t="shared" si="0"/><v>5</v></c>', '5 | formula'],
    ['<c><f>A2</f></c>', ' | formula-empty'],
    ['<c t="str"><f>A2</f><v></v></c>', ' | formula'],
    ['<c t="d"><v>2026-11-27</v></c>', '2026-11-27']
  ]
  test('shared, inline, rich and calculated', async () => {
    const shared = [
      '<t>00123</t>',
      '<r><rPr><b/></rPr><t xml:space="preserve">rich </t></r><r><t>text</t></r>',
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>',
      '<t xml:space="preserve"> a_x000D_\nb_x005F_x0041_ </t>'
    ]
    expect(
      await cells(
        table.map(([xml]) => xml),
        { shared }
      )
    ).toEqual(asked(table))
  })
})

describe('sheets and rows', () => {
  test('names and states, in order; sheets of charts have no cells', async () => {
    const file = workbookFile({
      sheets: [
        { name: 'Visible & "quoted"' },
        { name: 'Hidden', state: 'hidden' },
        { name: 'Very', state: 'veryHidden' },
        { name: 'Chart', kind: 'chartsheet' }
      ]
    })
    expect((await openWorkbook(file)).sheets).toEqual([
      { name: 'Visible & "quoted"', state: 'visible' },
      { name: 'Hidden', state: 'hidden' },
      { name: 'Very', state: 'very-hidden' }
    ])
  })
  test('lines have the spreadsheet’s numbers, and cells their columns', async () => {
    const { rows } = await readAll(
      one(
        '<row r="3"><c r="B3"><v>1</v></c><c r="D3"><v>2</v></c></row><row r="4"/><row r="7" hidden="1"><c><v>3</v></c><c><v>4</v></c></row><row><c r="C8"><v>5</v></c></row>'
      )
    )
    expect(rows).toEqual([
      { line: 3, hidden: false, cells: ['', '1', '', '2'], marks: [] },
      { line: 7, hidden: true, cells: ['3', '4'], marks: [] },
      { line: 8, hidden: false, cells: ['', '', '5'], marks: [] }
    ])
  })
  test('hidden rows, hidden columns and merged ranges are counted', async () => {
    const { facts } = await readAll(
      workbookFile({
        sheets: [
          {
            name: 'A',
            before:
              '<sheetFormatPr zeroHeight="1"/><cols><col min="2" max="3" hidden="1"/><col min="4" max="4"/></cols>',
            data: '<row r="1" hidden="0"><c><v>1</v></c></row><row r="2"><c><v>1</v></c></row><row r="3" hidden="1"/>',
            after: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>'
          }
        ]
      })
    )
    expect(facts).toEqual({ hiddenRows: 1, hiddenColumns: [[1, 2]], merged: 1 })
  })
  test.each<[string, Partial<TestWorkbook>]>([
    ['strict', { strict: true }],
    ['a prefix', { prefix: 'x' }],
    ['absolute targets', { absolute: true }],
    ['names in capitals', { shouted: true }]
  ])('%s', async (_, more) => {
    const { rows } = await readAll(
      one('<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>46353</v></c></row>', {
        shared: ['<t>A-1</t>'],
        formats: [14],
        ...more
      })
    )
    expect(rows[0]?.cells).toEqual(['A-1', '2026-11-27'])
  })
  test('other sheets than the first', async () => {
    const file = workbookFile({
      sheets: [
        { name: 'A', data: textRows([['a']]) },
        { name: 'B', data: textRows([['b']]) }
      ]
    })
    expect((await readAll(file, 1)).rows[0]?.cells).toEqual(['b'])
  })
  test('UTF-16', async () => {
    const xml = `<worksheet xmlns="${spreadsheetNamespace}"><sheetData>${textRows([['Žofie']])}</sheetData></worksheet>`
    const parts = workbookParts({ sheets: [{ name: 'A' }] }).map((part) =>
      part.name.endsWith('sheet1.xml') ? { ...part, data: Buffer.from(`\ufeff${xml}`, 'utf16le') } : part
    )
    expect((await readAll(zip(parts))).rows[0]?.cells).toEqual(['Žofie'])
  })
  test('targets', () => {
    expect(resolveTarget('xl/workbook.xml', '../xl/./a%20b.xml')).toBe('xl/a b.xml')
    expect(resolveTarget('xl/workbook.xml', '\\xl\\c.xml')).toBe('xl/c.xml')
    expect(resolveTarget('xl/workbook.xml', '../../../../etc/passwd')).toBe('etc/passwd')
  })
})

describe('refused by name', () => {
  const compound = (...names: string[]): Buffer =>
    Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(70_000),
      ...names.map((name) => Buffer.from(name, 'utf16le'))
    ])
  const sheet = (xml: string): Buffer => workbookFile({ sheets: [{ name: 'A', xml }] })
  const root = `<worksheet xmlns="${spreadsheetNamespace}">`
  const good = workbookParts({ sheets: [{ name: 'A', data: textRows([['a'.repeat(400)]]) }] })
  const changed = (name: string, change: (part: ZipEntry) => ZipEntry): Buffer =>
    zip(good.map((part) => (part.name === name ? change(part) : part)))

  test.each<[string, Buffer, string]>([
    ['encrypted', compound('EncryptionInfo', 'EncryptedPackage'), 'encrypted'],
    ['old', compound('Workbook'), 'old-excel'],
    ['an encrypted part', changed('xl/workbook.xml', (part) => ({ ...part, says: { flags: 1 } })), 'encrypted'],
    ['binary', zip([...good, entry('xl/workbook.bin', '')]), 'binary'],
    ['ods', zip([entry('mimetype', 'x'), entry('content.xml', '<x/>')]), 'open-document'],
    ['another archive', zip([entry('a.txt', 'a')]), 'not-a-workbook'],
    ['text', Buffer.from('applicant_id\nA-1'), 'not-a-workbook'],
    ['nothing', Buffer.alloc(0), 'not-a-workbook'],
    ['cut', zip(good).subarray(0, 900), 'damaged'],
    ['no sheet', workbookFile({ sheets: [] }), 'no-sheet'],
    ['only a chart', workbookFile({ sheets: [{ name: 'C', kind: 'chartsheet' }] }), 'no-sheet'],
    ['a missing part', zip(good.filter(({ name }) => !name.endsWith('sheet1.xml'))), 'damaged'],
    ['a part twice', zip([...good, entry('XL/Workbook.xml', '<x/>')]), 'damaged'],
    ['a path that leaves', zip([...good, entry('../a.xml', '<x/>')]), 'damaged'],
    ['a wrong checksum', changed('xl/worksheets/sheet1.xml', (part) => ({ ...part, says: { crc: 1 } })), 'damaged'],
    ['a wrong size', changed('xl/worksheets/sheet1.xml', (part) => ({ ...part, says: { size: 10 } })), 'damaged'],
    ['XML that does not end', sheet(`${root}<sheetData>`), 'damaged'],
    ['no XML', sheet('hello'), 'damaged'],
    ['no data', sheet(`${root}</worksheet>`), 'damaged'],
    ['a text that is not there', one('<row><c t="s"><v>7</v></c></row>'), 'damaged'],
    ['a reference out of range', one('<row r="1"><c r="XFE1"><v>7</v></c></row>'), 'damaged'],
    ['a row out of range', one('<row r="1048577"><c><v>7</v></c></row>'), 'damaged'],
    [
      'a document type',
      sheet(`<!DOCTYPE worksheet SYSTEM "file:///etc/passwd">${root}<sheetData/></worksheet>`),
      'entities'
    ],
    [
      'entities that multiply',
      sheet(`<!DOCTYPE w [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>${root}<sheetData/></worksheet>`),
      'entities'
    ],
    ['an unknown entity', one('<row><c t="str"><v>&a;</v></c></row>'), 'damaged'],
    ['rows that go back', one('<row r="2"/><row r="1"><c><v>1</v></c></row>'), 'order'],
    ['a row twice', one('<row r="1"/><row r="1"/>'), 'order'],
    ['cells that go back', one('<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>'), 'order'],
    ['a cell of another row', one('<row r="1"><c r="A2"><v>1</v></c></row>'), 'order'],
    ['a large cell', one(`<row><c t="str"><v>${'a'.repeat(140_000)}</v></c></row>`), 'large-cell'],
    [
      'a large shared text',
      one('', {
        shared: [`<t>${'ab'.repeat(70_000)}</t>`],
        sheets: [{ name: 'A', data: '<row><c t="s"><v>0</v></c></row>' }]
      }),
      'large-cell'
    ],
    [
      'a comment without end',
      sheet(
        `${root}<!--${Buffer.from(Array.from({ length: 2_000_000 }, (_, at) => 97 + ((at * at) % 23))).toString()}`
      ),
      'large-cell'
    ],
    ['deep elements', sheet(`${root}${'<a>'.repeat(300)}`), 'damaged'],
    ['many parts', zip([...good, ...Array.from({ length: 2001 }, (_, at) => entry(`a${at}`, ''))]), 'many-parts'],
    ['a bomb', sheet(`${root}${' '.repeat(11 * 1024 * 1024)}<sheetData/></worksheet>`), 'bomb'],
    [
      'large shared texts',
      zip(
        good.map((part) =>
          part.name === 'xl/sharedStrings.xml'
            ? { ...part, stored: true, data: Buffer.alloc(64 * 1024 * 1024 + 1, 32) }
            : part
        )
      ),
      'large-texts'
    ]
  ])('%s', async (_, file, expected) => {
    expect(await fault(file)).toBe(expected)
  })
})
