/** CSV that no spreadsheet runs, whichever separator it splits at, and that loses nothing except what it reports. */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { batchDelimiters } from '#contract/batches/batches.ts'
import { spreadsheetSafe } from '#contract/text/spreadsheet-safe.ts'
import { csvText } from '#core/csv/formula.ts'
import { cellsSplitAt } from '../service/support/formulas.ts'

// Independent of the rule itself.
const formula = /^["\s\0]*[=+\-@＝＋－＠]/
const piece = fc.constantFrom(
  '=',
  '+',
  '-',
  '@',
  '＝',
  ';',
  ',',
  '\t',
  '|',
  '\n',
  '\r\n',
  '"',
  '""',
  "'",
  ' ',
  '\u00a0',
  '\0',
  'a',
  'b',
  '1+1',
  '漢'
)
const cell = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 })
const delimiter = fc.constantFrom(...batchDelimiters)

test('no cell is run, at the file’s own separator and at every other one', () => {
  fc.assert(
    fc.property(table, delimiter, fc.constantFrom(...batchDelimiters), (rows, own, elsewhere) => {
      const text = csvText(rows, own)
      const cells =
        own === elsewhere
          ? (parse(text, { delimiter: own, record_delimiter: '\r\n' }) as string[][]).flat()
          : cellsSplitAt(text, elsewhere)
      for (const one of cells) expect(one).not.toMatch(formula)
    }),
    { numRuns: 3000 }
  )
})

test('apostrophes are put before signs, and nothing else is changed', () => {
  fc.assert(
    fc.property(table, delimiter, (rows, own) => {
      const cells = (parse(csvText(rows, own), { delimiter: own, record_delimiter: '\r\n' }) as string[][]).flat()
      for (const [index, given] of rows.flat().entries()) {
        const found = cells[index] ?? ''
        let at = 0
        for (const character of found)
          if (character === given[at]) at += 1
          else expect(character).toBe("'")
        expect(at).toBe(given.length)
        if (!/[=+\-@＝]|^'*[\t\r\n]/.test(given)) expect(found).toBe(given)
      }
    }),
    { numRuns: 2000 }
  )
})

test('a single line break within a cell does not end its row', () => {
  const rows = [
    ['a\nb', 'c'],
    ['a\rb', 'c']
  ]
  expect(csvText(rows)).toBe('"a\nb",c\r\n"a\rb",c\r\n')
})

describe('a cell that begins like a formula', () => {
  const payloads = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    "=cmd|' /C calc'!A0",
    '＝1',
    '＋1',
    '－1',
    '＠x',
    ' =1',
    '\u00a0=1',
    '\0=1',
    '"=1',
    '\tx'
  ]
  test.each(payloads)('%j is not run', (given) => expect(spreadsheetSafe(given)).toBe(`'${given}`))
  // One more, so that the original can be restored.
  test.each(["'=1", "''@x", "'\t"])('%j has an apostrophe already, and gets another one', (given) =>
    expect(spreadsheetSafe(given)).toBe(`'${given}`)
  )
  test.each(['\t', '\r', '\n'])('after %j is not run either', (start) =>
    expect(spreadsheetSafe(`${start}=1`)).toBe(`'${start}'=1`)
  )
  test.each(['007', 'APP-1', 'https://a.example/?a=1', '', 'Straße', '1-2', 'a\tb'])(
    '%j does not, and stays as it is',
    (given) => expect(spreadsheetSafe(given)).toBe(given)
  )
})

describe('a cell behind another separator', () => {
  test.each([
    ['a;=1+1;b', "a;'=1+1;b"],
    ['a\t@x', "a\t'@x"],
    ['a\r\n-1', "a\r\n'-1"],
    ['a; "=1', 'a;\' "=1'],
    ['x;y=1', 'x;y=1'],
    // Its own separator: the quotes around the cell protect it.
    ['Paris, =1', 'Paris, =1']
  ])('%j in a file with commas', (given, safe) => expect(spreadsheetSafe(given)).toBe(safe))
  test('in a file with semicolons', () => {
    expect(spreadsheetSafe('Paris, =1;-2', ';')).toBe("Paris,' =1;-2")
    expect(csvText([['Paris;-2', 'b']], ';')).toBe('"Paris;-2";b\r\n')
  })
})
