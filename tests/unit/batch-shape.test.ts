/** Tables as people make them: lines above the headings, rows cut short, odd headings, numbers that were rounded. */
import { describe, expect, test } from 'vitest'
import type { BatchCheck, BatchReading } from '#contract/batches/batches.ts'
import { cellFaultSentence, sentencesOf } from '#contract/failures/sentences.ts'
import { checkSource } from '#core/batches/reading/check.ts'
import { textSource } from '#core/batches/reading/source.ts'

const document: BatchReading = { operations: ['validate-applicant-id-document'] }
const details: BatchReading = { operations: ['get-applicant-details'] }
const ask = (text: string, reading: BatchReading) =>
  checkSource(textSource('rows.csv', text), reading, '00000000-0000-4000-8000-000000000001')
async function check(text: string, reading: BatchReading = document): Promise<BatchCheck> {
  const checked = await ask(text, reading)
  if (!checked.ok) throw new Error(sentencesOf(checked.failure).what)
  return checked.value
}
const link = (n: number): string => `https://files.example.com/${n}.jpg`
/** The rows as they would be read: the line and the cells of each. */
const rows = ({ sample }: BatchCheck) => sample.map(({ row, cells }) => [row, ...cells])

describe('a line that names the delimiter', () => {
  test.each([
    ['sep=;', ';'],
    ['SEP=|', '|'],
    ['"sep=\t"', '\t'],
    ['sep=,,,', ',']
  ])('%j is obeyed and is no row', async (first, delimiter) => {
    const text = [first, ['applicant_id', 'document_url'], ['A-1', link(1)]].map((line) =>
      typeof line === 'string' ? line : line.join(delimiter)
    )
    const found = await check(text.join('\r\n'))
    expect(found).toMatchObject({ rows: 1, good: 1, reading: { delimiter, headingRow: 2 } })
    expect(rows(found)).toEqual([[3, 'A-1', link(1)]])
  })

  test('wins over what is found, but not over what a person chooses', async () => {
    expect((await check('sep=;\na,b;c\nx,y;z\n')).columns).toEqual(['a,b', 'c'])
    expect((await check('sep=;\na,b;c\nx,y;z\n', { ...document, delimiter: ',' })).columns).toEqual(['a', 'b;c'])
  })
})

test('a delimiter within some cells of one column is none', async () => {
  const one = await check('applicant_id\nA-1\n=1;+2\nA,3\n', details)
  expect(rows(one).map(([, ...cells]) => cells)).toEqual([['A-1'], ['=1;+2'], ['A', '3']])
  expect(one).toMatchObject({ columns: ['applicant_id'], faults: [{ row: 4 }] })
  const none = await check('Kunde\nA-1\nA;2\nA-3\n', { ...details, mapping: { applicant_id: 0 } })
  expect(none).toMatchObject({ columns: ['Kunde'], good: 3 })
})

