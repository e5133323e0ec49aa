import { expect, it } from 'vitest'
import { retentionRows } from '../../renderer/features/data-management/retention-rows.ts'

const present = [
  { id: 'a', name: 'Bank' },
  { id: 'b', name: 'Practice' }
]
const recorded = [
  { id: 'old', name: 'Bank', mode: 'live' as const, count: 12 },
  { id: 'a', name: 'Bank', mode: 'live' as const, count: 3 }
]

it('offers removed connections for as long as records name them, told apart from one of the same name', () => {
  expect(retentionRows(present, recorded, { a: 30, old: 365 })).toEqual([
    { id: 'a', name: 'Bank' },
    { id: 'b', name: 'Practice' },
    { id: 'old', name: 'Bank', help: 'Removed connection. This applies to its 12 records.' }
  ])
})

it('shows a rule without any records, so that it can be removed', () => {
  expect(retentionRows(present, [], { gone: 30 }).at(-1)).toEqual({
    id: 'gone',
    name: 'Removed connection',
    help: 'No records left.'
  })
})
