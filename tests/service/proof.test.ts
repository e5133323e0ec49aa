/** Erasure and lost keys: a complete console with its own real keychain. */
import { expect, test } from 'vitest'
import { eraseAndLook } from './support/erased-applicants.ts'
import { loseKeys } from './support/key-losses.ts'
import { counted, times } from './support/times.ts'

test(
  'an erased applicant is found nowhere on disk, by text, key, salt or guess',
  { timeout: 180_000 * times },
  async ({ task }) => {
    const report = await eraseAndLook(times)
    counted(task, {
      'applicants': report.people,
      'copies deleted': report.copiesDeleted,
      'keys and salts tried': report.windows,
      'faults': report.faults.length
    })
    expect(report).toMatchObject({ people: times, foundBefore: times, digestsBefore: times, faults: [] })
    expect(report.windows).toBeGreaterThan(100_000)
  }
)

test('a lost key is restored by the recovery key, in a real keychain', async ({ task }) => {
  // All four ways to lose it where this is repeated, and the first two otherwise.
  const lost = await loseKeys(times === 1 ? 2 : 4 * times)
  const wrong = lost.flatMap(({ faults }) => faults)
  counted(task, { 'attempts': lost.reduce((sum, { tries }) => sum + tries, 0), 'wrong results': wrong.length })
  expect(wrong).toEqual([])
  expect(lost.map(({ tries }) => tries)).toEqual(times === 1 ? [1, 1, 0, 0] : [times, times, times, times])
})
