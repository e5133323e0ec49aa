/**
 * Credentials in the keychain: set, used, cleared, and what is said without one.
 * @deadlines
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { credentialIds, type CredentialValues } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { openConnections } from '#core/connections/connections.ts'
import { createLog } from '#core/log/log.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { bindCredentials } from '#core/secrets/bound.ts'
import { createCredentials } from '#core/secrets/credentials.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { openSettings } from '#core/settings/settings.ts'
import { keychainIn, noBus, startKeyring, type Keyring } from './support/keyring.ts'
import { inTime } from './support/in-time.ts'

let folder = ''
const open: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-secrets-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
})
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end()
})

const clock = { now: () => Date.now() }
const draft = { name: 'Bank', baseUrl: 'https://kyc.example.com', mode: 'live', colour: 'red', mark: 'B' } as const
const canaries = Object.fromEntries(
  credentialIds.map((id) => [id, `Canary+${id}/7Q2=${'z'.repeat(40)}`])
) as CredentialValues
const forms = Object.values(canaries).flatMap((text) => [
  text,
  encodeURIComponent(text),
  Buffer.from(text).toString('base64'),
  Buffer.from(text).toString('hex')
])

async function keyring(kind?: 'locked'): Promise<Keyring> {
  const started = await startKeyring(kind)
  open.push(() => started.end())
  return started
}
function core(env: Readonly<Record<string, string>>, limitMs?: number) {
  const made = keychainIn(env, limitMs === undefined ? {} : { limitMs })
  open.push(() => made.keychain.close())
  const session = createSessionSecrets()
  const credentials = createCredentials({ keychain: made.keychain, session })
  const bound = bindCredentials({ credentials, keychain: made.keychain, session })
  return { ...made, credentials, bound }
}

/** Files in a folder that contain a canary in any form. */
async function filesWithCanary(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const hits: string[] = []
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'latin1')
    if (forms.some((form) => text.includes(form))) hits.push(path)
  }
  return hits
}

/** One session's work with secrets; writes every failure to the log, as a careless caller would. */
async function work(env: Readonly<Record<string, string>>, limitMs: number): Promise<string> {
  const log = createLog({ folder, clock })
  const { bound, credentials, keychain, lines } = core(env, limitMs)
  await keychain.probe()
  const settings = await openSettings({ folder, clock })
  await settings.change({ theme: 'dark' })
  const connections = await openConnections({ folder, clock, credentials: bound })
  const saved = await connections.save(draft)
  if (!saved.ok) throw new Error(sentencesOf(saved.failure).what)
  const { id } = saved.value.connection
  let answers = ''
  for (const credential of credentialIds) {
    log.mask(canaries[credential])
    for (const value of [canaries[credential], `${canaries[credential]}\r\n`, `é${canaries[credential]}`]) {
      const set = await credentials.set(id, credential, value)
      answers += JSON.stringify(set)
      log.write(`set ${JSON.stringify(set)}`, { code: value })
    }
  }
  const values = await credentials.values(id)
  expect(values.ok && values.value).toEqual(canaries)
  answers += JSON.stringify([await connections.list(), await credentials.fingerprint(canaries)])
  expect(lines.length).toBeGreaterThan(0)
  answers += await processText()
  answers += JSON.stringify(await connections.save({ ...draft, id, baseUrl: 'https://other.example.com' }))
  await log.flush()
  return answers
}

/** Command lines and environments of this process and its children. */
async function processText(): Promise<string> {
  const children = (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).trim().split(' ').filter(Boolean)
  const read = [process.pid, ...children].flatMap((pid) => ['cmdline', 'environ'].map((name) => `/proc/${pid}/${name}`))
  return (await Promise.all(read.map((path) => readFile(path, 'latin1').catch(() => '')))).join('\n')
}

it('leaves no secret in any file, answer, command line or environment, with a keychain and without one', async () => {
  const stopped = await keyring()
  stopped.signal('SIGSTOP')
  open.push(async () => stopped.signal('SIGCONT'))
  for (const env of [(await keyring()).env, noBus, (await keyring('locked')).env, stopped.env]) {
    const answers = await work(env, 700)
    for (const form of forms) expect(answers).not.toContain(form)
    expect(await filesWithCanary()).toEqual([])
    const files = await readdir(folder, { recursive: true })
    expect(files).toEqual(expect.arrayContaining(['connections.json', 'settings.json', join('logs', 'veridesk.log')]))
    await rm(folder, { recursive: true })
  }
})

