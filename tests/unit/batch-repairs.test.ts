/** Repairs of faulty cells that the window offers. */
import { describe, expect, it, test } from 'vitest'
import type { CheckedFault } from '#contract/batches/batches.ts'
import type { FieldFaultCode } from '#contract/failures/failures.ts'
import { lastChange, repairOf, replacedIn } from '../../renderer/features/batches/batch-repairs.ts'

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

test('a text is replaced in one column, where it occurs', () => {
  const faults = [
    faultOf('url-incomplete', 'x/1', 3),
    faultOf('url-incomplete', 'y/1', 5),
    faultOf('spaces-around', ' x', 6, 'id')
  ]
  expect(replacedIn(faults, 'link', 'x', 'z')).toEqual([{ row: 3, value: 'z/1' }])
  expect(replacedIn(faults, 'link', '', 'z')).toEqual([])
})

test('what was done last is undone first, a correction or a skipped line', () => {
  const corrections = [{ row: 4, column: 1, value: 'a', at: 1 }]
  expect(lastChange({ corrections, skipped: [{ row: 9, at: 2 }] })).toMatchObject({ row: 9 })
  expect(lastChange({ corrections, skipped: [{ row: 9, at: 0 }] })).toMatchObject({ row: 4, column: 1 })
  expect(lastChange({ corrections: [], skipped: [] })).toBeUndefined()
})
