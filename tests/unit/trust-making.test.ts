/** Making the company's trust file: drafts, and the signatures of two installations. */
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { trustDraftSchema, trustMakeSchema } from '#contract/evidence/trust-file.ts'
import { ok } from '#contract/failures/result.ts'
import { readTrustFile } from '#core/evidence/trust-file.ts'
import { createTrustMaking, type TrustMaking } from '#core/evidence/trust-making.ts'
import { signingKey } from '#core/evidence/signing-key.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { fingerprintOf, keyOfSigner } from '#wire/evidence/keys.ts'
import { makeTrustFile, showTrustFile, signTrustFile } from '../../electron/hosts/cli/trust.ts'
import type { Context } from '../../electron/hosts/cli/context.ts'
import { day, issued } from './support/trust-files.ts'

const clock = { now: () => issued, monotonic: () => 0 }
interface Installation {
  readonly publicKey: string
  readonly fingerprint: string
  readonly making: TrustMaking
}
let saved: string | undefined
let cancels = false
/** An installation with a key of its own. */
async function installation(now = issued): Promise<Installation> {
  const keychain = createSessionSecrets()
  const key = await signingKey(keychain)
  if (!key.ok) throw new Error('no key')
  const publicKey = keyOfSigner(key.value)
  const making = createTrustMaking({
    keychain,
    clock: { ...clock, now: () => now },
    chooseSavePath: async (_title, name) => (cancels ? undefined : `/tmp/${name}`),
    files: {
      write: async (_path, text) => {
        saved = text as string
        return ok(null)
      }
    }
  })
  return { publicKey, fingerprint: fingerprintOf(publicKey), making }
}
const draft = (members: object) => trustDraftSchema.parse(members)

let ann: Installation
let ben: Installation
let cat: Installation
beforeEach(async () => {
  saved = undefined
  cancels = false
  ;[ann, ben, cat] = [await installation(), await installation(), await installation(issued + 30 * day)]
})
/** The last version of what was saved. */
function speaking() {
  const read = readTrustFile(saved ?? '')
  if (!read.ok) throw new Error(read.failure.reason)
  return read.value.speaking
}
const signers = (key: string) => [{ name: 'Ann', key, roles: ['pack', 'approver'], until: '2027-06-30' }]

it('waits for the second keeper, who signs on their own installation', async () => {
  const made = await ann.making.make({
    draft: draft({
      organisation: 'Sample Bank',
      keepers: [ann.publicKey, ben.publicKey],
      signers: signers(ann.fingerprint.toUpperCase())
    })
  })
  expect(made).toMatchObject({ ok: true, value: { path: '/tmp/Sample Bank.veridesk-trust', version: 1, waitsFor: 1 } })
  expect(speaking()).toMatchObject({
    expires: issued + 365 * day,
    signers: [
      { name: 'Ann', key: ann.fingerprint, roles: ['approver', 'pack'], from: issued, until: Date.UTC(2027, 5, 30) }
    ]
  })
  const waiting = saved ?? ''
  expect(await cat.making.sign({ text: waiting })).toMatchObject({ ok: false, failure: { code: 'trust-not-keeper' } })
  expect(await ann.making.sign({ text: waiting })).toMatchObject({ ok: true, value: { waitsFor: 1 } })
  expect(await ben.making.sign({ text: waiting })).toMatchObject({ ok: true, value: { waitsFor: 0 } })
})

it('carries over what a draft leaves out, and hands over to another keeper', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  await ann.making.make({
    draft: draft({
      organisation: 'Sample Bank',
      keepers: [ann.publicKey, ben.publicKey],
      signers: signers(ann.fingerprint),
      revocations: [{ key: 'ab'.repeat(32), reason: 'lost', since: '2025-12-01T10:00:00+01:00' }]
    })
  })
  expect(await ann.making.make({ draft: draft({}), before: saved })).toMatchObject({
    ok: false,
    failure: { code: 'trust-file-refused', details: { reason: 'waiting', version: 1, count: 1 } }
  })
  await ben.making.sign({ text: saved ?? '' })
  const before = saved ?? ''
  const keepers = [ann.publicKey, cat.publicKey, publicKey.export({ type: 'spki', format: 'pem' })]
  expect(await cat.making.make({ draft: draft({ keepers, days: 400 }), before })).toMatchObject({
    ok: true,
    value: { version: 2, waitsFor: 2 }
  })
  expect(speaking()).toMatchObject({
    organisation: 'Sample Bank',
    issued: issued + 30 * day,
    expires: issued + 430 * day,
    signers: [{ key: ann.fingerprint, from: issued }],
    revocations: [{ key: 'ab'.repeat(32), recorded: issued, since: Date.UTC(2025, 11, 1, 9) }]
  })
  expect(await ann.making.sign({ text: saved ?? '' })).toMatchObject({ ok: true, value: { waitsFor: 1 } })
  expect(await ben.making.sign({ text: saved ?? '' })).toMatchObject({ ok: true, value: { waitsFor: 0 } })
})

