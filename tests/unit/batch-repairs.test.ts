/** Repairs of faulty cells that the window offers, and its list of errors and corrected cells. */
import { describe, expect, it } from 'vitest'
import type { CheckedFault } from '#contract/batches/batches.ts'
import type { FieldFaultCode } from '#contract/failures/failures.ts'
import { errorLines, repairOf, replacedIn } from '../../renderer/features/batches/batch-repairs.ts'

const faultOf = (code: FieldFaultCode, cell: string | undefined, row = 2, column = 'link'): CheckedFault => ({
  row,
  column,
  fault: { code } as CheckedFault['fault'],
  ...(cell !== undefined && { cell, value: cell })
})

describe('a repair', () => {
  it.each<[FieldFaultCode, string | undefined, string | undefined]>([
    ['spaces-within', 'https://x.example/a b.jpg', 'https://x.example/a%20b.jpg'],
    ['spaces-within', ' https://x.example/a.jpg ', 'https://x.example/a.jpg'],
    ['spaces-within', 'https://x.example/a\u00A0b.jpg', undefined],
    ['spaces-around', ' A-1', 'A-1'],
    ['url-incomplete', 'files.example.com/1.jpg', 'https://files.example.com/1.jpg'],
    ['url-incomplete', 'not an address', undefined],
    ['url-scheme', 'ftp://files.example.com/1.jpg', undefined],
    ['url-missing', '', undefined],
    ['looks-like-credential', undefined, undefined]
  ])('of %s in %j is %j', (code, cell, value) => {
    expect(repairOf(faultOf(code, cell))?.value).toBe(value)
  })
})

describe('the list of errors', () => {
  const correction = { row: 4, column: 1, said: 'a b', value: 'a%20b', at: 1 }
  const columns = ['id', 'link']
  const reading = { corrections: [correction] } as unknown as Parameters<typeof errorLines>[0]['reading']

  it('has corrected cells at their place, and a correction that is not right yet once', () => {
    const faults = [faultOf('url-missing', '', 3), faultOf('url-missing', '', 9)]
    expect(errorLines({ faults, columns, reading }).map(({ row, fault }) => [row, fault !== undefined])).toEqual([
      [3, true],
      [4, false],
      [9, true]
    ])
    const [still] = errorLines({ faults: [faultOf('url-incomplete', 'a%20b', 4)], columns, reading })
    expect(still).toMatchObject({ row: 4, fault: { cell: 'a%20b' }, correction })
  })

  it('is replaced in one column, where the text occurs', () => {
    const faults = [
      faultOf('url-incomplete', 'x/1', 3),
      faultOf('url-incomplete', 'y/1', 5),
      faultOf('spaces-around', ' x', 6, 'id')
    ]
    expect(replacedIn(errorLines({ faults, columns, reading }), 'link', 'x', 'z')).toEqual([{ row: 3, value: 'z/1' }])
    expect(replacedIn(errorLines({ faults, columns, reading }), 'link', '', 'z')).toEqual([])
  })
})
