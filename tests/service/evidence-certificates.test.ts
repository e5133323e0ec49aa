/** Certificates of the signing key, with OpenSSL as the company's certificate authority. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSignerChain } from '#core/evidence/signer-chain.ts'
import { runCommand, type CliRun } from './support/cli.ts'
import { extensions, openssl, type Identity, type Openssl } from './support/timestamp-authority.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { readCertificates, verifyChain } from '../../verifier/source/certificates.mjs'

let authority: Openssl
let root: Identity
let between: Identity
let folder: string
beforeAll(() => {
  authority = openssl()
  root = authority.identity('Company', { kind: 'rsa' })
  between = authority.identity('Department', { issuer: root, extensions: extensions.ca })
  folder = mkdtempSync(join(tmpdir(), 'veridesk-certificates-'))
})
afterAll(() => {
  authority.remove()
  rmSync(folder, { recursive: true, force: true })
})
const path = (name: string): string => join(folder, name)
const cli = (...words: string[]): Promise<CliRun> =>
  runCommand(['evidence', 'certificate', ...words], { data: path('data') })
/** Signs a request as the company's authority does, and returns PEM of the answer with the chain. */
const issued = (request: string): string =>
  `${authority.pem(root)}${authority.issued(request, between)}${authority.pem(between)}`
const keyIn = (der: Uint8Array, run = authority.run): string => {
  writeFileSync(join(authority.folder, 'one.der'), der)
  const pem = run('x509', '-inform', 'DER', '-in', 'one.der', '-pubkey', '-noout').toString()
  return Buffer.from(pem.replace(/-----[^-]*-----/g, ''), 'base64')
    .subarray(-32)
    .toString('hex')
}

describe('a certificate', () => {
  it('is requested, issued by OpenSSL and imported with its chain', async () => {
    expect(
      await cli('request', '--name', 'Compliance Zürich', '--organisation', 'Example AG', '--to', path('own.csr'))
    ).toMatchObject({ code: 0 })
    writeFileSync(join(authority.folder, 'request.csr'), readFileSync(path('own.csr')))
    const shown = authority
      .run('req', '-in', 'request.csr', '-noout', '-text', '-verify', '-nameopt', 'utf8,sep_comma_plus')
      .toString()
    expect(shown).toContain('ED25519')
    expect(shown).toContain('Zürich')
    writeFileSync(path('answer.pem'), issued(readFileSync(path('own.csr'), 'utf8')))
    const imported = JSON.parse((await cli('import', path('answer.pem'), '--json')).out) as { subject: string }[]
    expect(imported.map(({ subject }) => subject.split(', ').at(-1))).toEqual([
      'CN=Compliance Zürich',
      'CN=Department',
      'CN=Company'
    ])
    expect((await cli('show')).out).toContain('Compliance Zürich')

    const chain = (readCertificates as (bytes: Uint8Array) => Uint8Array[])(
      new Uint8Array(readFileSync(path('answer.pem')))
    )
    const own = chain[1]!
    const key = keyIn(own)
    for (const [ca, valid] of [
      [root, true],
      [between, true],
      [authority.identity('Else'), false]
    ] as const) {
      const at = Date.now() + 60_000
      expect(checkSignerChain([own, chain[2]!], authority.pem(ca), at, key).ok).toBe(valid)
      expect(
        await (verifyChain as (...given: unknown[]) => Promise<unknown>)([own, chain[2]!], [authority.der(ca)], at, key)
      ).toMatchObject({ valid, matches: true })
    }
    const late = Date.now() + 60 * 86_400_000
    expect(checkSignerChain([own, chain[2]!], authority.pem(root), late, key)).toEqual({
      ok: false,
      failure: 'validity'
    })
    expect(checkSignerChain([own], authority.pem(root), Date.now() + 60_000, key)).toEqual({
      ok: false,
      failure: 'chain'
    })
    expect(checkSignerChain([own], authority.pem(root), Date.now(), '00'.repeat(32))).toEqual({
      ok: false,
      failure: 'key'
    })
    expect(JSON.parse((await cli('show', '--json')).out)).toMatchObject([
      { sha256: createHash('sha256').update(own).digest('hex') },
      {},
      {}
    ])
    expect((await cli('remove')).code).toBe(0)
    expect((await cli('show')).out).toContain('no certificate')
  })
  it('of another key, without certificates or expired is refused', async () => {
    writeFileSync(path('other.pem'), authority.pem(root))
    writeFileSync(path('none.pem'), 'nothing')
    expect(await cli('import', path('other.pem'))).toMatchObject({
      code: 1,
      error: expect.stringContaining('none of them is for this key') as string
    })
    expect(await cli('import', path('none.pem'))).toMatchObject({
      code: 1,
      error: expect.stringContaining('no certificate') as string
    })
    expect((await cli('import', path('missing.pem'))).code).toBe(1)
    expect((await cli('import')).code).toBe(64)
    expect((await cli('request', '--name', 'x')).code).toBe(64)
    expect((await cli('lend')).code).toBe(64)
  })
})
