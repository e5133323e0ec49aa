/** A passphrase over the keys of a data folder, in a real keyring: what opens them, what a crash leaves, and the recovery key. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { masterKeyAccount } from '#core/history/open.ts'
import { createProtectedSecrets } from '#core/lock/protected-secrets.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { createKeychain } from '#core/secrets/keychain.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'
import { checked, lasts } from './support/acts.ts'
import { runCommand } from './support/cli.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { ownKeyring } from './support/keyring.ts'
import { launchWorkers } from './support/workers.ts'

const [first, second, wrong] = ['seven green kettles', 'nine yellow kettles', 'eight green kettles']
const draftsAccount = `${masterKeyAccount}-drafts`
let endKeyring: () => Promise<void>
beforeAll(async () => void (endKeyring = await ownKeyring()))
afterAll(() => endKeyring())

describe('in the keyring', () => {
  const master = '0123456789abcdef'.repeat(4)
  const draftsKey = 'fedcba9876543210'.repeat(4)
  let keychain: SecretStore
  beforeEach(async () => {
    keychain = createKeychain({ launch: launchWorkers, clock: systemClock })
    await keychain.set(masterKeyAccount, master)
    await keychain.set(draftsAccount, draftsKey)
  })
  afterEach(() => keychain.close())
  const secrets = (inner = keychain) => createProtectedSecrets(inner, async () => [draftsAccount])
  /** What a start with this passphrase reads; undefined if it is refused. */
  async function read(passphrase: string): Promise<unknown[] | undefined> {
    const fresh = secrets()
    const opened = await fresh.open(passphrase)
    if (!opened.ok || !opened.value) return undefined
    const values = [await fresh.get(masterKeyAccount), await fresh.get(draftsAccount)]
    return values.map((value) => value.ok && value.value)
  }

  test('the keys need the passphrase, and neither they nor it are in the keyring', async () => {
    const own = secrets()
    expect(await own.isProtected()).toEqual({ ok: true, value: false })
    expect(await own.protect(first)).toMatchObject({ ok: true })
    const kept = JSON.stringify([await keychain.get(masterKeyAccount), await keychain.get(draftsAccount)])
    for (const secret of [master, draftsKey, first, Buffer.from(master, 'hex').toString('base64')])
      expect(kept).not.toContain(secret)
    own.forget()
    expect(await own.get(masterKeyAccount)).toMatchObject({ ok: false, failure: { code: 'locked' } })
    expect(await own.set(draftsAccount, draftsKey)).toMatchObject({ ok: false, failure: { code: 'locked' } })
    expect(await read(wrong)).toBeUndefined()
    expect(await read(first)).toEqual([master, draftsKey])
  })

  /** A keyring whose writer dies ahead of its write number `at`, from 0. */
  function dying(at: number): { readonly store: SecretStore; readonly died: Promise<void> } {
    let writes = 0
    let dead = (): void => undefined
    const died = new Promise<void>((resolve) => (dead = resolve))
    const never = new Promise<never>(() => undefined)
    const unlessDead = <T>(write: () => Promise<T>): Promise<T> => (writes++ === at ? (dead(), never) : write())
    const set: SecretStore['set'] = (account, value) => unlessDead(() => keychain.set(account, value))
    return { died, store: { ...keychain, set, setBytes: (account, value) => set(account, value.toString('utf8')) } }
  }
  /** Performs a step with a writer that dies ahead of each of its writes, and in the end does not; which passphrase then opens all. */
  async function endings(
    given: string | undefined,
    step: (own: ReturnType<typeof secrets>) => Promise<unknown>,
    writes: number
  ): Promise<string[]> {
    const found: string[] = []
    for (let at = 0; at <= writes; at += 1) {
      await keychain.set(masterKeyAccount, master)
      await keychain.set(draftsAccount, draftsKey)
      if (given !== undefined) await secrets().protect(given)
      const { store, died } = dying(at)
      const own = secrets(store)
      if (given !== undefined) await own.open(given)
      await Promise.race([step(own), died])
      const isProtected = await secrets().isProtected()
      const candidates = isProtected.ok && isProtected.value ? [first, second] : ['']
      const opening: string[] = []
      for (const each of candidates)
        if (JSON.stringify(await read(each)) === JSON.stringify([master, draftsKey])) opening.push(each)
      found.push(opening.join(' and '))
    }
    return found
  }

  test('a crash at any write leaves the old passphrase or the new one, with every key', async () => {
    // The key of the drafts follows that of the history when it is set, and precedes it when it is removed.
    expect(await endings(undefined, (own) => own.protect(first), 2)).toEqual(['', first, first])
    expect(await endings(first, (own) => own.protect(second), 1)).toEqual([first, second])
    expect(await endings(first, (own) => own.unprotect(), 2)).toEqual([first, first, ''])
  }, 240_000)
})