describe('lines above the headings', () => {
  test.each([
    ['a title and an empty line', ['Applicants, November', '', 'applicant_id,document_url'], 3],
    ['titles with the delimiters of a spreadsheet', ['Report;;', ';;', 'Export of;1 Nov;', 'ID;Document;x'], 4],
    ['comments', ['# made by a script, 2026', '#', 'applicant_id,document_url'], 3],
    ['a title that is a heading by chance', ['Document', 'ID,Document,Note'], 2],
    ['a first heading that looks like a comment', ['#,applicant_id,document_url'], 1]
  ])('%s', async (_name, lines, headingRow) => {
    const width = (lines.at(-1) ?? '').split(/[,;]/).length
    const delimiter = lines.at(-1)?.includes(';') ? ';' : ','
    const row =
      width === 2 ? ['A-1', link(1)] : lines.at(-1)?.startsWith('#') ? ['1', 'A-1', link(1)] : ['A-1', link(1), 'x']
    const found = await check([...lines, row.join(delimiter), ''].join('\n'))
    expect(found).toMatchObject({ rows: 1, good: 1, invalid: 0, reading: { headingRow } })
    expect(found.sample[0]?.row).toBe(headingRow + 1)
    expect(found.firstLines.map(({ row: line }) => line)).toContain(headingRow)
  })

  test('are told apart without a field that fits, and can be chosen', async () => {
    const text = 'Kunden\n\nKunde;Scan;Notiz\nA-1;x;\n'
    expect(await check(text)).toMatchObject({ columns: ['Kunde', 'Scan', 'Notiz'], reading: { headingRow: 3 } })
    const chosen = await check('applicant_id,document_url\nID,Document\nA-1,' + link(1), { ...document, headingRow: 2 })
    expect(chosen).toMatchObject({ columns: ['ID', 'Document'], rows: 1, good: 1, reading: { headingRow: 2 } })
    for (const headingRow of [2, 9, 2000])
      expect(await ask(text, { ...document, headingRow })).toMatchObject({
        failure: { code: 'batch-heading-row', details: { line: headingRow } }
      })
  })
})

describe('headings', () => {
  test.each([
    ['a character without a width', 'applicant\u200b_id,\ufeffdocument_url'],
    ['a space that does not break', 'Applicant\u00a0ID,Document\u202fURL'],
    ['Turkish capitals', 'APPLICANT_\u0130D,DOCUMENT_URL'],
    ['Turkish small letters', 'appl\u0131cant_\u0131d,document_url'],
    ['full width', '\uff21pplicant id,document url']
  ])('fit with %s', async (_name, headings) => {
    expect(await check(`${headings}\nA-1,${link(1)}\n`)).toMatchObject({ good: 1 })
  })

  test.each([
    ['twice the same', 'Note,applicant_id,document_url,note'],
    ['none', ',applicant_id,document_url,'],
    ['both', 'x,applicant_id,document_url,X,,']
  ])('that no field uses may be %s', async (_name, headings) => {
    expect(await check(`${headings}\nn,A-1,${link(1)},m\n`)).toMatchObject({ good: 1 })
  })

  test('that a field uses must be one, unless a person chooses', async () => {
    const text = `applicant_id,Applicant_ID,document_url\nA-1,B-1,${link(1)}\n`
    expect(await ask(text, document)).toMatchObject({
      failure: { code: 'batch-heading-twice', details: { first: 1, second: 2 } }
    })
    const mapping = { applicant_id: 1, document_url: 2 }
    expect(await check(text, { ...document, mapping })).toMatchObject({ good: 1, reading: { mapping } })
  })
})