it('keeps credentials across sessions in the real keychain, and clears them there', async () => {
  const { env } = await keyring()
  const first = core(env)
  await first.keychain.probe()
  for (const credential of credentialIds)
    expect(await first.credentials.set('c', credential, canaries[credential])).toEqual({
      ok: true,
      value: { kept: 'keychain' }
    })
  const print = await first.credentials.fingerprint(canaries)
  await first.keychain.close()

  const second = core(env)
  await second.keychain.probe()
  expect(await second.credentials.values('c')).toEqual({ ok: true, value: canaries })
  expect(await second.credentials.fingerprint(canaries)).toBe(print)
  expect(await second.credentials.clearAll('c')).toEqual({ ok: true, value: null })

  const third = core(env)
  expect(await third.credentials.values('c')).toMatchObject({ ok: false, failure: { code: 'credentials-missing' } })
})

it('starts with a hung keychain without waiting for it', async () => {
  const stopped = await keyring()
  const healthy = core(stopped.env)
  const prepared = await openConnections({ folder, clock, credentials: healthy.bound })
  for (const name of ['A', 'B', 'C']) await prepared.save({ ...draft, name })
  await healthy.keychain.close()
  stopped.signal('SIGSTOP')
  try {
    const { keychain, bound } = core(stopped.env)
    const probing = keychain.probe()
    await openSettings({ folder, clock })
    const connections = await openConnections({ folder, clock, credentials: bound })
    expect(await connections.list()).toHaveLength(3)
    expect(keychain.state()).toBe('unchecked')
    expect(await probing).toBe('hung')
  } finally {
    stopped.signal('SIGCONT')
  }
})

it('lists in time when the keychain starts to hang', async () => {
  const started = await keyring()
  const { keychain, bound } = core(started.env)
  const connections = await openConnections({ folder, clock, credentials: bound })
  for (const name of ['A', 'B', 'C']) await connections.save({ ...draft, name })
  expect(await keychain.probe()).toBe('ready')
  started.signal('SIGSTOP')
  try {
    // Before the keychain's own limit of 5 s for a single call.
    const { value, inTime: ended } = await inTime(1800, () => connections.list())
    expect(value).toHaveLength(3)
    expect(ended).toBe(true)
  } finally {
    started.signal('SIGCONT')
  }
})

it('reads the three values of a run, as often as it is asked', async () => {
  const { keychain, credentials } = core((await keyring()).env)
  await keychain.probe()
  for (const credential of credentialIds) await credentials.set('c', credential, canaries[credential])
  for (let round = 0; round < 3; round += 1) {
    expect(await credentials.values('c')).toEqual({ ok: true, value: canaries })
    expect((await credentials.presence('c')).credentials).toEqual(
      Object.fromEntries(credentialIds.map((id) => [id, true]))
    )
  }
})

/** Both implementations of the port behave the same. */
it.each(['real', 'memory'] as const)('gives back what was set (%s)', async (kind) => {
  const store: SecretStore = kind === 'real' ? core((await keyring()).env).keychain : createSessionSecrets()
  expect(await store.probe()).toBe('ready')
  expect(await store.get('a')).toEqual({ ok: true, value: undefined })
  expect(await store.set('a', '1')).toEqual({ ok: true, value: null })
  expect(await store.set('a', '2')).toEqual({ ok: true, value: null })
  expect(await store.set('b', '3')).toEqual({ ok: true, value: null })
  expect(await store.get('a')).toEqual({ ok: true, value: '2' })
  expect(await store.remove('a')).toEqual({ ok: true, value: null })
  expect(await store.remove('a')).toEqual({ ok: true, value: null })
  expect(await store.get('a')).toEqual({ ok: true, value: undefined })
  expect(await store.get('b')).toEqual({ ok: true, value: '3' })
  await store.close()
})
