/** Lines of a CSV text: whatever the pieces it arrives in, with the number of the line on which each row begins. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvLines, type CsvLine } from '#kit/csv/csv-lines.ts'

function read(text: string, delimiter = ',', length = text.length + 1): CsvLine[] {
  const csv = new CsvLines(delimiter)
  const lines: CsvLine[] = []
  for (let at = 0; at < text.length; at += length) lines.push(...csv.push(text.slice(at, at + length)))
  return [...lines, ...csv.end()]
}
const cells = (text: string, delimiter?: string) => read(text, delimiter).map((line) => line.cells)

describe('the number of a row is that of the line on which it begins', () => {
  test.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n']
  ])('%s, with empty lines and a cell of several lines', (_name, end) => {
    const text = ['a,b', '', 'c,"d', '', 'e"', ' , ', 'f,g', ''].join(end)
    expect(read(text).map(({ line }) => line)).toEqual([1, 3, 7])
    expect(read(text)[1]?.cells).toEqual(['c', `d${end}${end}e`])
  })
})

describe('quotes are read as people mean them', () => {
  test.each([
    ['within a cell', 'x 5",y', ['x 5"', 'y'], undefined],
    ['around a cell that has quotes within', '"Ali "Big" Veli",y', ['Ali "Big" Veli', 'y'], [0]],
    ['around a cell that ends with one', '"Ali "Big"",y', ['Ali "Big"', 'y'], [0]],
    ['around the first word alone', '"Big" Ali,"y"', ['"Big" Ali', 'y'], [0]],
    ['behind a space', 'x, "y, z" ,w', ['x', 'y, z', 'w'], undefined],
    ['doubled', '"a ""b"" c",y', ['a "b" c', 'y'], undefined],
    ['a formula that is a text', '="0001",="",x', ['0001', '', 'x'], undefined],
    ['the same, quoted', '"=""0001""",x', ['0001', 'x'], undefined],
    ['a formula of two texts', '="a"&"b",x', ['="a"&"b"', 'x'], [0]]
  ])('%s', (_name, text, expected, doubtful) => {
    for (const end of ['', '\nnext,line\n'])
      expect(read(text + end)[0]).toEqual({ line: 1, cells: expected, ...(doubtful && { doubtful }) })
  })

  test('one that is never closed names its row', () => {
    expect(() => read('a,b\n\n1,"open\n2,x')).toThrow(expect.objectContaining({ kind: 'quote-open', line: 3 }))
  })
})

test.each(['\u001a', '\n\u001a', '\r\n\u001a\u001a\u001a', '\n\u001a\n'])(
  'the end mark of DOS is no cell: %j',
  (mark) => {
    expect(cells(`a,b\n1,2${mark}`)).toEqual([
      ['a', 'b'],
      ['1', '2']
    ])
  }
)

test('is the same in pieces of any length', () => {
  const piece = fc.constantFrom('a', '"', '""', ',', ' ', '\n', '\r\n', '\r', '="', '=', 'é')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 5 }), (pieces, length) => {
      const text = pieces.join('')
      const answer = (size?: number): unknown => {
        try {
          return read(text, ',', size)
        } catch (error) {
          return (error as { kind: string }).kind
        }
      }
      expect(answer(length)).toEqual(answer())
    }),
    { numRuns: 3000 }
  )
})
