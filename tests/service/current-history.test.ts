/** Which history the console uses while it changes: requests wait for the next one. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCurrentHistory, type CurrentHistory } from '#core/history/current.ts'
import { createSessionSecrets } from '#core/secrets/session-secrets.ts'
import { clock, secretsInMemory } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

let dataFolder: string
let current: CurrentHistory
let launched: number
let keychain: ReturnType<typeof secretsInMemory>
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-current-'))
  launched = 0
  keychain = secretsInMemory()
  const launch: typeof launchWorkers = (...asked) => {
    launched += 1
    return launchWorkers(...asked)
  }
  current = createCurrentHistory({
    dataFolder,
    keychain,
    session: createSessionSecrets(),
    launch,
    clock,
    changed: () => undefined,
    replaced: () => undefined
  })
})
afterEach(async () => {
  await current.close()
  rmSync(dataFolder, { recursive: true, force: true })
})
/** What is in the file does not open. */
const damage = (): Promise<unknown> =>
  current.whileClosed(async () => writeFileSync(join(dataFolder, 'history', 'history.db'), 'damaged'))

test('a request waits while a history opens for the session', async () => {
  await current.open()
  await damage()
  expect((await current.ready()).ok).toBe(false)
  const opening = current.openForSession()
  expect((await current.ready()).ok).toBe(true)
  expect(await opening).toMatchObject({ state: 'ready', kept: 'session' })
})

test('a request waits while the history opens with another key', async () => {
  await current.open()
  const key = Buffer.from([...keychain.entries.values()][0] ?? '', 'hex')
  const opening = current.openWithKey(key)
  expect((await current.ready()).ok).toBe(true)
  expect(await opening).toMatchObject({ state: 'ready', kept: 'file' })
})

test('asked for twice at once, one history opens for the session', async () => {
  await current.open()
  await damage()
  const before = launched
  const states = await Promise.all([current.openForSession(), current.openForSession(), current.openForSession()])
  expect(states).toMatchObject(Array.from({ length: 3 }, () => ({ state: 'ready', kept: 'session' })))
  expect(launched - before).toBe(1)
})

test('a request waits for a change that was asked for while another one is going on', async () => {
  const changes = [current.open(), damage(), current.openForSession()]
  expect((await current.ready()).ok).toBe(true)
  expect(await Promise.all(changes)).toMatchObject([
    { state: 'ready', kept: 'file' },
    { state: 'failed' },
    { state: 'ready', kept: 'session' }
  ])
})
