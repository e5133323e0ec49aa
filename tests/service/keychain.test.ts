/**
 * The keychain of the system, through its own process.
 * @deadlines
 */
import { fork, spawn } from 'node:child_process'
import { readFile, rm, writeFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import type { KeychainState } from '#contract/app/app-state.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keychainIn, noBus, startKeyring, type Keyring, type KeyringKind } from './support/keyring.ts'
import { inTime } from './support/in-time.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of open.splice(0).reverse()) await end()
})

async function keyring(kind?: KeyringKind, display?: string): Promise<Keyring> {
  const started = await startKeyring(kind, display)
  open.push(() => started.end())
  return started
}
function keychain(env: Readonly<Record<string, string>>, options?: Parameters<typeof keychainIn>[1]) {
  const made = keychainIn(env, options)
  open.push(() => made.keychain.close())
  return made
}
async function codeOf(result: ReturnType<SecretStore['get'] | SecretStore['set'] | SecretStore['remove']>) {
  const settled = await result
  return settled.ok ? 'ok' : settled.failure.code
}

it('stores values exactly, up to 2,560 bytes, and reports missing ones', async () => {
  const states: KeychainState[] = []
  const { env } = await keyring()
  const first = keychain(env, { onState: (state) => states.push(state) }).keychain
  expect(first.state()).toBe('unchecked')
  expect(await first.get('connection/a/x')).toEqual({ ok: true, value: undefined })
  const values = ['plain', ' “ünïcode” ✓ 🔑 ', 'two\r\nlines', 'x'.repeat(2560), 'é'.repeat(1280)]
  for (const value of values) {
    expect(await codeOf(first.set('connection/a/x', value))).toBe('ok')
    expect(await first.get('connection/a/x')).toEqual({ ok: true, value })
  }
  // Another process reads the same value: it is in the keyring, not in a cache.
  expect(await keychain(env).keychain.get('connection/a/x')).toEqual({ ok: true, value: values.at(-1) })
  expect(await codeOf(first.remove('connection/a/x'))).toBe('ok')
  expect(await codeOf(first.remove('connection/a/x'))).toBe('ok')
  expect(await first.get('connection/a/x')).toEqual({ ok: true, value: undefined })
  expect(states).toEqual(['ready'])
})

it('refuses values that a keychain would truncate or refuse, before calling it', async () => {
  const { keychain: refusing, lines } = keychain(noBus)
  for (const value of ['', 'a\0b', 'x'.repeat(2561), 'é'.repeat(1281)])
    expect(await codeOf(refusing.set('account', value))).toBe('credential-invalid')
  expect(lines).toEqual([])
})

it('reports absent without D-Bus, and without a collection or a service to create one', async () => {
  for (const env of [noBus, (await keyring('none')).env]) {
    const { keychain: absent } = keychain(env)
    expect(await absent.probe()).toBe('absent')
    expect(await codeOf(absent.get('account'))).toBe('keychain-absent')
    expect(await codeOf(absent.set('account', 'value'))).toBe('keychain-absent')
    expect(await codeOf(absent.remove('account'))).toBe('keychain-absent')
  }
})

it('says locked for a locked keyring', async () => {
  const { keychain: locked } = keychain((await keyring('locked')).env)
  expect(await locked.probe()).toBe('locked')
  expect(await codeOf(locked.set('account', 'value'))).toBe('keychain-locked')
})

it('finds a locked keyring ready at the first check after its service was restarted unlocked', async () => {
  const started = await keyring('locked')
  const { keychain: store } = keychain(started.env)
  expect(await store.probe()).toBe('locked')
  // The same password that the locked keyring was created with; a new login uses `--replace`.
  const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--replace', '--components=secrets'], {
    env: { ...process.env, ...started.env },
    stdio: ['pipe', 'ignore', 'ignore']
  })
  daemon.stdin.end('made by a test\n')
  await new Promise((resolve) => daemon.once('exit', resolve))
  expect(await store.probe()).toBe('ready')
})

it('says locked, and leaves the prompt to the person, where one comes up', async (context) => {
  const display = await startDisplay()
  if (!display) return context.skip('a prompt needs a display, and Xvfb is not installed')
  const { keychain: prompting, lines } = keychain((await keyring('locked', display)).env)
  // A call that waited for the prompt would end as hung.
  expect(await codeOf(prompting.set('account', 'value'))).toBe('keychain-locked')
  expect(await prompting.probe()).toBe('locked')
  // The process that requested the prompt still exists, and so does the prompt.
  expect(lines).toHaveLength(1)
})

/** Starts a separate display with Xvfb; undefined if it is not installed. */
async function startDisplay(): Promise<string | undefined> {
  const server = spawn('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp'], { stdio: ['ignore', 'pipe', 'ignore'] })
  open.push(async () => void server.kill('SIGKILL'))
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.stdout.once('data', (chunk) => resolve(`:${String(chunk).trim()}`))
  })
}

