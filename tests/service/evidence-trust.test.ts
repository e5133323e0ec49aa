/** Packs with time-stamps, certificates and revocations: made by the console, verified by it and by the stand-alone verifier. */
import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { originOf } from '#core/evidence/pack/checkpoint.ts'
import { createHeadTimestamps } from '#core/evidence/head-timestamps.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { readRevocation, revocationText, sealedRevocation } from '#core/evidence/revocation.ts'
import { createTimestamps } from '#core/timestamps/timestamps.ts'
import { checkTimestamp } from '#core/timestamps/token.ts'
import { createNetwork } from '#core/client/network.ts'
import type { RedactionProfile } from '#contract/evidence/evidence.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { verifyEvidence } from '../../electron/hosts/cli/evidence.ts'
import { checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { ownKeyring } from './support/keyring.ts'
import {
  extensions,
  good,
  openssl,
  serveAuthority,
  type AuthorityServer,
  type Identity,
  type Openssl
} from './support/timestamp-authority.ts'
import { day, fileOf, keeper, signed, version } from '../unit/support/trust-files.ts'
import { evidenceWorkspace, furnish } from './evidence-workspace.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { readRevocation as readAlone } from '../../verifier/source/revocation.mjs'

let folder: string
let authority: Openssl
let root: Identity
let server: AuthorityServer
let console: TestConsole
let record: string
let endKeyring: () => Promise<void>
beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = mkdtempSync(join(tmpdir(), 'veridesk-trust-'))
  authority = openssl()
  root = authority.identity('Root')
  server = await serveAuthority(good(authority, authority.identity('Stamps', { issuer: root })))
  console = await startTestConsole()
  await console.get('settings.change', {
    timestampAuthority: { name: 'Test', url: server.url, certificates: authority.pem(root) }
  })
  record = await checked(console)
})
beforeEach(() => server.answer(good(authority, authority.identity('Stamps', { issuer: root }))))
afterAll(async () => {
  await console.dispose()
  await endKeyring()
  await server.close()
  authority.remove()
  rmSync(folder, { recursive: true, force: true })
})

const path = (name: string): string => join(folder, name)
const pem = (identity: Identity): string => join(authority.folder, `${identity.name}.pem`)
async function pack(name: string, profile: RedactionProfile = 'full') {
  console.save = path(name)
  const made = await console.get('evidence.create', { about: { kind: 'record', id: record }, profile, pdf: false })
  if (!made) throw new Error('cancelled')
  return made
}
const alone = resolve(import.meta.dirname, '..', '..', 'out', 'verifier', 'verify.mjs')
/** What both verifiers say of a pack: the console's exit and its findings by code, and the exit code of the other. */
async function verdicts(
  name: string,
  options: {
    'ca'?: string[]
    'tsa-ca'?: string[]
    'revocation'?: string[]
    'may-revoke'?: string[]
    'trust'?: string
    'key'?: string
  } = {}
) {
  const { key, trust, ...lists } = options
  const own = await verifyEvidence([path(name)], { ...options, json: true })
  const words = Object.entries(lists).flatMap(([option, values]) => values.flatMap((value) => [`--${option}`, value]))
  if (trust !== undefined) words.push('--trust', trust)
  const other = await promisify(execFile)(process.execPath, [alone, path(name), ...(key ? [key] : []), ...words]).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, text: stdout })
  )
  const findings =
    own.out === undefined
      ? []
      : (JSON.parse(own.out) as { findings: { code?: string }[] }).findings.map(({ code }) => code)
  return { exit: own.exit, findings, error: own.error, code: other.code, text: other.text }
}

