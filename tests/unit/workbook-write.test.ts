/** Workbooks that the console writes: what goes in comes out, in its own reader and by the rules of the standard. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openWorkbook } from '#kit/workbook/read.ts'
import type { SheetRow } from '#kit/workbook/sheet.ts'
import { columnLetters, maxCellText, writeWorkbook, type WorkbookValue } from '#kit/workbook/write.ts'

async function* chunks<T>(...all: readonly T[]): AsyncGenerator<T> {
  yield* all
}
async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const each of source) found.push(each)
  return found
}
interface Written {
  readonly file: Buffer
  readonly cut: number
}
async function written(headings: readonly string[], rows: readonly (readonly WorkbookValue[])[]): Promise<Written> {
  const book = writeWorkbook([{ name: 'Rows', headings, rows: chunks(rows) }])
  const file = Buffer.concat(await all(book.pieces))
  return { file, cut: book.cut() }
}
async function back(file: Buffer, sheet = 0): Promise<SheetRow[]> {
  return all((await openWorkbook(file)).rows(sheet))
}
const padded = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, column) => cells[column] ?? '')

test('what goes in comes out', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const odd = fc.constantFrom(
    '=1+1',
    '@x',
    '+A1',
    '-2',
    '_x0041_',
    '_x005F_',
    '\u0000',
    '\r\n',
    ' a ',
    '0001',
    '\ufffe',
    '&<>"'
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.oneof(text, odd), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 60 }),
      async (rows) => {
        const { file } = await written(['a', 'b', 'c', 'd', 'e'], rows)
        const read = await back(file)
        const found = new Map(read.map(({ line, cells }) => [line, cells]))
        expect(rows.map((_, index) => padded(found.get(index + 2) ?? [], 5))).toEqual(
          rows.map((cells) => padded(cells, 5))
        )
        expect(read.every(({ marks }) => marks.length === 0)).toBe(true)
      }
    ),
    { numRuns: 5 }
  )
})

test('numbers and times of ours are such cells; what Excel cannot keep stays text', async () => {
  const { file } = await written(
    ['n', 'at'],
    [
      [42, new Date('2026-11-27T07:43:36.123Z')],
      [-0.5, new Date('1900-02-01T00:00:00Z')],
      [2 ** 53, new Date(Number.NaN)],
      [1e21, new Date('9999-12-31T23:59:59Z')]
    ]
  )
  expect((await back(file)).slice(1).map(({ cells }) => cells)).toEqual([
    ['42', '2026-11-27T07:43:36.123'],
    ['-0.5', '1900-02-01T00:00:00.000Z'],
    ['9007199254740992'],
    ['1e+21', '9999-12-31T23:59:59.000']
  ])
})

test('a text that no cell of Excel holds is cut between characters, and counted', async () => {
  const long = `${'a'.repeat(maxCellText - 1)}😀`
  const { file, cut } = await written(['a', 'b'], [[long, 'x'.repeat(maxCellText)]])
  const [, row] = await back(file)
  expect([row?.cells[0], row?.cells[1]?.length, cut]).toEqual(['a'.repeat(maxCellText - 1), maxCellText, 1])
})

test('more rows than a sheet takes go on in the next', { timeout: 60_000 }, async () => {
  async function* rows(): AsyncGenerator<string[][]> {
    for (let sent = 0; sent < 1_050_000; sent += 10_000) yield Array.from({ length: 10_000 }, () => ['a'])
  }
  const book = writeWorkbook([{ name: 'Rows', headings: ['x'], rows: rows() }])
  const file = Buffer.concat(await all(book.pieces))
  const opened = await openWorkbook(file)
  expect(opened.sheets.map(({ name }) => name)).toEqual(['Rows', 'Rows (2)'])
  const second = await back(file, 1)
  expect([second.length, second[0]?.cells, second.at(-1)?.line]).toEqual([1_050_000 - 1_048_575 + 1, ['x'], 1426])
})

test('letters of columns', () => {
  expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD'])
})

test('a source that fails ends the writing', async () => {
  async function* rows(): AsyncGenerator<string[][]> {
    yield [['a']]
    throw new Error('the source failed')
  }
  const book = writeWorkbook([{ name: 'Rows', headings: ['x'], rows: rows() }])
  await expect(all(book.pieces)).rejects.toThrow('the source failed')
})

describe('by the rules of the standard', () => {
  const parts = async (): Promise<Map<string, string>> => {
    const { file } = await written(
      ['id', 'öffnen & schließen'],
      [
        ['=HYPERLINK("x")', 'b'],
        ['0001', new Date(0)]
      ]
    )
    const folder = mkdtempSync(join(tmpdir(), 'workbook-'))
    try {
      writeFileSync(join(folder, 'a.xlsx'), file)
      // Python's archive module verifies every checksum and header on its own.
      const script =
        'import sys,zipfile;z=zipfile.ZipFile(sys.argv[1]);assert z.testzip() is None;z.extractall(sys.argv[2])'
      execFileSync('python3', ['-c', script, join(folder, 'a.xlsx'), folder])
      const names = [
        '[Content_Types].xml',
        '_rels/.rels',
        'xl/workbook.xml',
        'xl/_rels/workbook.xml.rels',
        'xl/styles.xml',
        'xl/worksheets/sheet1.xml'
      ]
      return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
  test.skipIf(spawnSync('python3', ['--version']).status !== 0)('the archive and its parts', async () => {
    const found = await parts()
    for (const xml of found.values())
      if (spawnSync('xmllint', ['--version']).status === 0)
        expect(spawnSync('xmllint', ['--noout', '-'], { input: xml }).status).toBe(0)
    const sheet = found.get('xl/worksheets/sheet1.xml') ?? ''
    // The order of elements is part of the standard, and a formula would be an `f`.
    expect([...sheet.matchAll(/<(sheetViews|cols|sheetData|autoFilter|f)\b/g)].map((match) => match[1])).toEqual([
      'sheetViews',
      'cols',
      'sheetData',
      'autoFilter'
    ])
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(sheet).toContain(
      '<c r="A2" s="1" t="inlineStr"><is><t xml:space="preserve">=HYPERLINK(&quot;x&quot;)</t></is></c>'
    )
    expect(sheet).toContain('<autoFilter ref="A1:B3"/>')
    expect(found.get('xl/workbook.xml')).toContain(`'Rows'!$A$1:$B$3`)
    expect(found.get('xl/styles.xml')).toContain(
      'numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"'
    )
  })
})
