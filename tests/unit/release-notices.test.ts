/** Which notices of a release are used: every rule as a row, with the failure that says why not. */
import { describe, expect, it } from 'vitest'
import type { FailureCode } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { maxReleaseBytes, type Release } from '#contract/updates/releases.ts'
import { compareRelease, readRelease, type NoticeContext } from '#core/updates/notice.ts'
import { versionOrder } from '#core/updates/version-order.ts'
import { signed } from '../../scripts/releases/secret-key.ts'
import { fileOf, newSigner, noticeAt, readerOf } from '../service/support/release-notices.ts'

const now = Date.parse('2026-11-24T12:00:00Z')
const [signer, former] = [newSigner(), newSigner()]
const keys = [signer, former].map(readerOf)
const notice = (changes: Partial<Release> = {}): Release => noticeAt(now, changes)
const [file] = notice().files
const codeOf = (result: ReturnType<typeof readRelease> | ReturnType<typeof compareRelease>): FailureCode | 'used' =>
  result.ok ? 'used' : result.failure.code

describe('a notice', () => {
  it('is read if one of the trusted keys signed it, so that a key can be replaced', () => {
    for (const each of [signer, former])
      expect(readRelease(fileOf(notice(), each), keys)).toEqual({
        ok: true,
        value: { release: notice(), keyId: each.id }
      })
  })

  const unreadable: readonly (readonly [string, FailureCode, Buffer])[] = [
    ['too large', 'update-too-large', fileOf({ ...notice(), more: 'x'.repeat(maxReleaseBytes) }, signer)],
    ['not signed', 'update-not-signed', Buffer.from(JSON.stringify(notice()))],
    ['by another key', 'update-key-unknown', fileOf(notice(), newSigner())],
    ['changed', 'update-signature-invalid', Buffer.from(fileOf(notice(), signer).toString().replace('9.1.0', '9.1.1'))],
    ['not JSON', 'update-not-json', signed(Buffer.from('<html>'), signer, 'a comment')],
    ['not UTF-8', 'update-not-json', signed(Buffer.from('"\xff"', 'latin1'), signer, 'a comment')],
    ['of a newer form', 'update-format-newer', fileOf({ ...notice(), version: 2, more: [] }, signer)],
    ['about another product', 'update-other-product', fileOf({ ...notice(), product: 'app.other' }, signer)],
    ['of no product', 'update-invalid', fileOf({ format: 'veridesk-release', version: 1 }, signer)],
    ['a list', 'update-invalid', fileOf([notice()], signer)],
    ['with an unknown name', 'update-invalid', fileOf({ ...notice(), install: true }, signer)]
  ]
  it.each(unreadable)('that is %s is refused as %s', (_name, code, bytes) => {
    expect(codeOf(readRelease(bytes, keys))).toBe(code)
  })

  const invalid: readonly (readonly [field: string, unknown])[] = [
    ['release', notice({ release: '1.2' })],
    ['release', notice({ release: 'v1.2.3' })],
    ['release', notice({ release: '01.2.3' })],
    ['channel', { ...notice(), channel: 'nightly' }],
    ['sequence', notice({ sequence: 0 })],
    ['sequence', notice({ sequence: 1.5 })],
    ['sequence', notice({ sequence: 2 ** 53 })],
    ['releasedAt', notice({ releasedAt: '2026-02-30T00:00:00Z' })],
    ['releasedAt', notice({ releasedAt: '2026-11-24T10:00:00+01:00' })],
    ['expiresAt', notice({ releasedAt: '2026-11-24T00:00:00Z', expiresAt: '2026-11-24T00:00:00Z' })],
    ['notes', notice({ notes: 'http://example.com/notes' })],
    ['notes', notice({ notes: 'https://jane:secret@example.com/' })],
    ['notes', notice({ notes: 'javascript:alert(1)' })],
    ['notes', notice({ notes: 'https://exämple.com/' })],
    ['files', notice({ files: [] })],
    ['files', notice({ files: [file!, file!] })],
    ['files.0.name', notice({ files: [{ ...file!, name: '../setup.exe' }] })],
    ['files.0.sha256', notice({ files: [{ ...file!, sha256: 'AB'.repeat(32) }] })],
    ['files.0.size', notice({ files: [{ ...file!, size: 0 }] })],
    ['files.0.url', notice({ files: [{ ...file!, url: 'file:///etc/passwd' }] })],
    ['minimumSystem.windows', notice({ minimumSystem: { windows: 'Windows\u202e10' } })],
    ['minimumSystem.beos', { ...notice(), minimumSystem: { beos: '5' } }]
  ]
  it.each(invalid)('with an invalid %s is refused, and names the field', (field, content) => {
    expect(readRelease(fileOf(content, signer), keys)).toEqual({
      ok: false,
      failure: { code: 'update-invalid', details: { field } }
    })
  })
})