describe('a time-stamp', () => {
  it('is taken of each pack, and valid for both verifiers', async () => {
    const made = await pack('dated.json')
    expect(made.timestamp).toMatchObject({ authority: expect.stringContaining('CN=Stamps') as string })
    expect(await verdicts('dated.json', { 'tsa-ca': [pem(root)] })).toMatchObject({
      exit: 'signerUnknown',
      findings: expect.arrayContaining(['timestamp-right']) as unknown,
      code: 3
    })
    expect(await verdicts('dated.json')).toMatchObject({
      exit: 'signerUnknown',
      findings: expect.arrayContaining(['timestamps-unchecked']) as unknown,
      code: 3
    })
    expect(await verdicts('dated.json', { 'tsa-ca': [pem(authority.identity('Else'))] })).toMatchObject({
      exit: 'signerUnknown',
      findings: expect.arrayContaining(['timestamp-chain']) as unknown,
      code: 3,
      text: expect.stringContaining('Time-stamp: not checked, because the authority that you named does not') as string
    })
  })
  it('and a trust file that names its authority make a signer known to both', async () => {
    await pack('company.json')
    const [ann, ben] = [keeper(), keeper()]
    const now = Date.now()
    const own = (await console.get('keys.list'))[0]!.fingerprint
    const write = (name: string, roles: readonly string[], expires: number) =>
      writeFileSync(
        path(name),
        fileOf(
          signed(
            version([ann, ben], {
              issued: now - day,
              expires,
              signers: [{ from: now - day, key: own, name: 'Cat', roles, until: null }],
              timestamps: [authority.pem(root)]
            }),
            [ann, ben]
          )
        )
      )
    write('company.trust', ['pack'], now + 100 * day)
    expect(await verdicts('company.json', { trust: path('company.trust') })).toMatchObject({
      exit: 'done',
      findings: expect.arrayContaining(['timestamp-right', 'trust-speaks', 'trust-signer']) as unknown,
      code: 0,
      text: expect.stringContaining('the key of Cat, for which version 1 of the trust file') as string
    })
    write('role.trust', ['approver'], now + 100 * day)
    write('expired.trust', ['pack'], now - day / 2)
    for (const [name, code] of [
      ['role.trust', 'trust-role'],
      ['expired.trust', 'trust-expired']
    ] as const)
      expect(await verdicts('company.json', { trust: path(name) })).toMatchObject({
        exit: 'signerUnknown',
        findings: expect.arrayContaining([code]) as unknown,
        code: 3
      })
    writeFileSync(path('none.trust'), 'none')
    expect(await verdicts('company.json', { trust: path('none.trust') })).toMatchObject({ exit: 'failed', code: 2 })
  })
  it('of another pack is refused by both', async () => {
    const [one, two] = [await pack('one.json'), await pack('two.json')]
    expect([one.timestamp, two.timestamp]).not.toContain(undefined)
    const [first, second] = ['one.json', 'two.json'].map(
      (name) => JSON.parse(readFileSync(path(name), 'utf8')) as { timestamps: string[] }
    )
    writeFileSync(path('mixed.json'), `${JSON.stringify({ ...second, timestamps: first!.timestamps })}\n`)
    expect(await verdicts('mixed.json', { 'tsa-ca': [pem(root)] })).toMatchObject({
      exit: 'refused',
      findings: expect.arrayContaining(['timestamp-imprint']) as unknown,
      code: 1
    })
  })
  it('that is missing is said, and can be added later', async () => {
    server.answer((_query, response) => response.writeHead(503).end())
    const made = await pack('later.json')
    expect(made.timestamp).toBeUndefined()
    expect(made.timestampFault).toMatchObject({ code: 'timestamp-not-answered' })
    expect((await verdicts('later.json', { 'tsa-ca': [pem(root)] })).findings).not.toContain('timestamp-right')
    server.answer(good(authority, authority.identity('Later', { issuer: root })))
    console.open = path('later.json')
    expect(await console.get('evidence.timestamp')).toMatchObject({
      authority: expect.stringContaining('CN=Later') as string
    })
    expect((await verdicts('later.json', { 'tsa-ca': [pem(root)] })).findings).toContain('timestamp-right')
    writeFileSync(path('none.json'), 'nothing')
    console.open = path('none.json')
    expect(await console.ask('evidence.timestamp')).toMatchObject({ ok: false, failure: { code: 'evidence-refused' } })
  })
  it('dates the audit trail once a day', async () => {
    const workspace = await evidenceWorkspace(path('head'), 'dater')
    await furnish(workspace)
    let ahead = 0
    const clock = { ...systemClock, now: () => systemClock.now() + ahead }
    const settings = () => ({
      ...defaultSettings,
      timestampAuthority: { name: 'Test', url: server.url, certificates: authority.pem(root) }
    })
    const timestamps = createTimestamps({
      settings,
      sendingRefusal: () => undefined,
      network: createNetwork({ clock, resolveSystemProxy: async () => 'DIRECT' }, settings),
      clock: systemClock
    })
    const notes: { kind: string; plain: Record<string, unknown> }[] = []
    const secrets = new Map<string, string>()
    const keychain = {
      get: async (name: string) => ({ ok: true as const, value: secrets.get(name) }),
      set: async (name: string, value: string) => (secrets.set(name, value), { ok: true as const, value: null })
    }
    const note = async (draft: object) => {
      notes.push(draft as (typeof notes)[number])
      await workspace.store.audit.note({ ...draft, at: clock.now(), operator: 'dater' } as never)
    }
    const heads = createHeadTimestamps({
      timestamps,
      keychain: keychain as never,
      clock,
      store: async () => ({ ok: true, value: workspace.store }),
      auditTrail: { note }
    })
    await heads.look()
    await heads.look()
    expect(notes.map(({ kind }) => kind)).toEqual(['head.timestamped'])
    const {
      checkpoint,
      token,
      size,
      root: merkle
    } = notes[0]!.plain as { checkpoint: string; token: string; size: number; root: string }
    expect(checkTimestamp(Buffer.from(token, 'base64'), Buffer.from(checkpoint), authority.pem(root)).ok).toBe(true)
    const first = await workspace.store.audit.inclusion(1, 1)
    expect(checkpoint.split('\n').slice(0, 3)).toEqual([
      originOf(first.ok ? first.value.leaf : ''),
      String(size),
      Buffer.from(merkle, 'hex').toString('base64')
    ])
    ahead = 86_400_000
    server.answer((_query, response) => response.writeHead(503).end())
    await heads.look()
    expect(notes).toHaveLength(1)
    server.answer(good(authority, authority.identity('Stamps', { issuer: root })))
    ahead += 3_600_000
    await heads.look()
    expect(notes).toHaveLength(2)
    expect(await workspace.store.audit.page({ limit: 1 })).toMatchObject({
      ok: true,
      value: { events: [{ kind: 'head.timestamped', words: expect.stringContaining('dated') as string }] }
    })
    await workspace.store.close()
  })
})

