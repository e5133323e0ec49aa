/** Revocations: what the stand-alone verifier accepts, and when one counts. */
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readRevocation as readInCore } from '#core/evidence/revocation.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { readRevocation, revokedFor } from '../../verifier/source/revocation.mjs'

interface Read {
  readonly valid: boolean
  readonly why: string
  readonly key: string
  readonly since: number
  readonly revokedBy: string
  readonly proven?: number
}
const read = readRevocation as (text: string) => Promise<Read>
const revoked = revokedFor as (
  revocations: readonly Read[],
  key: string,
  trusted: readonly string[],
  stamped: readonly number[]
) => Read | undefined

const type = 'application/vnd.veridesk.revocation+json'
const pair = (): { key: KeyObject; raw: string; fingerprint: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  return { key: privateKey, raw: raw.toString('hex'), fingerprint: createHash('sha256').update(raw).digest('hex') }
}
const [own, other] = [pair(), pair()]
const payload = {
  at: 2000,
  key: own.fingerprint,
  note: 'Laptop stolen',
  reason: 'lost',
  revokedBy: own.raw,
  since: 1000
}

function file(content: string, by = own, parts: { keyid?: string; type?: string; sig?: string } = {}): string {
  const bytes = Buffer.from(content)
  const message = Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${bytes.length} `), bytes])
  const sig = parts.sig ?? sign(null, message, by.key).toString('base64')
  const signatures = [{ keyid: parts.keyid ?? by.fingerprint, sig }]
  const envelope = { payload: bytes.toString('base64'), payloadType: parts.type ?? type, signatures }
  return `${JSON.stringify({ envelope, format: 'veridesk-revocation', timestamps: [], version: 1 })}\n`
}

describe('a revocation', () => {
  it('by the key itself is valid', async () => {
    expect(await read(file(JSON.stringify(payload)))).toMatchObject({
      timestamps: [],
      valid: true,
      why: '',
      at: 2000,
      key: own.fingerprint,
      note: 'Laptop stolen',
      reason: 'lost',
      revokedBy: own.fingerprint,
      since: 1000
    })
  })
  it.each([
    ['signed by another key', file(JSON.stringify(payload), other, { keyid: own.fingerprint }), 'signature'],
    ['that names another key as its signer', file(JSON.stringify(payload), other), 'names another key'],
    ['of another type', file(JSON.stringify(payload), own, { type: 'application/json' }), 'not a revocation'],
    ['with another reason', file(JSON.stringify({ ...payload, reason: 'why not' })), 'not a revocation'],
    ['with one member more', file(JSON.stringify({ ...payload, then: 1 })), 'not a revocation'],
    ['with spaces', file(JSON.stringify(payload, null, 1)), 'canonical'],
    ['with an unpaired surrogate', file(JSON.stringify({ ...payload, note: 'lost \ud83d' })), 'canonical'],
    [
      'with members in another order',
      file(JSON.stringify(payload).replace(/^{("at":2000),(.*)}$/, '{$2,$1}')),
      'canonical'
    ],
    ['with a line feed missing', file(JSON.stringify(payload)).trim(), 'canonical'],
    [
      'with another spelling of base64',
      file(JSON.stringify(payload)).replace('"payload":"e', '"payload":"\\u0065'),
      'canonical'
    ],
    ['that is no JSON', 'revoked', 'not a revocation'],
    ['of another version', file(JSON.stringify(payload)).replace('"version":1', '"version":2'), 'not a revocation'],
    ['of another format', file(JSON.stringify(payload)).replace('-revocation"', '-evidence"'), 'not a revocation'],
    ['with a time-stamp that is not base64', file(JSON.stringify(payload)).replace('[]', '["?"]'), 'base64'],
    ['that is too large', 'x'.repeat(70_000), 'too large']
  ])('%s is refused', async (_name, text, why) => {
    const verdict = await read(text)
    expect(verdict.valid).toBe(false)
    expect(verdict.why).toContain(why)
  })
  it('is the same for core, in one spelling only', async () => {
    const text = file(JSON.stringify(payload))
    expect(readInCore(text)).toMatchObject({ key: own.fingerprint })
    // The last four bits of what encodes 64 bytes say nothing.
    const respelt = text.replace(
      /(.)=="/,
      (_, last: string) => `${{ A: 'B', Q: 'R', g: 'h', w: 'x' }[last] ?? last}=="`
    )
    expect(respelt).not.toBe(text)
    expect((await read(respelt)).valid).toBe(false)
    expect(readInCore(respelt)).toBeUndefined()
    expect(readInCore(file(JSON.stringify({ ...payload, note: 'lost \ud83d' })))).toBeUndefined()
  })
  it('by another key counts only if the reader names that key', async () => {
    const revocation = await read(file(JSON.stringify({ ...payload, revokedBy: other.raw }), other))
    expect(revocation).toMatchObject({ valid: true, revokedBy: other.fingerprint })
    expect(revoked([revocation], own.fingerprint, [], [])).toBeUndefined()
    expect(revoked([revocation], own.fingerprint, [other.fingerprint], [])).toBe(revocation)
    expect(revoked([revocation], other.fingerprint, [other.fingerprint], [])).toBeUndefined()
  })
  it('does not concern what a time-stamp proves to be older', async () => {
    const revocation = await read(file(JSON.stringify(payload)))
    expect(revoked([revocation], own.fingerprint, [], [])).toBe(revocation)
    // Nothing proves when it was made.
    expect(revoked([revocation], own.fingerprint, [], [5000])).toBeUndefined()
    const dated = { ...revocation, proven: 3000 }
    expect(revoked([dated], own.fingerprint, [], [2999])).toBeUndefined()
    expect(revoked([dated], own.fingerprint, [], [3000])).toBe(dated)
    expect(revoked([dated], own.fingerprint, [], [])).toBe(dated)
  })
})
