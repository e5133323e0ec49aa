/** The company's trust file: which one counts, for the console and for the stand-alone verifier alike. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, describe, expect, it } from 'vitest'
import { maxTrustText } from '#contract/evidence/trust-view.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import {
  digestOfVersion,
  originOfKeepers,
  readCountingTrustFile,
  readTrustFile,
  trustRefusal,
  withSignature
} from '#core/evidence/trust-file.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { readTrustFile as readAlone } from '../../verifier/source/trust-file.mjs'
import { after, day, fileOf, issued, keeper, signed, version, type Members } from './support/trust-files.ts'

const [ann, ben, cat, dan] = [keeper(), keeper(), keeper(), keeper()]
const first = version([ann, ben])
const signer = (more: Members = {}): Members => ({
  from: issued,
  key: cat.id,
  name: 'Cat',
  roles: ['pack'],
  until: null,
  ...more
})
/** Each file that was read, with the digest of its first keepers if it counts. */
const asked = new Map<string, string | undefined>()
/** Why a file does not count; undefined if it does. */
function why(text: string): string | undefined {
  const read = readCountingTrustFile(text)
  asked.set(text, read.ok ? read.value.origin : undefined)
  if (read.ok) return undefined
  const { what } = sentencesOf(trustRefusal(read.failure))
  expect(what).toMatch(/^The trust file does not count: [^{}]+\.$/)
  return read.failure.reason
}
const whyNot = (payload: Members, by = [ann, ben]): string | undefined => why(fileOf(signed(payload, by)))