describe('a certificate', () => {
  it('vouches for the signer of a pack, for both verifiers', async () => {
    console.save = path('own.csr')
    await console.get('certificates.request', { name: 'Compliance' })
    writeFileSync(join(authority.folder, 'own.csr'), readFileSync(path('own.csr')))
    writeFileSync(join(authority.folder, 'own.ext'), extensions.signer)
    authority.run(
      'x509',
      '-req',
      '-in',
      'own.csr',
      '-CA',
      `${root.name}.pem`,
      '-CAkey',
      `${root.name}.key`,
      '-set_serial',
      '9',
      '-days',
      '5',
      '-extfile',
      'own.ext',
      '-out',
      'own.pem'
    )
    await console.get('certificates.import', { pem: readFileSync(join(authority.folder, 'own.pem'), 'utf8') })
    await pack('certified.json')
    expect(await verdicts('certified.json', { ca: [pem(root)] })).toMatchObject({
      exit: 'done',
      findings: expect.arrayContaining(['certificate-right']) as unknown,
      code: 0
    })
    expect(await verdicts('certified.json')).toMatchObject({
      exit: 'signerUnknown',
      findings: expect.arrayContaining(['certificates-unchecked']) as unknown,
      code: 3
    })
    expect(await verdicts('certified.json', { ca: [pem(authority.identity('Else'))] })).toMatchObject({
      exit: 'refused',
      findings: expect.arrayContaining(['certificate-chain']) as unknown,
      code: 1
    })
    await pack('nameless.json', 'no-personal-data')
    expect(
      await verdicts('nameless.json', { ca: [pem(root)] }),
      'a redacted pack does not name its owner'
    ).toMatchObject({ findings: expect.arrayContaining(['certificate-none']) as unknown, code: 1 })
    await console.get('certificates.remove')
    await pack('uncertified.json')
    expect(await verdicts('uncertified.json', { ca: [pem(root)] })).toMatchObject({
      exit: 'refused',
      findings: expect.arrayContaining(['certificate-none']) as unknown,
      code: 1
    })
  })
})

