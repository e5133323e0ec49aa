/** When Administration is marked because of the recovery key. */
import { expect, it } from 'vitest'
import { isMissing, type RecoveryFacts } from '../../renderer/features/data-management/recovery-store.ts'

const createdAt = Date.UTC(2026, 10, 21)
const facts: RecoveryFacts = { onFile: true, records: 1, recovery: { exists: false, confirmed: false } }

it('is missing while there is none, or none whose copy was confirmed', () => {
  expect(isMissing(facts)).toBe(true)
  expect(isMissing({ ...facts, recovery: { exists: true, createdAt, confirmed: false } })).toBe(true)
  expect(isMissing({ ...facts, recovery: { exists: true, createdAt, confirmed: true } })).toBe(false)
})
it('is not missing where nothing would be lost, or before the state is known', () => {
  for (const other of [{ onFile: false }, { records: 0 }, { recovery: undefined }])
    expect(isMissing({ ...facts, ...other })).toBe(false)
})
