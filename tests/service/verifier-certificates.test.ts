/** Certificates of a signing key, issued by OpenSSL: what the stand-alone verifier accepts and refuses. */
import { createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extensions, openssl, type Identity, type KeyKind, type Openssl } from './support/timestamp-authority.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { readCertificates, verifyChain } from '../../verifier/source/certificates.mjs'

type Verdict = {
  readonly valid: boolean
  readonly matches: boolean
  readonly why: string
  readonly names: readonly string[]
}
const verify = verifyChain as (
  certificates: readonly Uint8Array[],
  authorities: readonly Uint8Array[],
  at: number,
  key: string
) => Promise<Verdict>
const read = readCertificates as (bytes: Uint8Array) => Uint8Array[]

let authority: Openssl
let root: Identity
let own: Identity
let key: string
const soon = (): number => Date.now() + 60_000
const keyOf = (identity: Identity): string =>
  createPublicKey(authority.pem(identity)).export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex')
beforeAll(() => {
  authority = openssl()
  root = authority.identity('Company', { kind: 'p384' })
  own = authority.identity('Signer', { kind: 'ed25519', issuer: root, extensions: extensions.signer })
  key = keyOf(own)
})
afterAll(() => authority.remove())

describe('certificates of a signing key', () => {
  it.each<KeyKind>(['rsa', 'p256', 'p521', 'ed25519'])(
    'lead to an authority with %s through another one',
    async (kind) => {
      const top = authority.identity('Top', { kind })
      const between = authority.identity('Between', { kind, issuer: top, extensions: extensions.ca })
      const leaf = authority.identity('Leaf', { kind: 'ed25519', issuer: between, extensions: extensions.signer })
      const verdict = await verify(
        [authority.der(leaf), authority.der(between)],
        [authority.der(top)],
        soon(),
        keyOf(leaf)
      )
      expect(verdict).toEqual({
        valid: true,
        matches: true,
        why: '',
        names: ['O=Test, CN=Leaf', 'O=Test, CN=Between', 'O=Test, CN=Top']
      })
    }
  )
  it('are an authority’s: one that the key’s holder signed is accepted from nobody', async () => {
    const alone = authority.identity('Alone', { kind: 'ed25519', extensions: extensions.signer })
    for (const given of [alone, root])
      expect(await verify([authority.der(alone)], [authority.der(given)], soon(), keyOf(alone))).toMatchObject({
        valid: false,
        matches: true
      })
  })
  it('are compared with the key alone if no authority is given', async () => {
    expect(await verify([authority.der(own)], [], soon(), key)).toMatchObject({
      valid: false,
      matches: true,
      names: ['O=Test, CN=Signer']
    })
  })
  it.each<[string, () => [Uint8Array[], Uint8Array[], number, string], string]>([
    ['of another key', () => [[authority.der(own)], [authority.der(root)], soon(), '00'.repeat(32)], 'not for the key'],
    [
      'of another authority',
      () => [[authority.der(own)], [authority.der(authority.identity('Other'))], soon(), key],
      'does not lead to'
    ],
    [
      'after they expired',
      () => [[authority.der(own)], [authority.der(root)], Date.now() + 40 * 86_400_000, key],
      'had expired'
    ],
    [
      'before they were valid',
      () => [[authority.der(own)], [authority.der(root)], Date.now() - 86_400_000, key],
      'not yet valid'
    ],
    ['without any', () => [[], [authority.der(root)], soon(), key], 'no certificate'],
    [
      'with an issuer that is missing',
      () => {
        const between = authority.identity('Between', { issuer: root, extensions: extensions.ca })
        const leaf = authority.identity('Leaf', { kind: 'ed25519', issuer: between, extensions: extensions.signer })
        return [[authority.der(leaf)], [authority.der(root)], soon(), keyOf(leaf)]
      },
      'does not lead to'
    ],
    [
      'signed with SHA-1',
      () => {
        const leaf = authority.identity('Leaf', { kind: 'ed25519', issuer: root, extensions: extensions.signer })
        authority.run(
          'x509',
          '-req',
          '-in',
          `${leaf.name}.csr`,
          '-CA',
          `${root.name}.pem`,
          '-CAkey',
          `${root.name}.key`,
          '-sha1',
          '-extfile',
          `${leaf.name}.ext`,
          '-out',
          `${leaf.name}.pem`
        )
        return [[authority.der(leaf)], [authority.der(root)], soon(), keyOf(leaf)]
      },
      'algorithm that is not accepted'
    ]
  ])('are refused %s', async (_name, make, why) => {
    const verdict = await verify(...make())
    expect(verdict.valid).toBe(false)
    expect(verdict.why).toContain(why)
  })
  it('are read from PEM and DER', () => {
    const text = `text before\n${authority.pem(own)}\n${authority.pem(root)}`
    expect(read(new TextEncoder().encode(text)).map((der) => Buffer.from(der).toString('hex'))).toEqual(
      [own, root].map((each) => Buffer.from(authority.der(each)).toString('hex'))
    )
    expect(read(authority.der(own))).toEqual([authority.der(own)])
    expect(read(new TextEncoder().encode('nothing'))).toEqual([])
  })
  const mutations = Number(process.env['VERIDESK_MUTATIONS'] ?? 200)
  it(`cause no error whatever their bytes are: ${mutations} changes`, { timeout: 0 }, async () => {
    const [der, trusted] = [authority.der(own), authority.der(root)]
    let seed = 7
    const random = (below: number): number => (seed = (seed * 48271) % 0x7fffffff) % below
    for (let turn = 0; turn < mutations; turn += 1) {
      const bytes = Array.from(der)
      const at = random(bytes.length)
      if (random(2) === 0) bytes[at]! ^= 1 + random(255)
      else bytes.splice(at, random(4), ...bytes.slice(at, at + random(20)))
      const mutant = Uint8Array.from(bytes)
      if (Buffer.from(mutant).equals(Buffer.from(der))) continue
      expect((await verify([mutant], [trusted], soon(), key)).valid, Buffer.from(mutant).toString('hex')).toBe(false)
    }
    for (let turn = 0; turn < mutations; turn += 1) {
      const mutant = Uint8Array.from(der)
      mutant[random(mutant.length)]! ^= 1 + random(255)
      expect(typeof (await verify([mutant], [mutant], soon(), key)).why).toBe('string')
    }
  })
})
