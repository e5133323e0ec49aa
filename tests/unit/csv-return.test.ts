/**
 * Files that the console writes are read back unchanged; apostrophes that it did not write are reported, and kept
 * unless a person decides otherwise.
 */
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  batchDelimiters,
  type BatchCheck,
  type BatchDelimiter,
  type BatchReading,
  type BatchSummary
} from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { ok } from '#contract/failures/result.ts'
import { invalidField } from '#contract/failures/failures.ts'
import { invalidText } from '#core/batches/invalid-rows.ts'
import { spreadsheetSafe, withoutApostrophes } from '#contract/text/spreadsheet-safe.ts'
import { checkSource, openRows } from '#core/batches/reading/check.ts'
import { textSource } from '#core/batches/reading/source.ts'
import { resultsText } from '#core/batches/results.ts'
import type { BatchDraft, BatchStore, RowResult } from '#wire/history/batches.ts'

const details: BatchReading = { operations: ['get-applicant-details'], encoding: 'utf-8' }
const checkId = '00000000-0000-4000-8000-000000000001'
const mark = 'veridesk_escaped'

async function checked(text: string, more: Partial<BatchReading> = {}): Promise<BatchCheck> {
  const check = await checkSource(textSource('rows.csv', text), { ...details, ...more }, checkId)
  if (!check.ok) throw new Error(sentencesOf(check.failure).what)
  return check.value
}
/** Every row as it is read, whatever is wrong with it. */
async function read(
  text: string,
  more: Partial<BatchReading> = {}
): Promise<{ columns: readonly string[]; rows: (readonly string[])[] }> {
  const opened = await openRows(textSource('rows.csv', text), { ...details, ...more })
  if (!opened.ok) throw new Error(sentencesOf(opened.failure).what)
  const rows: (readonly string[])[] = []
  for await (const { cells } of opened.value.rows()) rows.push(cells)
  return { columns: opened.value.layout.columns, rows }
}
async function joinedText(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += String(piece)
  return text
}
async function invalidFile(text: string, more: Partial<BatchReading> = {}): Promise<string> {
  return joinedText(
    invalidText({ source: textSource('rows.csv', text), check: await checked(text, more) }, 'csv').pieces
  )
}
/** A file of results, whose rows come from a store as from the history. */
async function resultsFile(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  delimiter: BatchDelimiter
): Promise<string> {
  const given: RowResult[] = rows.map((cells, index) => ({
    row: index + 1,
    state: 'invalid',
    tries: 0,
    cells,
    fault: [{ column: '=what is wrong', fault: invalidField('cell-nul') }]
  }))
  const store = { results: async () => ok({ rows: given, more: false }) } as unknown as BatchStore
  const draft = {
    operations: ['get-applicant-details'],
    layout: { columns, delimiter, mapping: {}, applicantColumn: -1 }
  } as unknown as BatchDraft
  return joinedText(resultsText(store, {} as unknown as BatchSummary, draft, 'results', 'csv').pieces)
}

const piece = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '＝',
  '＋',
  '－',
  '＠',
  ';',
  ',',
  '\t',
  '|',
  '\n',
  '\r\n',
  '\r',
  '"',
  '""',
  "'",
  "''",
  ' ',
  '\u00a0',
  'a',
  '1+1',
  '漢',
  "'=",
  "'-5001",
  '-5001'
)
const cell = fc
  .array(piece, { maxLength: 9 })
  .map((pieces) => pieces.join(''))
  // A formula that is nothing but a text is read as that text.
  .filter((text) => !/^="([^"]|"")*"$/.test(text))
const delimiter = fc.constantFrom(...batchDelimiters)

