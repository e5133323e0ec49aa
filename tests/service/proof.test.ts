/** Short forms of the long proofs of erasure and of lost keys: a complete console with its own real keychain. */
import { expect, test } from 'vitest'
import { eraseAndLook } from '../../scripts/prove/erasure.ts'
import { loseKeys } from '../../scripts/prove/keys.ts'
import { times } from './support/times.ts'

test('an erased applicant is found nowhere on disk, by text, key, salt or guess', async () => {
  const report = await eraseAndLook(times)
  expect(report).toMatchObject({ people: times, foundBefore: times, digestsBefore: times, faults: [] })
  expect(report.windows).toBeGreaterThan(100_000)
})

test('a lost key is restored by the recovery key, in a real keychain', async () => {
  expect(await loseKeys(2)).toMatchObject([
    { tries: 1, faults: [] },
    { tries: 1, faults: [] },
    { tries: 0 },
    { tries: 0 }
  ])
})