describe('rows', () => {
  test('that a spreadsheet has cut short are filled up, longer ones are errors', async () => {
    const found = await check(
      `applicant_id,document_url,note,more\nA-1,${link(1)}\nA-2,${link(2)},x\nA-3,${link(3)},x,y,,\nA-4,${link(4)},x,y,z\n`
    )
    expect(rows(found).slice(0, 3)).toEqual([
      [2, 'A-1', link(1), '', ''],
      [3, 'A-2', link(2), 'x', ''],
      [4, 'A-3', link(3), 'x', 'y']
    ])
    expect(found).toMatchObject({ good: 3, faults: [{ row: 5, fault: { code: 'row-length' } }] })
  })

  test.each([
    ['semicolons', ['applicant_id;document_url;note;more', `A-1;${link(1)};x;y`, `A-2;${link(2)}`, `A-3;${link(3)};z`]],
    ['tabs', ['applicant_id\tdocument_url\tnote', `A-1\t${link(1)}\tx`, `A-2\t${link(2)}`, `A-3\t${link(3)}`]],
    [
      'quotes',
      ['"applicant_id","document_url","note"', `"A-1","${link(1)}","x, y"`, `"A-2","${link(2)}"`, `A-3,${link(3)}`]
    ],
    [
      'a line that names the delimiter',
      ['sep=;', 'applicant_id;document_url;note', `A-1;${link(1)}`, `A-2;${link(2)};x`]
    ],
    [
      'a block that begins after sixteen rows, as Excel writes it',
      [
        'applicant_id,document_url,note',
        ...Array.from({ length: 16 }, (_, row) => `A-${row},${link(row)},`),
        ...Array.from({ length: 9 }, (_, row) => `B-${row},${link(row + 50)}`)
      ]
    ]
  ])('cut short are filled up with %s', async (_name, lines) => {
    for (const end of ['\n', '\r\n']) {
      const found = await check(`${lines.join(end)}${end}`)
      expect(found).toMatchObject({ good: found.rows, invalid: 0, noteCount: 0 })
      expect(found.rows).toBe(lines.filter((line) => /[AB]-\d/.test(line)).length)
    }
  })

  test('of one cell may be the rest of the line above: they are pointed out', async () => {
    const found = await check('applicant_id,note\nA-1,one\ntwo\n', details)
    expect(found).toMatchObject({
      good: 2,
      noteCount: 1,
      notes: [{ row: 3, column: '', fault: { code: 'row-short' } }]
    })
  })

  test('have the doubtful cells pointed out that are used, and no others', async () => {
    const found = await check(`applicant_id,document_url,note\n"A "1" B",${link(1)},x\nA-2,${link(2)},"y "z""\n`)
    expect(rows(found)).toEqual([
      [2, 'A "1" B', link(1), 'x'],
      [3, 'A-2', link(2), 'y "z"']
    ])
    expect(found.notes).toMatchObject([
      { row: 2, column: 'applicant_id', fault: { code: 'cell-quotes' }, value: 'A "1" B' }
    ])
  })
})

describe('numbers that a spreadsheet has rounded', () => {
  test.each(['1.23457E+11', '1,23457E+11', '1E+15', '-4.2e-07', '123.457E+09', '1.5E17'])(
    '%s is an error of its row, and no duplicate',
    async (value) => {
      const text = `applicant_id;x\n${value};1\n${value};2\nA-1;3\n`
      const found = await check(text, details)
      expect(found).toMatchObject({ good: 1, invalid: 2, duplicates: 0 })
      expect(found.faults[0]).toMatchObject({
        row: 2,
        column: 'applicant_id',
        fault: { code: 'cell-scientific' },
        value
      })
      expect(cellFaultSentence(found.faults[0]!)).toContain(`The cell says “${value}”.`)
      const kept = await check(text, { ...details, rounded: 'keep' })
      expect(kept).toMatchObject({ good: 3, duplicates: 1, noteCount: 2, reading: { rounded: 'keep' } })
    }
  )
  test.each(['4E10', 'E+11', '12E4B', '1E', 'A1.5E+3'])('%s is an ID', async (value) => {
    expect(await check(`applicant_id;x\n${value};1\n`, details)).toMatchObject({ good: 1, noteCount: 0 })
  })
  test('whose last digits are zeros are pointed out, in the applicant of a link as well', async () => {
    const found = await check(`id_url,applicant_id\n${link(1)},1234567890123450\n${link(2)},1E+15\n`, {
      operations: ['validate-passport']
    })
    expect(found).toMatchObject({
      notes: [{ row: 2, fault: { code: 'cell-digits' } }],
      faults: [{ row: 3, column: 'applicant_id', fault: { code: 'cell-scientific' } }]
    })
  })
})

test('the wrong value stands in the message, without a signature or what could be a credential', async () => {
  const signed = 'ftp://files.example.com/x.jpg?X-Amz-Signature=0123456789abcdef0123456789abcdef'
  const { faults } = await check(`applicant_id,document_url\n A-1,${signed}\ncurl -H "x: y" z,${link(1)}\n`)
  expect(faults.map(({ value }) => value)).toEqual([' A-1', expect.stringMatching(/^ftp:.*REMOVED/), undefined])
})
