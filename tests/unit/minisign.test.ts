/** Signatures of minisign: files of the real program are verified, and anything that was changed is refused. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { keyIdOf, minisignKey, verifySigned } from '#core/updates/minisign.ts'
import { createKey, KeyProblem, openKey, signed } from '../../scripts/releases/secret-key.ts'
import { cheap, newSigner, readerOf } from '../service/support/release-notices.ts'

const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/minisign', name))
const line = fixture('key.pub').toString().split('\n')[1] ?? ''

describe('a public key', () => {
  it('has the ID that minisign writes', () => {
    expect(fixture('key.pub').toString()).toContain(`minisign public key ${minisignKey(line)?.id}`)
    // Its number has no zeros in front.
    expect(keyIdOf(Buffer.from('e0645ba52ab63b06', 'hex'))).toBe('63BB62AA55B64E0')
  })
  it.each([
    ['empty', ''],
    ['shortened', line.slice(0, -4)],
    ['of another algorithm', `RX${line.slice(2)}`],
    ['with a space', `${line} `],
    ['the whole file', fixture('key.pub').toString()]
  ])('is none if it is %s', (_name, text) => {
    expect(minisignKey(text)).toBeUndefined()
  })
})

describe('a signed text', () => {
  const key = readerOf({ ...newSigner(), publicLine: line })
  it('by minisign itself is verified', () => {
    const read = verifySigned(fixture('prehashed.update'), [key])
    expect(read.ok && Buffer.from(read.value.body).toString()).toBe('{"format": "veridesk-release", "note": "Größe"}\n')
    expect(read).toMatchObject({ value: { keyId: key.id } })
  })
  it('is refused in the older form, by another key, and as anything else', () => {
    expect(verifySigned(fixture('legacy.update'), [key])).toEqual({ ok: false, failure: { why: 'form' } })
    expect(verifySigned(fixture('prehashed.update'), [readerOf(newSigner())])).toEqual({
      ok: false,
      failure: { why: 'key', keyId: key.id }
    })
    expect(verifySigned(fixture('prehashed.update'), [])).toMatchObject({ failure: { why: 'key' } })
    for (const text of ['', '\n\n\n\n', '<html>\n</html>', '{"format": "veridesk-release"}'])
      expect(verifySigned(Buffer.from(text), [key]), text).toEqual({ ok: false, failure: { why: 'form' } })
  })
  it('by a key with the same ID is refused', () => {
    const [mine, other] = [newSigner(), newSigner()]
    const forged = signed(Buffer.from('{}'), { ...other, idBytes: mine.idBytes }, 'a comment')
    expect(verifySigned(forged, [readerOf(mine)])).toEqual({ ok: false, failure: { why: 'signature' } })
  })
  it('is refused after any change of any byte but those of the first comment', () => {
    const bytes = fixture('prehashed.update')
    const comment = bytes.indexOf(10)
    let refused = 0
    for (let at = comment; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const read = verifySigned(changed, [key])
      expect(read.ok, String(at)).toBe(false)
      refused += 1
    }
    expect(refused).toBeGreaterThan(250)
    expect(verifySigned(Buffer.concat([bytes, Buffer.from(' ')]), [key])).toEqual({
      ok: false,
      failure: { why: 'signature' }
    })
    expect(verifySigned(bytes.subarray(0, -1), [key])).toEqual({ ok: false, failure: { why: 'signature' } })
  })
})

describe('a secret key', () => {
  const made = createKey('seven kettles', cheap)
  it('opens with its password only, and signs what its public half verifies', () => {
    const opened = openKey(made.secret, 'seven kettles')
    expect(opened).toMatchObject({ id: made.key.id, publicLine: made.key.publicLine, encrypted: true })
    expect(verifySigned(signed(Buffer.from('text'), opened, 'comment'), [readerOf(made.key)]).ok).toBe(true)
    expect(() => openKey(made.secret, 'eight kettles')).toThrow(/password .* is wrong/)
    expect(() => openKey(made.secret, undefined)).toThrow(/none was given/)
    expect(() => createKey('', cheap)).toThrow(KeyProblem)
  })
  it('that asks for all memory, or is none, is not tried', () => {
    const bytes = Buffer.from(made.secret.split('\n')[1] ?? '', 'base64')
    bytes.writeBigUInt64LE(2n ** 60n, 46)
    expect(() => openKey(bytes.toString('base64'), 'seven kettles')).toThrow(/more memory/)
    expect(() => openKey('untrusted comment: x\nRWQ=\n', 'seven kettles')).toThrow(/not a secret key/)
  })
})
