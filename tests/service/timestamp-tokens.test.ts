/** Time-stamps made by OpenSSL: what the stand-alone verifier accepts and refuses. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkTimestamp } from '#core/timestamps/token.ts'
import {
  extensions,
  openssl,
  tokenOf,
  type Identity,
  type KeyKind,
  type Openssl
} from './support/timestamp-authority.ts'
import { integer, objectId, octets, seq, time, tlv } from './support/der-writer.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { verifyTimestamp } from '../../verifier/source/timestamps.mjs'

type Verdict = {
  readonly valid: boolean
  readonly why: string
  readonly time: number | null
  readonly latest: number | null
  readonly authority: string | null
}
const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`
/** The verifier's result, which the console's own implementation must share. */
async function verify(
  token: Uint8Array,
  about: Uint8Array,
  authorities: readonly Uint8Array[],
  damaged = false
): Promise<Verdict> {
  const verdict = await (verifyTimestamp as (...given: unknown[]) => Promise<Verdict>)(token, about, authorities)
  const second = checkTimestamp(token, about, authorities.map(pem).join(''))
  // asn1js also reads texts and times in parts that nobody signed and that are not needed.
  if (damaged && verdict.valid && !second.ok && second.failure === 'unreadable') return verdict
  expect(
    second.ok,
    `${verdict.why} / ${JSON.stringify(second)} ${Buffer.from(token).toString('base64').slice(0, 20_000)}`
  ).toBe(verdict.valid)
  if (second.ok) expect([second.value.time, second.value.latest]).toEqual([verdict.time, verdict.latest])
  return verdict
}

const message = new TextEncoder().encode('a message')
let authority: Openssl
let root: Identity
let ca: Uint8Array
beforeAll(() => {
  authority = openssl()
  root = authority.identity('Root', { kind: 'rsa' })
  ca = authority.der(root)
})
afterAll(() => authority.remove())

/** TSTInfo over the message, with parts replaced. */
function info(parts: { at?: Date; hash?: string; more?: Uint8Array[]; version?: number } = {}): Uint8Array {
  const algorithm = seq(objectId('2.16.840.1.101.3.4.2.1'))
  return seq(
    integer(parts.version ?? 1),
    objectId('1.2.3.4.1'),
    seq(
      algorithm,
      octets(
        createHash('sha256')
          .update(parts.hash ?? message)
          .digest()
      )
    ),
    integer(7),
    time(parts.at ?? new Date(Date.now() + 60_000)),
    ...(parts.more ?? [])
  )
}