it('takes certificates from PEM texts, each by itself', async () => {
  const block = (body: string) => `-----BEGIN CERTIFICATE-----\r\n${body}\r\n-----END CERTIFICATE-----`
  const order = { organisation: 'Sample Bank', keepers: [ann.publicKey, ben.publicKey] }
  await ann.making.make({
    draft: draft({ ...order, ca: [`Subject: A\n${block('QUJD')}\n${block('A'.repeat(68))}\n`] })
  })
  expect(speaking().ca).toEqual([
    '-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n',
    `-----BEGIN CERTIFICATE-----\n${'A'.repeat(64)}\nAAAA\n-----END CERTIFICATE-----\n`
  ])
})

it('says what a draft lacks, and saves nothing', async () => {
  const keepers = [ann.publicKey, ben.publicKey]
  for (const [members, reason] of [
    [{ keepers }, 'organisation'],
    [{ organisation: 'Sample Bank' }, 'keepers'],
    [{ organisation: 'Sample Bank', keepers: [ann.publicKey, ann.publicKey] }, 'keepers'],
    [{ organisation: 'Sample Bank', keepers: [ann.publicKey, 'ben'] }, 'keeper-key'],
    [{ organisation: 'Sample Bank', keepers, timestamps: ['none'] }, 'certificates']
  ] as const)
    expect(await ann.making.make({ draft: draft(members) })).toMatchObject({
      ok: false,
      failure: { code: 'trust-draft-incomplete', details: { reason } }
    })
  const order = { organisation: 'Sample Bank', keepers }
  expect(await cat.making.make({ draft: draft(order) })).toMatchObject({ failure: { code: 'trust-not-keeper' } })
  expect(
    await ann.making.make({
      draft: draft({ ...order, revocations: [{ key: ben.fingerprint, reason: 'left' }] })
    })
  ).toMatchObject({ failure: { code: 'trust-file-refused', details: { reason: 'keeper-revoked' } } })
  expect(await ann.making.sign({ text: 'none' })).toMatchObject({ failure: { details: { reason: 'form' } } })
  cancels = true
  expect(await ann.making.make({ draft: draft(order) })).toEqual({ ok: true, value: null })
  expect(saved).toBeUndefined()
  for (const wrong of [{ days: 401 }, { signers: [{ name: 'A', key: 'short', roles: ['pack'] }] }, { more: 1 }])
    expect(trustDraftSchema.safeParse(wrong).success).toBe(false)
})

it('does the same from the command line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-trust-'))
  const path = (name: string): string => join(folder, name)
  const by = ({ making }: Installation, operands: string[], options: Record<string, string | boolean>): Context =>
    ({
      operands,
      options,
      ask: (name: string, input: never) =>
        name === 'trust.make' ? making.make(trustMakeSchema.parse(input)) : making.sign(input)
    }) as unknown as Context
  try {
    const order = {
      organisation: 'Sample Bank',
      keepers: [ann.publicKey, ben.publicKey],
      signers: signers(ann.fingerprint)
    }
    writeFileSync(path('draft.json'), JSON.stringify(order))
    const made = await makeTrustFile(by(ann, [], { from: path('draft.json'), to: path('one') }))
    expect(made.out, made.error).toContain('Waiting for 1 more signature of keepers')
    writeFileSync(path('one'), saved ?? '')
    const shown = await showTrustFile([path('one')], {})
    expect(shown.out).toContain(`keeper          ${ann.fingerprint}  signed`)
    expect(shown.out).toContain(`approver, pack  ${ann.fingerprint}  Ann, from`)
    const signed = await signTrustFile(by(ben, [path('one')], { to: path('one'), json: true }))
    expect(JSON.parse(signed.out ?? '')).toMatchObject({ version: 1, waitsFor: 0 })
    writeFileSync(path('one'), saved ?? '')
    expect((await showTrustFile([path('one')], {})).out).toContain('It counts')
    writeFileSync(path('draft.json'), JSON.stringify({ ...order, signers: [{ name: 'Ann' }] }))
    expect(await makeTrustFile(by(ann, [], { from: path('draft.json'), to: path('two') }))).toMatchObject({
      exit: 'usage',
      error: expect.stringContaining('not valid at signers.0.') as string
    })
    writeFileSync(path('one'), 'none')
    expect(await showTrustFile([path('one')], {})).toMatchObject({ exit: 'failed' })
    expect(await showTrustFile([], {})).toMatchObject({ exit: 'usage' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
