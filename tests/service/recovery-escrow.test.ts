/** The recovery key sealed for an organisation: by policy, in the history and its backups, opened by the private key alone. */
import { generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { escrowKey, openEscrow, sealEscrow } from '#core/backup/escrow.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { fileReader } from '../../electron/hosts/node/policies/linux.ts'
import { lasts } from './support/acts.ts'
import { runCommand } from './support/cli.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let folder: string
let console: TestConsole | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-escrow-'))
  mkdirSync(join(folder, 'etc'), { mode: 0o755 })
})
afterEach(async () => {
  await console?.dispose()
  console = undefined
  await rm(folder, { recursive: true, force: true })
})

const path = (name: string): string => join(folder, name)
function policy(pem: string): void {
  const policies = { OrganisationName: 'Example Bank', RecoveryKeyEscrow: pem }
  writeFileSync(path('new'), JSON.stringify({ format: 'veridesk-policies', version: 1, policies }), { mode: 0o644 })
  chmodSync(path('new'), 0o644)
  renameSync(path('new'), path('etc/policies.json'))
}
async function start(): Promise<TestConsole> {
  const policies = { ...fileReader(path('etc/policies.json'), [process.getuid?.() ?? 0]), confirmAfter: 1 }
  return (console = await startTestConsole(undefined, 'tester', { policies }))
}
async function run(own: TestConsole): Promise<string> {
  const { id: connectionId } = await own.get('practice.start')
  const input = { applicant_id: 'PRACTICE-pass' }
  const answer = await own.ask('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input
  })
  return answer.ok ? 'allowed' : answer.failure.code
}
const pemOf = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
/** Writes the private key as `openssl genpkey` does. */
function writePrivate(name: string, key: KeyObject): string {
  writeFileSync(path(name), key.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return path(name)
}
const pairs = {
  X25519: () => generateKeyPairSync('x25519'),
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 })
} as const
const open = (file: string, key: string, input = '') =>
  runCommand(['recovery-key', 'open', file, '--private-key', key], { data: path('elsewhere'), input })

describe.each(Object.entries(pairs))('a recovery key of a policy with %s', (_name, newPair) => {
  test('is required, sealed, printed beside the window, opened by the private key alone, and sealed again', async ({
    skip
  }) => {
    const organisation = newPair()
    const key = writePrivate('organisation.pem', organisation.privateKey)
    policy(pemOf(organisation.publicKey))
    const own = await start()
    skip(!(await lasts(own)), 'no keychain here, so nothing outlives the session; the runner provides one')
    const printed = () => runCommand(['recovery-key', 'escrow'], { data: own.dataFolder })
    expect(await own.get('recovery.state')).toEqual({ exists: false, confirmed: false, escrow: 'due' })
    expect(await run(own)).toBe('recovery-key-not-sealed')
    expect(await printed()).toMatchObject({ code: exitCodes.failed.code, out: '' })
    const first = await own.get('recovery.create')
    expect(await own.get('recovery.confirm', { createdAt: first.createdAt })).toMatchObject({ escrow: 'sealed' })
    expect(await run(own)).toBe('allowed')
    expect((await own.get('audit.page', { limit: 50 })).events.map(({ words }) => words)).toContain(
      `The recovery key was sealed for the organisation’s key ${escrowKey(pemOf(organisation.publicKey))}.`
    )

    const escrow = await printed()
    expect(escrow).toMatchObject({ code: 0, error: '' })
    expect(escrow.out).not.toContain(first.key.slice(0, 9))
    writeFileSync(path('collected.json'), escrow.out)
    expect(await open(path('collected.json'), key)).toMatchObject({ code: 0, out: `${first.key}\n` })
    expect(await open(path('collected.json'), '-', readFileSync(key, 'utf8'))).toMatchObject({
      out: `${first.key}\n`
    })
    const stranger = writePrivate('stranger.pem', newPair().privateKey)
    expect(await open(path('collected.json'), stranger)).toMatchObject({ code: exitCodes.failed.code, out: '' })
    expect((await open(path('collected.json'), path('etc/policies.json'))).error).toContain('private key is not')

    // A backup carries it along, and the renewed key is sealed in the backup as well.
    const backup = await own.get('backups.create')
    const copy = join(own.dataFolder, 'backups', backup.id, 'recovery.sealed')
    expect((await open(copy, key)).out).toBe(`${first.key}\n`)
    const second = await own.get('recovery.create')
    expect((await open(copy, key)).out).toBe(`${second.key}\n`)
    writeFileSync(path('collected.json'), (await printed()).out)
    expect((await open(path('collected.json'), key)).out).toBe(`${second.key}\n`)
    expect(await run(own)).toBe('allowed')

    // The organisation's key was replaced: what is sealed for the former one does not count.
    policy(pemOf(newPair().publicKey))
    await expect.poll(() => run(own)).toBe('recovery-key-not-sealed')
    expect(await own.get('recovery.state')).toMatchObject({ exists: true, escrow: 'due' })
  })
})

test('a public key that cannot be read, or that is too weak, makes the policies unusable, so nothing is sent', async () => {
  const wrong = {
    damaged: '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VuAyEAYB8z\n-----END PUBLIC KEY-----',
    short: pemOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey),
    signing: pemOf(generateKeyPairSync('ed25519').publicKey),
    smallOrder: `-----BEGIN PUBLIC KEY-----\n${Buffer.concat([Buffer.from('302a300506032b656e032100', 'hex'), Buffer.alloc(32)]).toString('base64')}\n-----END PUBLIC KEY-----`
  }
  for (const pem of Object.values(wrong)) expect(escrowKey(pem), pem).toBeUndefined()
  policy(wrong.damaged)
  const own = await start()
  expect(await own.ask('practice.start')).toMatchObject({ failure: { code: 'policies-block-sending' } })
  expect(own.practice.ledger()).toEqual([])
})

test('what was sealed opens only whole, and a key without line breaks is the same key', () => {
  for (const newPair of Object.values(pairs)) {
    const { publicKey, privateKey } = newPair()
    const pem = pemOf(publicKey)
    expect(escrowKey(pem.replaceAll('\n', ' '))).toBe(escrowKey(pem))
    const escrow = sealEscrow(pem, 1, 'CODE')
    expect(openEscrow(escrow, privateKey)).toBe('CODE')
    const bytes = Buffer.from(escrow.sealed, 'base64')
    bytes[bytes.length >> 1]! ^= 1
    expect(openEscrow({ ...escrow, sealed: bytes.toString('base64') }, privateKey)).toBeUndefined()
  }
})