describe('a time-stamp of OpenSSL', () => {
  it.each<[KeyKind, string]>([
    ['rsa', 'sha256'],
    ['rsa', 'sha512'],
    ['p256', 'sha256'],
    ['p384', 'sha384'],
    ['p521', 'sha512']
  ])('by an authority with %s and %s is valid', async (kind, digest) => {
    const between = authority.identity('Between', { kind, issuer: root, extensions: extensions.ca })
    const signer = authority.identity(`Stamps ${kind}`, { kind, issuer: between })
    const token = tokenOf(authority.reply(authority.query(message, digest), signer, digest))
    const verdict = await verify(token, message, [ca])
    expect(verdict).toMatchObject({ valid: true, why: '', authority: `O=Test, CN=Stamps ${kind}` })
    expect(Math.abs(verdict.time! - Date.now())).toBeLessThan(60_000)
    expect(verdict.latest).toBe(verdict.time! + 1000)
  })

  it.each<[string, KeyKind, string[], boolean]>([
    ['RSA-PSS', 'rsa', ['-md', 'sha256', '-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:32'], true],
    ['RSA with SHA-384', 'rsa', ['-md', 'sha384'], false],
    ['a key identifier', 'p256', ['-md', 'sha256', '-keyid'], false]
  ])('signed with %s is valid', async (_name, kind, words, pss) => {
    const signer = authority.identity('Other form', { kind, issuer: root, pss })
    expect(await verify(authority.signed(info(), signer, ...words), message, [ca])).toMatchObject({
      valid: true,
      why: ''
    })
  })
})
describe('a time-stamp is refused', () => {
  const refused = async (token: Uint8Array, why: string, about = message, authorities = [ca]): Promise<void> => {
    const verdict = await verify(token, about, authorities)
    expect(verdict).toMatchObject({ valid: false })
    expect(verdict.why).toContain(why)
  }
  let signer: Identity
  let token: Uint8Array
  beforeAll(() => {
    signer = authority.identity('Stamps', { issuer: root })
    token = tokenOf(authority.reply(authority.query(message), signer))
  })

  it('for another message', () => refused(token, 'about something else', new TextEncoder().encode('another message')))
  it('without a certificate authority', () => refused(token, 'No certificate authority', message, []))
  it('by another authority', () =>
    refused(token, 'does not lead to', message, [authority.der(authority.identity('Other'))]))
  it('by an authority of the same name with another key', () =>
    refused(token, 'is not signed by', message, [authority.der(authority.identity('Root', { kind: 'rsa' }))]))
  it('if its certificate has expired', () =>
    refused(
      tokenOf(authority.reply(authority.query(message), authority.identity('Expired', { issuer: root, days: -1 }))),
      'had expired'
    ))
  it('if its time is before its certificate', () =>
    refused(authority.signed(info({ at: new Date('2020-01-01T00:00:00Z') }), signer), 'not yet valid'))
  it.each([
    ['has no extended key usage', 'keyUsage=critical,digitalSignature', 'not for time-stamps.'],
    ['is for something else', 'extendedKeyUsage=critical,codeSigning', 'not for time-stamps alone'],
    [
      'is for something else as well',
      'extendedKeyUsage=critical,timeStamping,codeSigning',
      'not for time-stamps alone'
    ],
    ['does not say it critically', 'extendedKeyUsage=timeStamping', 'not say critically'],
    ['may not sign', 'extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,keyEncipherment', 'may not sign'],
    [
      'has an unknown critical extension',
      'extendedKeyUsage=critical,timeStamping\n1.2.3.4=critical,ASN1:NULL',
      'critical extension that is not known'
    ]
  ])('if its certificate %s', (_name, wanted, why) =>
    refused(authority.signed(info(), authority.identity('Wrong', { issuer: root, extensions: wanted })), why)
  )
  it('with an RSA key of fewer than 2048 bits', () =>
    refused(
      authority.signed(info(), authority.identity('Small', { kind: 'rsa-small', issuer: root })),
      'fewer than 2048 bits'
    ))
  it('with a curve that is not accepted', () =>
    refused(
      authority.signed(info(), authority.identity('Curve', { kind: 'other-curve', issuer: root })),
      'elliptic curve'
    ))
  it('if an issuer is not a certificate authority', () => {
    const between = authority.identity('Between', { issuer: root, extensions: extensions.signer })
    return refused(
      authority.signed(info(), authority.identity('Beneath', { issuer: between })),
      'not that of a certificate authority'
    )
  })
  it('if the chain is longer than an authority allows', () => {
    const short = authority.identity('Short', {
      extensions: `${extensions.ca.replace('CA:TRUE', 'CA:TRUE,pathlen:0')}`
    })
    const between = authority.identity('Between', { issuer: short, extensions: extensions.ca })
    return refused(
      authority.signed(info(), authority.identity('Beneath', { issuer: between })),
      'so long a chain',
      message,
      [authority.der(short)]
    )
  })
  it('if an authority has expired', () => {
    const old = authority.identity('Old', { days: -1 })
    return refused(authority.signed(info(), authority.identity('Beneath', { issuer: old })), 'had expired', message, [
      authority.der(old)
    ])
  })
  it('without signed attributes', () =>
    refused(authority.signed(info(), signer, '-md', 'sha256', '-noattr'), 'no signed attributes'))
  it('without the certificate of its signer', () =>
    refused(authority.signed(info(), signer, '-md', 'sha256', '-nocerts'), 'does not contain the certificate'))
  it('with a SHA-1 signature', () =>
    refused(authority.signed(info(), signer, '-md', 'sha1'), 'hash that is not accepted'))
  it('with a version that is not known', () => refused(authority.signed(info({ version: 2 }), signer), 'version'))
  it('with a critical extension', () =>
    refused(
      authority.signed(
        info({ more: [tlv(0xa1, seq(objectId('1.2.3.4'), tlv(1, Uint8Array.of(255)), octets(Uint8Array.of(5, 0))))] }),
        signer
      ),
      'critical extension'
    ))
  it('with a version of its signer that is not an integer', () => {
    const at = Buffer.from(token).lastIndexOf(Buffer.from([0x02, 0x01, 0x01, 0x30]))
    const touched = Uint8Array.from(token)
    touched[at] = 0x82
    return refused(touched, 'cannot be read')
  })
  it('if two signers signed it', () => {
    const other = authority.identity('Second', { issuer: root })
    return refused(
      authority.signed(info(), signer, '-md', 'sha256', '-signer', `${other.name}.pem`, '-inkey', `${other.name}.key`),
      'exactly one signature'
    )
  })
  it('if a byte of its content is changed', async () => {
    const at = Buffer.from(token).indexOf(Buffer.from([0x18, 0x0f])) + 2
    const touched = Uint8Array.from(token)
    touched[at + 3]! ^= 1
    await refused(touched, 'about another content')
  })
  it('if a byte of its signature is changed', () => {
    const touched = Uint8Array.from(token)
    touched[touched.length - 3]! ^= 1
    return refused(touched, 'not valid')
  })
  it.each([
    ['nothing', new Uint8Array(0)],
    ['zeros', new Uint8Array(100)],
    ['text', new TextEncoder().encode('no token')]
  ])('if it is %s', (_name, bytes) => refused(bytes, 'cannot be read'))
  it('with bytes behind its end', () => refused(Uint8Array.from([...token, 0]), 'behind its end'))
  it('if it is too large', () => refused(new Uint8Array(65 * 1024), 'too large'))
})

describe('any bytes', () => {
  const mutations = Number(process.env['VERIDESK_MUTATIONS'] ?? 400)
  it(`are refused without an error: ${mutations} changes of a token`, { timeout: 0 }, async () => {
    const signer = authority.identity('Fuzzed', { issuer: root })
    const token = tokenOf(authority.reply(authority.query(message), signer))
    const whole = await verify(token, message, [ca])
    let seed = 1
    const random = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below
    let accepted = 0
    for (let turn = 0; turn < mutations; turn += 1) {
      const bytes = Array.from(token)
      for (let change = random(3); change >= 0; change -= 1) {
        const at = random(bytes.length)
        const kind = random(4)
        if (kind === 0) bytes[at] = random(256)
        else if (kind === 1) bytes[at]! ^= 1 << random(8)
        else if (kind === 2) bytes.splice(at, 1 + random(8))
        else bytes.splice(at, 0, ...bytes.slice(at, at + random(40)))
      }
      const mutant = Uint8Array.from(bytes)
      const verdict = await verify(mutant, message, [ca], true)
      if (verdict.valid) accepted += 1
      if (verdict.valid) expect(verdict).toEqual(whole)
      else expect(verdict.why).toMatch(/\.$/)
    }
    // What is not signed, for example the list of certificates that are not needed, can be changed.
    expect(accepted).toBeLessThan(mutations / 2)
  })
})