describe('a first version', () => {
  it('counts with two keepers', () => {
    const read = readCountingTrustFile(fileOf(signed(first, [ann, ben])))
    expect(read).toMatchObject({
      ok: true,
      value: {
        speaking: first,
        waitsFor: 0,
        signedBy: [ann.id, ben.id].sort(),
        origin: originOfKeepers([ann.raw, ben.raw].sort())
      }
    })
  })
  it('with one keeper waits for one more, and counts once the other has signed', () => {
    const text = fileOf(signed(first, [ann]))
    const read = readTrustFile(text)
    expect(read).toMatchObject({ ok: true, value: { waitsFor: 1 } })
    expect(why(text)).toBe('waiting')
    if (!read.ok) throw new Error('refused')
    expect(withSignature(read.value, ben.key)).toBe(fileOf(signed(first, [ann, ben])))
    expect(withSignature(read.value, ann.key)).toBe(text)
  })
  it('signed twice by one keeper does not count', () => {
    expect(whyNot(first, [ann, ann])).toBe('signature-twice')
  })
  it('signed by somebody else as well does not count', () => {
    expect(whyNot(first, [ann, ben, cat])).toBe('signature-foreign')
    expect(whyNot(first, [ann, cat])).toBe('signature-foreign')
  })
  it('names each keeper once, at least two, and no key that proves nothing', () => {
    expect(whyNot(version([ann, ann]))).toBe('keepers')
    expect(whyNot(version([ann]))).toBe('version-form')
    expect(whyNot(version([ann, ben], { keepers: [ben.raw, ann.raw].sort().reverse() }))).toBe('keepers')
    expect(whyNot(version([ann, ben], { keepers: ['00'.repeat(32), ann.raw, ben.raw].sort() }))).toBe('keepers')
    expect(whyNot(version([ann, ben], { threshold: 1 }), [ann])).toBe('version-form')
  })
  it('is valid for at most 400 days', () => {
    expect(whyNot(version([ann, ben], { expires: issued + 400 * day }))).toBeUndefined()
    expect(whyNot(version([ann, ben], { expires: issued + 400 * day + 1 }))).toBe('period')
    expect(whyNot(version([ann, ben], { expires: issued + 401 * day }))).toBe('period')
    expect(whyNot(version([ann, ben], { expires: issued }))).toBe('period')
  })
  it('has entries in their order, each once, with times that can be', () => {
    const with_ = (...signers: Members[]) => version([ann, ben], { signers })
    expect(whyNot(with_(signer()))).toBeUndefined()
    expect(whyNot(with_(signer(), signer()))).toBe('entries')
    expect(whyNot(with_(signer({ until: issued })))).toBe('entries')
    expect(whyNot(with_(signer({ roles: ['pack', 'approver'] })))).toBe('entries')
    expect(whyNot(with_(signer({ roles: ['approver', 'pack'] })))).toBeUndefined()
    const revocation = { key: cat.id, reason: 'lost', recorded: issued, since: issued - day }
    const revoked = (more: Members) => version([ann, ben], { revocations: [{ ...revocation, ...more }] })
    expect(whyNot(revoked({}))).toBeUndefined()
    expect(whyNot(revoked({ since: issued + 1 }))).toBe('entries')
    expect(whyNot(revoked({ recorded: issued + 1 }))).toBe('entries')
    expect(whyNot(revoked({ key: ben.id }))).toBe('keeper-revoked')
  })
  it('with another role, member, reason or certificate than the format knows is refused', () => {
    for (const wrong of [
      { signers: [signer({ roles: ['keeper'] })] },
      { signers: [signer({ roles: [] })] },
      { signers: [signer({ name: '' })] },
      { revocations: [{ key: cat.id, reason: 'stolen', recorded: issued, since: issued }] },
      { ca: ['none'] },
      { timestamps: ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\nmore'] },
      { verifiers: [{ version: '1.0', sha256: 'short' }] },
      { organisation: 'x'.repeat(201) },
      { issued: 0.5 },
      { further: 1 }
    ])
      expect(whyNot(version([ann, ben], wrong)), JSON.stringify(wrong)).toBe('version-form')
  })
})

describe('a later version', () => {
  const start = signed(first, [ann, ben])
  it('counts with the keepers before it', () => {
    const next = after(first, [ann, ben])
    const read = readCountingTrustFile(fileOf(start, signed(next, [ann, ben])))
    expect(read).toMatchObject({ ok: true, value: { speaking: { version: 2 }, keepersBefore: first['keepers'] } })
    expect(read.ok && digestOfVersion(read.value)).toBe(after(next, [ann])['previous'])
  })
  it('signed by its own keepers alone waits for those before it', () => {
    const taken = fileOf(start, signed(after(first, [cat, dan]), [cat, dan]))
    expect(readTrustFile(taken)).toMatchObject({ ok: true, value: { waitsFor: 2 } })
    expect(why(taken)).toBe('waiting')
    expect(why(fileOf(start, signed(after(first, [ben, cat, dan]), [ben, cat, dan])))).toBe('waiting')
  })
  it('signed by the keepers before it alone waits for its own', () => {
    const given = fileOf(start, signed(after(first, [cat, dan]), [ann, ben]))
    expect(readTrustFile(given)).toMatchObject({ ok: true, value: { waitsFor: 2 } })
    expect(readTrustFile(fileOf(start, signed(after(first, [ann, cat]), [ann])))).toMatchObject({
      ok: true,
      value: { waitsFor: 2 }
    })
  })
  it('replaces keepers when both have signed, and those replaced have no more say', () => {
    const next = after(first, [cat, dan])
    const handed = signed(next, [ann, ben, cat, dan])
    expect(why(fileOf(start, handed))).toBeUndefined()
    expect(why(fileOf(start, handed, signed(after(next, [cat, dan]), [cat, dan])))).toBeUndefined()
    expect(why(fileOf(start, handed, signed(after(next, [cat, dan]), [ann, ben])))).toBe('signature-foreign')
    // One that is not the last must count.
    expect(why(fileOf(start, signed(next, [ann, ben]), signed(after(next, [cat, dan]), [cat, dan])))).toBe('waiting')
  })
  it('follows the version before it by number, digest and time', () => {
    const next = after(first, [ann, ben])
    for (const wrong of [
      { version: 3 },
      { version: 1 },
      { previous: null },
      { previous: '00'.repeat(32) },
      { issued, expires: issued + day },
      { issued: issued - day, expires: issued }
    ])
      expect(why(fileOf(start, signed({ ...next, ...wrong }, [ann, ben]))), JSON.stringify(wrong)).toBe('order')
    expect(why(fileOf(signed(next, [ann, ben])))).toBe('order')
  })
})

describe('a file', () => {
  const text = fileOf(signed(first, [ann, ben]))
  it('in which a byte was changed does not count', () => {
    for (let at = 0; at < text.length; at += 7) {
      const other = text[at] === 'A' ? 'B' : 'A'
      expect(why(`${text.slice(0, at)}${other}${text.slice(at + 1)}`), `byte ${at}`).toBeDefined()
    }
  })
  it('whose content was changed after it was signed does not count', () => {
    const genuine = signed(first, [ann, ben])
    const changed = signed(version([ann, ben], { organisation: 'Other Bank' }), [ann, ben])
    expect(why(fileOf({ ...changed, signatures: genuine.signatures }))).toBe('signature-wrong')
  })
  it('in another form does not count', () => {
    for (const wrong of [
      '',
      '{}',
      `${text}\n`,
      text.slice(0, -1),
      text.replace('"version":1', '"version":2'),
      ` ${text}`
    ])
      expect(why(wrong)).toBe('form')
    expect(why(fileOf({ ...signed(first, [ann, ben]), signatures: [] }))).toBe('form')
  })
  it('that is huge is refused before it is read', () => {
    expect(why('['.repeat(maxTrustText + 1))).toBe('too-large')
    expect(why('['.repeat(100_000))).toBe('form')
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect(why(deep)).toBe('form')
    const many = Array.from({ length: 101 }, () => signed(first, [ann, ben]))
    expect(why(fileOf(...many))).toBe('form')
  })
})

describe('the schemas', () => {
  const ajv = new Ajv2020({ strict: true, formats: {}, keywords: [] })
  const schemaOf = (name: string) =>
    ajv.compile(
      JSON.parse(
        readFileSync(join(resolve(import.meta.dirname, '..', '..'), 'docs', 'evidence', `${name}.schema.json`), 'utf8')
      ) as object
    )
  const [fits, fitsVersion] = [schemaOf('trust-file'), schemaOf('trust')]
  const full = version([ann, ben], {
    ca: [`-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\nAAA=\n-----END CERTIFICATE-----\n`],
    revocations: [{ key: cat.id, reason: 'lost', recorded: issued, since: issued }],
    signers: [signer({ until: issued + 1 })],
    verifiers: [{ version: '1.0.0', sha256: '00'.repeat(32) }]
  })
  it('describe what counts', () => {
    expect(whyNot(full)).toBeUndefined()
    expect([fits(JSON.parse(fileOf(signed(full, [ann, ben])))), fitsVersion(full)]).toEqual([true, true])
  })
  it('refuse what has another structure', () => {
    expect(fits({ ...(JSON.parse(fileOf(signed(full, [ann]))) as object), further: 1 })).toBe(false)
    for (const wrong of [
      { threshold: 1 },
      { keepers: [ann.raw] },
      { signers: [signer({ roles: ['keeper'] })] },
      { ca: ['none'] },
      { previous: 'short' },
      { organisation: '' }
    ])
      expect(fitsVersion({ ...full, ...wrong }), JSON.stringify(wrong)).toBe(false)
  })
})

afterAll(async () => {
  expect(asked.size).toBeGreaterThan(50)
  for (const [text, origin] of asked) {
    const read = await (readAlone as (file: string) => Promise<{ origin: string }>)(text).catch(() => undefined)
    expect(read?.origin, text.slice(0, 2000)).toBe(origin)
  }
})
