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

  test.each([
    ['in the last cell', 'a,b\n1,"open\n2,x\n', ['1', '"open'], 1],
    ['in the first', 'a,b\n"1,x\r\n2,"y, z"\n', ['"1', 'x'], 0],
    ['on the last line', 'a,b\n1,"open', ['1', '"open'], 1],
    ['before a cell in quotes', 'a,b\n1,"open\n2,"x"\n3,"y"\n', ['1', '"open'], 1],
    ['before a pair', 'a,b,c\n1,"open,w\n2,x "y" z,w\n', ['1', '"open', 'w'], 1]
  ])('one that is never closed encloses nothing where whole rows follow: %s', (_name, text, expected, column) => {
    const lines = read(text)
    expect(lines[1]).toEqual({ line: 2, cells: expected, doubtful: [column] })
    expect(lines.map(({ line }) => line)).toEqual(
      text
        .trimEnd()
        .split('\n')
        .map((_, index) => index + 1)
    )
  })
  test('one that is never closed names its row where that is not certain', () => {
    for (const text of ['a,b\n\n1,"open, with\n2,x', 'a,b\n\n1,"open\nx,y,z', 'a,b\n\n1,"open\nx'])
      expect(() => read(text)).toThrow(expect.objectContaining({ kind: 'quote-open', line: 3 }))
  })
  test('a cell of several lines stays one, also with quotes within', () => {
    expect(cells('a,b,c\n1,"He said ""no""\nand ""left""",x\n')[1]).toEqual(['1', 'He said "no"\nand "left"', 'x'])
    expect(cells('a,b\n1,"two\nlines, here"\n')[1]).toEqual(['1', 'two\nlines, here'])
  })
  test('one that is still open after the longest row is not waited for', () => {
    const rows = Array.from({ length: 90 }, (_, row) => `${row},${'x'.repeat(100_000)}`).join('\n')
    const lines = read(`a,b\n1,"open\n${rows}`, ',', 1_048_576)
    expect(lines[1]).toEqual({ line: 2, cells: ['1', '"open'], doubtful: [1] })
    expect(lines).toHaveLength(92)
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