it('never reports an entry as missing because the keyring was locked in the meantime', async () => {
  const started = await keyring()
  const { keychain: store } = keychain(started.env)
  expect(await codeOf(store.set('history-key', 'precious'))).toBe('ok')
  started.signal('SIGKILL')
  expect(await codeOf(store.get('history-key'))).toMatch(/^keychain-(locked|absent)$/)
  expect(await codeOf(store.remove('history-key'))).toMatch(/^keychain-(locked|absent)$/)
})

it('finds the keychain again after its service was restarted', async () => {
  const started = await keyring()
  const states: KeychainState[] = []
  const { keychain: store, lines } = keychain(started.env, { onState: (state) => states.push(state) })
  expect(await codeOf(store.set('account', 'kept'))).toBe('ok')
  await started.restart()
  expect(await store.get('account')).toEqual({ ok: true, value: 'kept' })
  expect(lines).toHaveLength(2)
  expect(states).toEqual(['ready'])
})

it('gives a hung keychain 5 s, fails fast afterwards, keeps files usable and recovers on a probe', async () => {
  const started = await keyring()
  const { keychain: store, lines } = keychain(started.env)
  expect(await store.probe()).toBe('ready')
  expect(await codeOf(store.set('account', 'kept'))).toBe('ok')
  started.signal('SIGSTOP')
  try {
    const begun = performance.now()
    const waiting = Array.from({ length: 6 }, () => codeOf(store.get('account')))
    const probed = store.probe()
    const limit = inTime(5500, () => Promise.all([...waiting, probed]))
    // Four hung calls in this process would block all of its file access.
    const file = readFile(fileURLToPath(import.meta.url)).then(() => 'file')
    expect(await Promise.race([file, ...waiting])).toBe('file')
    const all = await limit
    expect(new Set(all.value)).toEqual(new Set(['keychain-hung', 'hung']))
    expect(all.inTime).toBe(true)
    expect(performance.now() - begun).toBeGreaterThan(4900)
    // Answered without a call, so before any timer.
    expect(await inTime(0, () => codeOf(store.set('account', 'other')))).toEqual({
      inTime: true,
      value: 'keychain-hung'
    })
    expect(lines).toHaveLength(1)
    await new Promise<void>((resolve) => lines[0]!.onEnd(() => resolve()))
  } finally {
    started.signal('SIGCONT')
  }
  expect(await store.probe()).toBe('ready')
  expect(await store.get('account')).toEqual({ ok: true, value: 'kept' })
})

it('answers queued calls in turn, each with its own limit, including a probe that hangs', async () => {
  const started = await keyring()
  const { keychain: store } = keychain(started.env, { limitMs: 600 })
  started.signal('SIGSTOP')
  try {
    expect(await store.probe()).toBe('hung')
    expect(await inTime(900, () => Promise.all([store.probe(), store.probe()]))).toEqual({
      inTime: true,
      value: ['hung', 'hung']
    })
  } finally {
    started.signal('SIGCONT')
  }
})

it('launches a new process after the old one was killed', async () => {
  const { keychain: store, lines } = keychain((await keyring()).env)
  expect(await codeOf(store.set('account', 'kept'))).toBe('ok')
  lines[0]!.kill()
  await new Promise<void>((resolve) => lines[0]!.onEnd(() => resolve()))
  expect(await store.get('account')).toEqual({ ok: true, value: 'kept' })
  expect(lines).toHaveLength(2)
})

it('closes at once, and answers afterwards without a process', async () => {
  const started = await keyring()
  const { keychain: store, lines } = keychain(started.env)
  started.signal('SIGSTOP')
  const flying = codeOf(store.get('account'))
  await expect.poll(() => lines.length).toBe(1)
  // Not by waiting for the limit of the hung call.
  expect(await inTime(4900, () => store.close())).toMatchObject({ inTime: true })
  expect(await flying).toMatch(/^keychain-/)
  expect(await codeOf(store.get('account'))).toBe('keychain-hung')
  expect(lines).toHaveLength(1)
  started.signal('SIGCONT')
})

it('does not outlive its host, even hung', async () => {
  const started = await keyring()
  const folder = await mkdtemp(join(tmpdir(), 'veridesk-keychain-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  const host = join(folder, 'host.mjs')
  const worker = fileURLToPath(new URL('../../electron/keychain/worker.ts', import.meta.url))
  await writeFile(
    host,
    `import { fork, spawn } from 'node:child_process'
     const worker = fork(${JSON.stringify(worker)}, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
     for (let call = 1; call <= 5; call += 1) worker.send({ call, method: 'get', args: ['account'] })
     process.send(worker.pid)`
  )
  started.signal('SIGSTOP')
  try {
    const process_ = fork(host, { env: { ...process.env, ...started.env }, execArgv: [] })
    const pid = await new Promise<number>((resolve) => process_.once('message', (message) => resolve(Number(message))))
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(() => process.kill(pid, 0)).not.toThrow()
    process_.kill('SIGKILL')
    await expect.poll(() => stateOf(pid), { timeout: 3000 }).toBe('gone')
  } finally {
    started.signal('SIGCONT')
  }
})

/** A process that ended but was not waited for counts as gone. */
async function stateOf(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return status === '' || /State:\s+Z/.test(status) ? 'gone' : 'there'
}