describe('a cell', () => {
  test('is the same after it was made safe and given back', () => {
    fc.assert(
      fc.property(
        cell,
        delimiter,
        (given, own) => void expect(withoutApostrophes(spreadsheetSafe(given, own), own)).toBe(given)
      ),
      { numRuns: 5000 }
    )
  })
  test('without added apostrophes stays unchanged', () => {
    fc.assert(
      fc.property(cell, delimiter, (given, own) => {
        if (spreadsheetSafe(given, own) === given) expect(withoutApostrophes(given, own)).toBe(given)
      }),
      { numRuns: 5000 }
    )
  })
})

const shape = fc.record({
  headings: fc
    .uniqueArray(cell, { minLength: 2, maxLength: 2, selector: (text) => text.trim().toLowerCase() })
    .filter((texts) => texts.every((text) => text.trim() !== '' && !text.startsWith('\ufeff'))),
  rows: fc
    .array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 })
    .map((rows) => rows.filter((row) => row.some((each) => each.trim() !== '')))
    .filter((rows) => rows.length > 0),
  own: delimiter
})

describe('a file of the console’s own', () => {
  test('of invalid rows is read back exactly, however often it is saved', async () => {
    await fc.assert(
      fc.asyncProperty(shape, async ({ headings, rows, own }) => {
        // An empty ID makes each row invalid.
        const columns = ['applicant_id', ...headings.map((heading) => `${heading}x`)]
        const table = rows.map((row) => ['', ...row])
        const original = stringify([columns, ...table], { delimiter: own, quoted: true })
        let text = original
        for (const _time of [1, 2]) {
          text = await invalidFile(text, { delimiter: own })
          const back = await read(text, { delimiter: own })
          expect(back.columns.slice(0, 3)).toEqual(columns)
          expect(back.columns).not.toContain(mark)
          expect(back.rows.map((row) => row.slice(0, 3))).toEqual(table)
        }
      }),
      { numRuns: 50 }
    )
  })

  test('of results is read back exactly, also after saving with another separator, sorting or moving columns', async () => {
    await fc.assert(
      fc.asyncProperty(shape, delimiter, async ({ headings, rows, own }, later) => {
        const text = await resultsFile(headings, rows, own)
        const back = await read(text, { delimiter: own })
        expect(back.columns.slice(0, 2)).toEqual(headings)
        expect(back.rows.map((row) => row.slice(0, 2))).toEqual(rows)
        const table = parse(text, { bom: true, delimiter: own, record_delimiter: '\r\n' }) as string[][]
        expect(table[0]?.filter((heading) => heading === mark)).toEqual([mark])
        // As edited by a person: the last column first, the last row first, another separator.
        const [first = [], ...others] = table.map((row) => [row.at(-1) ?? '', ...row.slice(0, -1)])
        const moved = await read(stringify([first, ...others.toReversed()], { delimiter: later, quoted: true }), {
          delimiter: later
        })
        expect(moved.rows.map((row) => row.slice(0, 2))).toEqual(rows.toReversed())
      }),
      { numRuns: 50 }
    )
  })

  test('reports how many rows were restored, and sends the original values', async () => {
    const text = await resultsFile(
      ['applicant_id', 'note'],
      [
        ['-5001', 'a'],
        ['@ada', '=1+1'],
        ["'-7", 'b'],
        ['A-4', 'c']
      ],
      ','
    )
    expect(text).toContain("'-5001,a,")
    // All rows: the error messages begin like a formula, too.
    const check = await checked(text)
    expect(check.sample.map(({ cells }) => cells[0])).toEqual(['-5001', '@ada', "'-7", 'A-4'])
    expect(check).toMatchObject({ good: 4, apostrophes: { restored: 4 } })
    // The third ID has an apostrophe of its own: it is restored and reported, as in the original file.
    expect(check.apostrophes).toMatchObject({ rows: 1, places: [{ row: 4, column: 'applicant_id' }] })
  })

  test('keeps the cells of rows that a person added without a mark, and reports those', async () => {
    const check = await checked(`applicant_id,${mark}\n'-1,comma\n'-2,\n-3,\n'-4,Comma\n'-5,soon\n`)
    expect(check.sample.map(({ cells: [id] }) => id)).toEqual(['-1', "'-2", '-3', '-4', "'-5"])
    expect(check.apostrophes).toEqual({
      restored: 2,
      rows: 2,
      places: [
        { row: 3, column: 'applicant_id' },
        { row: 6, column: 'applicant_id' }
      ]
    })
  })

  test('without its mark column is a file like any other', async () => {
    const table = parse(await resultsFile(['applicant_id'], [['-5001'], ['A-2']], ','), { bom: true }) as string[][]
    const check = await checked(stringify(table.map((row) => row.slice(0, -1))))
    expect(check.sample.map(({ cells }) => cells[0])).toEqual(["'-5001", 'A-2'])
    expect(check.apostrophes).toMatchObject({ restored: 0, rows: 1, places: [{ row: 2, column: 'applicant_id' }] })
  })

  test('gives back rows with too many cells as they were, and fills up those with too few', async () => {
    const first = await invalidFile("applicant_id,note\nA,=1,=2,'=3\n B\n")
    const back = await read(first)
    expect(back.columns).toEqual(['applicant_id', 'note', 'line', 'faults'])
    expect(back.rows.map((row) => [...row.slice(0, 2), ...row.slice(4)])).toEqual([
      ['A', '=1', '=2', "'=3"],
      [' B', '']
    ])
    // A spreadsheet omits empty cells at the end of a line.
    expect(await checked(`applicant_id,note,${mark}\nA,b\nB,c,\n`)).toMatchObject({ good: 2 })
  })

  test('with two mark columns is refused: it is not known which one applies', async () => {
    const refused = await checkSource(
      textSource('x.csv', `applicant_id,${mark},Veridesk Escaped\nA,,\n`),
      details,
      checkId
    )
    expect(refused).toMatchObject({ failure: { code: 'batch-heading-twice' } })
  })
})

