/** What the window says about updates, in each state. */
import { describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import type { UpdatesState } from '#contract/updates/updates.ts'
import {
  checksumText,
  filesInOrder,
  keysInText,
  newVersion,
  updateWords
} from '../../renderer/features/updates/update-words.ts'
import { noticeAt } from '../service/support/release-notices.ts'

const release = noticeAt(Date.parse('2026-11-24T12:00:00Z'))
const on = (more: Partial<UpdatesState> = {}): UpdatesState => ({ mode: 'on', checking: false, ...more })
const notice = (newer: boolean): UpdatesState['notice'] => ({ release, newer, acceptedAt: 0 })
const lost = failure('update-not-fetched', { host: 'updates.example.com', reason: 'lost' })

describe('the sentence about updates', () => {
  it.each<readonly [string, UpdatesState, RegExp]>([
    ['off', { mode: 'off', checking: false }, /^Off\. Nothing is fetched\.$/],
    ['never checked', on(), /^Not checked yet\.$/],
    ['checking', on({ checking: true, checkedAt: 1, notice: notice(true) }), /^Checking …$/],
    ['up to date', on({ checkedAt: 1, notice: notice(false) }), /^Veridesk 1\.0\.0 is up to date\. Last checked .+\.$/],
    [
      'a newer release',
      on({ checkedAt: 1, notice: notice(true) }),
      /^Veridesk 9\.1\.0 is available\. Installed version: 1\.0\.0\. Last checked .+\.$/
    ],
    [
      'a newer release while the feed cannot be reached',
      on({ checkedAt: 1, failure: lost, notice: notice(true) }),
      /is available/
    ],
    ['refused', on({ checkedAt: 1, failure: failure('update-not-signed') }), /^Last checked .+\.$/],
    [
      'up to date before, and unreachable since',
      on({ checkedAt: 1, failure: lost, notice: notice(false) }),
      /^Last checked .+\.$/
    ]
  ])('%s', (_name, state, words) => expect(updateWords(state, '1.0.0')).toMatch(words))
})

it('a line names a newer release until it is dismissed, and the next one again', () => {
  expect(newVersion(on({ notice: notice(true) }), '')).toBe('9.1.0')
  expect(newVersion(on({ notice: notice(true) }), '9.1.0')).toBeUndefined()
  expect(newVersion(on({ notice: notice(true) }), '9.0.0')).toBe('9.1.0')
  expect(newVersion(on({ notice: notice(false) }), '')).toBeUndefined()
})

it('files of this system come first, and are copied as sha256sum reads them', () => {
  const [deb] = release.files
  const exe = { ...deb!, name: 'Veridesk-9.1.0-win-x64.msi', platform: 'windows' as const }
  expect(filesInOrder([deb!, exe], 'win32').map(({ name }) => name)).toEqual([exe.name, deb!.name])
  expect(checksumText([deb!])).toBe(`${'ab'.repeat(32)}  ${deb!.name}\n`)
  expect(keysInText(' a\n\nb, c ')).toEqual(['a', 'b', 'c'])
})