describe('a revocation', () => {
  it('by the key itself refuses its packs, unless their time-stamp is older than its own', async () => {
    await pack('before.json')
    // The authority is accurate to a second.
    await setTimeout(2100)
    console.save = path('own.revocation')
    await console.get('keys.revoke', { reason: 'lost', note: 'Laptop', since: Date.now() + 3_600_000 })
    expect(await verdicts('before.json', { revocation: [path('own.revocation')] })).toMatchObject({
      exit: 'refused',
      findings: expect.arrayContaining(['key-revoked']) as unknown,
      code: 1
    })
    expect(
      await verdicts('before.json', { 'revocation': [path('own.revocation')], 'tsa-ca': [pem(root)] })
    ).toMatchObject({
      exit: 'signerUnknown',
      findings: expect.arrayContaining(['key-revoked-since']) as unknown,
      code: 3
    })
    // However far back its signer dates it.
    await console.get('keys.revoke', { reason: 'lost', note: '', since: Date.now() - 3_600_000 })
    expect(
      await verdicts('before.json', { 'revocation': [path('own.revocation')], 'tsa-ca': [pem(root)] })
    ).toMatchObject({ exit: 'signerUnknown', code: 3 })
    const dated = readRevocation(readFileSync(path('own.revocation'), 'utf8'))
    expect(dated?.file.timestamps).toHaveLength(1)
    // A revocation that is older than the pack's time-stamp.
    const vector = (name: string): string =>
      resolve(import.meta.dirname, '..', '..', 'docs', 'evidence', 'vectors', name)
    const given = { 'tsa-ca': [vector('time-stamp-authority.pem')] }
    for (const [name, exit] of [
      ['before', 'refused'],
      ['at', 'refused'],
      ['after', 'signerUnknown']
    ] as const) {
      const revocation = [vector(`revocation-${name}-time-stamp.json`)]
      expect(await verifyEvidence([vector('time-stamp.json')], { ...given, revocation }), name).toMatchObject({ exit })
    }
  })
  it('by another key counts only if the reader names it', async () => {
    // The key is revoked by now, so it signs nothing.
    const revoked = { ok: false, failure: { code: 'signing-key-revoked' } }
    expect(
      await console.ask('evidence.create', { about: { kind: 'record', id: record }, profile: 'full', pdf: false })
    ).toMatchObject(revoked)
    expect(await console.ask('certificates.request', { name: 'Compliance' })).toMatchObject(revoked)
    const lost = (await console.get('keys.list'))[0]!.fingerprint
    const other = generateKeyPairSync('ed25519').privateKey
    const by = fingerprintOf(keyOfSigner(other))
    const text = revocationText(sealedRevocation({ at: 1, key: lost, note: '', reason: 'left', since: 1 }, other))
    writeFileSync(path('other.revocation'), text)
    expect(readRevocation(text)).toMatchObject({ key: lost, revokedBy: by })
    expect(await (readAlone as (text: string) => Promise<unknown>)(text)).toMatchObject({
      valid: true,
      key: lost,
      revokedBy: by
    })
    expect(await verdicts('before.json', { revocation: [path('other.revocation')] })).toMatchObject({
      exit: 'signerUnknown',
      code: 3
    })
    expect(
      await verdicts('before.json', { 'revocation': [path('other.revocation')], 'may-revoke': [by] })
    ).toMatchObject({
      exit: 'refused',
      code: 1
    })
    writeFileSync(path('forged.revocation'), text.replace('"sig":"', '"sig":"AAAA'))
    expect(
      await verdicts('before.json', { 'revocation': [path('forged.revocation')], 'may-revoke': [by] })
    ).toMatchObject({
      exit: 'failed',
      error: expect.stringContaining('not a valid revocation') as string,
      code: 2
    })
  })
  it('leads to a new key only on request, and the old one stays listed', async () => {
    const [before] = await console.get('keys.list')
    expect(await console.ask('keys.replace', { key: '00'.repeat(32) })).toMatchObject({
      ok: false,
      failure: { code: 'signing-key-other' }
    })
    expect((await console.get('keys.list'))[0]).toEqual(before)
    const [now, old] = await console.get('keys.replace', { key: before!.fingerprint })
    expect(now).toMatchObject({ current: true })
    expect(now!.fingerprint).not.toBe(before!.fingerprint)
    expect(old).toMatchObject({
      fingerprint: before!.fingerprint,
      current: false,
      replacedAt: expect.any(Number) as number,
      revoked: { reason: 'lost' }
    })
    expect(createHash('sha256').update(Buffer.from(old!.publicKey, 'hex')).digest('hex')).toBe(old!.fingerprint)
    await pack('new.json')
    expect(await verdicts('new.json', { key: now!.fingerprint })).toMatchObject({ exit: 'done', code: 0 })
    expect(await verdicts('before.json', { key: before!.fingerprint })).toMatchObject({ exit: 'done', code: 0 })
    console.save = path('of-old.revocation')
    await console.get('keys.revoke', { key: before!.fingerprint, reason: 'replaced', note: '' })
    expect(
      await verdicts('before.json', { 'revocation': [path('of-old.revocation')], 'may-revoke': [now!.fingerprint] })
    ).toMatchObject({ exit: 'refused', code: 1 })
  })
})