test('the command line asks for it, and has an exit code of its own', async ({ skip }) => {
  const console = await startTestConsole()
  const isLasting = await lasts(console)
  if (isLasting) await checked(console)
  if (isLasting) await console.get('passphrase.change', { next: first })
  await console.close()
  const run = (input: string, ...more: string[]) =>
    runCommand(['history', 'search', ...more], { data: console.dataFolder, input })
  try {
    skip(!isLasting, 'no keychain here')
    expect(await run('')).toMatchObject({ code: exitCodes.locked.code, out: '' })
    expect(await run(`${wrong}\n`, '--passphrase-stdin')).toMatchObject({ code: exitCodes.locked.code, out: '' })
    const { code, out } = await run(`${first}\n`, '--passphrase-stdin')
    expect([code, out]).toEqual([0, expect.stringContaining('PRACTICE-pass')])
  } finally {
    await console.dispose()
  }
}, 240_000)

test('on the command line, the right passphrase opens after the wait, however many processes asked meanwhile', async ({
  skip
}) => {
  const console = await startTestConsole()
  const isLasting = await lasts(console)
  if (isLasting) await checked(console)
  if (isLasting) await console.get('passphrase.change', { next: first })
  await console.close()
  const run = (input: string) =>
    runCommand(['history', 'search', '--passphrase-stdin'], { data: console.dataFolder, input })
  try {
    skip(!isLasting, 'no keychain here')
    for (let time = 1; time <= 5; time += 1)
      expect((await run(`${wrong}\n`)).error).toContain(`Wrong attempts in a row: ${time}.`)
    const counted = Date.now()
    const said: number[] = []
    await expect
      .poll(
        async () => {
          const { code, error } = await run(`${first}\n`)
          said.push(Number(/accepted in (\d+) seconds?/.exec(error)?.[1] ?? 0))
          return code
        },
        { timeout: 60_000, interval: 2000 }
      )
      .toBe(exitCodes.done.code)
    expect(Date.now() - counted, 'no attempt before the wait is over').toBeGreaterThan(28_000)
    expect(said.length).toBeGreaterThan(2)
    expect(said, 'each says less').toEqual([...said].sort((a, b) => b - a))
  } finally {
    await console.dispose()
  }
}, 240_000)

describe('of a console', () => {
  let console: TestConsole
  beforeEach(async () => void (console = await startTestConsole()))
  afterEach(() => console.dispose())
  const events = async (kind: string): Promise<string[]> =>
    (await console.get('audit.page', { limit: 100, kinds: [kind] })).events.map(({ words }) => words)
  async function again(): Promise<void> {
    await console.close()
    console = await startTestConsole(console)
  }

  test('it begins locked; a wrong passphrase counts over a restart, the right one and the recovery key open', async ({
    skip
  }) => {
    skip(!(await lasts(console)), 'no keychain here')
    const record = await checked(console)
    const { round } = await console.get('drafts.read')
    await console.get('drafts.keep', { round, text: '{"a":1}' })
    const { key } = await console.get('recovery.create')
    await console.get('backups.create')
    expect(await console.ask('passphrase.change', { next: 'password1234' })).toMatchObject({
      failure: { code: 'passphrase-weak' }
    })
    expect(await console.get('passphrase.change', { next: first })).toMatchObject({ passphrase: true })
    await again()
    expect((await console.get('app.state')).lock).toMatchObject({ why: 'start', by: 'passphrase', wrong: 0 })
    expect(await console.ask('history.record', { id: record })).toMatchObject({ failure: { code: 'locked' } })
    expect(await console.ask('lock.unlock', {})).toMatchObject({ failure: { code: 'passphrase-missing' } })
    expect(await console.ask('lock.unlock', { passphrase: wrong })).toMatchObject({
      failure: { code: 'passphrase-wrong', details: { count: 1 } }
    })
    // As after five of them: the wait goes on over the start, and no passphrase is tried before it is over.
    const path = join(console.dataFolder, 'lock.json')
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replace('"wrong": 1', '"wrong": 5').replace('"wrong":1', '"wrong":5')
    )
    await again()
    const shown = (await console.get('app.state')).lock
    expect(shown).toMatchObject({ wrong: 5 })
    expect(shown?.waitSeconds).toBeGreaterThan(0)
    expect(await console.ask('lock.unlock', { passphrase: first })).toMatchObject({
      failure: { code: 'passphrase-wait' }
    })
    // The recovery key need not wait.
    expect(await console.ask('lock.recover', { key, passphrase: second })).toMatchObject({
      ok: true,
      value: { history: { state: 'ready' } }
    })
    expect(await console.get('history.record', { id: record })).toMatchObject({ id: record })
    expect((await console.get('drafts.read')).text).toBe('{"a":1}')
    const { backups } = await console.get('backups.list')
    expect(await console.get('backups.check', { id: backups[0]?.id ?? '' })).toMatchObject({ state: 'whole' })
    expect(await events('unlock.failed')).toEqual(['Wrong passphrase (attempt 1 in a row).'])
    expect(await events('passphrase.changed')).toEqual([
      'Passphrase replaced by means of the recovery key.',
      'Passphrase set.'
    ])
    expect(await events('console.unlocked')).toEqual(['Veridesk was unlocked with the recovery key.'])
    expect(await console.ask('passphrase.change', { current: first, next: null })).toMatchObject({
      failure: { code: 'passphrase-wrong' }
    })
    expect(await console.get('passphrase.change', { current: second, next: null })).toMatchObject({ passphrase: false })
    await again()
    expect((await console.get('app.state')).lock).toBeUndefined()
    expect(await console.get('history.record', { id: record })).toMatchObject({ id: record })
  }, 240_000)
})