describe('a notice that can be read', () => {
  const context = (changes: Partial<NoticeContext> = {}): NoticeContext => ({
    channel: 'stable',
    now,
    installed: '1.0.0',
    seen: [],
    ...changes
  })
  const seen = (sequence: number, release = '9.0.0', keyId = signer.id, channel: 'stable' | 'beta' = 'stable') => ({
    keyId,
    channel,
    sequence,
    release
  })
  const rows: readonly (readonly [string, FailureCode | 'newer' | 'same', Partial<Release>, Partial<NoticeContext>])[] =
    [
      ['names a newer version', 'newer', {}, {}],
      ['names the installed version', 'same', {}, { installed: '9.1.0' }],
      ['names the release of an installed preview', 'newer', {}, { installed: '9.1.0-beta.3' }],
      ['is for another channel', 'update-other-channel', { channel: 'beta' }, {}],
      ['has expired', 'update-expired', { expiresAt: '2026-11-24T12:00:00Z', releasedAt: '2026-11-01T00:00:00Z' }, {}],
      ['expires in a second', 'newer', { expiresAt: '2026-11-24T12:00:01Z', releasedAt: '2026-11-01T00:00:00Z' }, {}],
      ['is dated within the difference of clocks', 'newer', { releasedAt: '2026-11-25T12:00:00Z' }, {}],
      ['is dated in the future', 'update-from-future', { releasedAt: '2026-11-25T12:00:01Z' }, {}],
      ['is the one seen before', 'newer', {}, { seen: [seen(7, '9.1.0')] }],
      ['has a lower number than one seen before', 'update-replayed', {}, { seen: [seen(8)] }],
      [
        'has a lower number than one of a former key',
        'update-replayed',
        {},
        { seen: [seen(3), seen(8, '9.0.0', former.id)] }
      ],
      ['has a lower number than one of another channel', 'newer', {}, { seen: [seen(8, '9.9.0', signer.id, 'beta')] }],
      [
        'names an older version than one seen before',
        'update-version-back',
        { sequence: 9 },
        { seen: [seen(8, '9.2.0')] }
      ],
      ['names an older version than the installed one', 'update-downgrade', {}, { installed: '9.1.1' }],
      [
        'names a preview of the installed version',
        'update-downgrade',
        { release: '9.1.0-beta.3' },
        { installed: '9.1.0' }
      ]
    ]
  it.each(rows)('that %s: %s', (_name, expected, changes, given) => {
    const result = compareRelease(notice(changes), context(given))
    expect(result.ok ? (result.value.newer ? 'newer' : 'same') : result.failure.code).toBe(expected)
    if (!result.ok) expect(Object.values(sentencesOf(result.failure)).join(' ')).not.toMatch(/undefined|\{/)
  })
})

it('versions are ordered as Semantic Versioning says', () => {
  const inOrder = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.beta',
    '1.0.0-beta',
    '1.0.0-beta.2',
    '1.0.0-beta.11',
    '1.0.0-rc.1',
    '1.0.0',
    '1.0.1',
    '1.2.0',
    '1.10.0',
    '2.0.0'
  ]
  inOrder.forEach((a, first) =>
    inOrder.forEach((b, second) => expect(Math.sign(versionOrder(a, b)), `${a} ${b}`).toBe(Math.sign(first - second)))
  )
  expect(versionOrder('1.0.0+build', '1.0.0')).toBe(0)
})