describe('an apostrophe before a sign in another file', () => {
  const text = "applicant_id,note\n'-5001,'=1\n@ada,x\n'@ada,x\n' =x,x\na;'=1,x\n'quoted',x\n'−1,x\n"
  test('is pointed out with its row where it would be sent, and kept', async () => {
    const check = await checked(text)
    expect(check.sample.map(({ cells }) => cells[0])).toEqual([
      "'-5001",
      '@ada',
      "'@ada",
      "' =x",
      "a;'=1",
      "'quoted'",
      "'−1"
    ])
    expect(check.apostrophes).toMatchObject({ restored: 0, rows: 4 })
    expect(check.apostrophes.places.map(({ row }) => row)).toEqual([2, 4, 5, 6])
    expect(check.reading.apostrophes).toBe('keep')
  })

  test('is removed where a person chooses so', async () => {
    const check = await checked(text, { apostrophes: 'remove' })
    expect(check.sample.map(({ cells }) => cells[0])).toEqual([
      '-5001',
      '@ada',
      '@ada',
      ' =x',
      'a;=1',
      "'quoted'",
      "'−1"
    ])
    expect(check.sample[0]?.cells[1]).toBe('=1')
    expect(check).toMatchObject({ duplicates: 1, apostrophes: { rows: 4 }, reading: { apostrophes: 'remove' } })
    expect(check.apostrophes.places.map(({ row }) => row)).toEqual([2, 4, 5, 6])
  })

  test('is pointed out in a link to an applicant and in an address', async () => {
    const check = await checked("id_url,applicant_id\nhttps://files.example.com/1,'-7\n'=https://x,A\n", {
      operations: ['validate-passport']
    })
    expect(check.apostrophes.places).toEqual([
      { row: 2, column: 'applicant_id' },
      { row: 3, column: 'id_url' }
    ])
  })

  test('is counted in every row and listed for the first five hundred', async () => {
    const check = await checked(['applicant_id', ...Array.from({ length: 700 }, (_, n) => `'-${n}`)].join('\n'))
    expect(check.apostrophes.rows).toBe(700)
    expect(check.apostrophes.places).toHaveLength(500)
  })
})
