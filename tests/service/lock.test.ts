/** A lock of the complete core: what is closed, what goes on, and what comes back. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { batchOf, checked, lasts, standsAs } from './support/acts.ts'
import { ownKeyring } from './support/keyring.ts'
import { openFilesBelow } from './support/open-files.ts'

let endKeyring: () => Promise<void>
let console: TestConsole
beforeAll(async () => void (endKeyring = await ownKeyring()))
afterAll(() => endKeyring())
beforeEach(async () => void (console = await startTestConsole()))
afterEach(() => console.dispose())

/** Locks, and confirms what the window would. */
async function locked(why: Parameters<TestConsole['veridesk']['lock']>[0] = 'idle'): Promise<void> {
  const locking = console.veridesk.lock(why)
  await console.get('lock.ready')
  await locking
}
const lockOf = async () => (await console.get('app.state')).lock
const wiped = () => expect.poll(async () => (await lockOf())?.working, { timeout: 10_000 }).toBeUndefined()
/** Files of the history that this process has open. */
const openFiles = (): string[] => openFilesBelow(join(console.dataFolder, 'history'))
const events = async (kind: string): Promise<string[]> =>
  (await console.get('audit.page', { limit: 100, kinds: [kind] })).events.map(({ words }) => words)

test('a lock closes the history, shows nothing personal, and unlocking brings everything back', async () => {
  if (!(await lasts(console))) return
  const record = await checked(console)
  await console.get('settings.change', { savedViews: [{ name: 'PRACTICE-pass', filter: {} }] })
  const { round } = await console.get('drafts.read')
  await console.get('drafts.keep', { round, text: '{"texts":[["tag","PRACTICE-pass"]]}' })
  expect(openFiles()).not.toEqual([])
  console.events.length = 0
  await locked()
  expect(console.events.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['locking', 'data-removed', 'state-changed'])
  )
  await wiped()
  expect(openFiles()).toEqual([])
  expect(JSON.stringify([await console.get('app.state'), console.events])).not.toContain('PRACTICE-pass')
  expect(await console.ask('history.record', { id: record })).toMatchObject({ ok: false, failure: { code: 'locked' } })
  const { lock, history } = await console.get('lock.unlock', {})
  expect([lock, history.state]).toEqual([undefined, 'ready'])
  expect(await console.get('history.record', { id: record })).toMatchObject({ id: record })
  expect((await console.get('drafts.read')).text).toContain('PRACTICE-pass')
  expect(await events('console.locked')).toEqual(['Veridesk was locked: no input for some time.'])
  expect(await events('console.unlocked')).toEqual(['Veridesk was unlocked by a key press.'])
  expect(await events('program.started')).toHaveLength(1)
})

test('the end of the console waits for a lock that is closing the history', async () => {
  if (!(await lasts(console))) return
  await locked()
  await console.close()
  expect(openFiles()).toEqual([])
})

test('without a keychain nothing is lost: the history stays in memory, and nothing is answered', async () => {
  const bus = process.env['DBUS_SESSION_BUS_ADDRESS']
  process.env['DBUS_SESSION_BUS_ADDRESS'] = 'unix:path=/nonexistent'
  const lone = await startTestConsole()
  process.env['DBUS_SESSION_BUS_ADDRESS'] = bus
  try {
    const record = await checked(lone)
    const { round } = await lone.get('drafts.read')
    await lone.get('drafts.keep', { round, text: '{"a":1}' })
    const locking = lone.veridesk.lock('person')
    await lone.get('lock.ready')
    await locking
    await expect
      .poll(async () => (await lone.get('app.state')).lock, { timeout: 10_000 })
      .toMatchObject({ inMemory: true })
    expect(await lone.ask('history.record', { id: record })).toMatchObject({ failure: { code: 'locked' } })
    await lone.get('lock.unlock', {})
    expect(await lone.get('history.record', { id: record })).toMatchObject({ id: record })
    expect((await lone.get('drafts.read')).text).toBe('{"a":1}')
  } finally {
    await lone.dispose()
  }
})

describe('a running batch', () => {
  // The second row takes two seconds, during which the console is locked.
  const rows = ['A-0', 'PRACTICE-slow-2', ...Array.from({ length: 30 }, (_, at) => `B-${at}`)]
  const running = async (lockBatch: 'pause' | 'continue'): Promise<string> => {
    await console.get('settings.change', { lockBatch })
    const id = await batchOf(console, rows)
    await console.get('batches.start', { id })
    await expect
      .poll(async () => (await console.get('batches.show', { id })).counts.answered, { timeout: 10_000 })
      .toBeGreaterThan(0)
    return id
  }
  test('is paused, and its rows in progress end', async () => {
    const id = await running('pause')
    await locked()
    await wiped()
    await console.get('lock.unlock', {})
    const { state, counts } = await console.get('batches.show', { id })
    expect([state, counts.unknown, counts.open]).toEqual(['paused', 0, 0])
    expect(counts.waiting).toBeGreaterThan(0)
  })
  test('that is still being started is paused as well', async () => {
    await console.get('settings.change', { lockBatch: 'pause' })
    const id = await batchOf(console, rows)
    const starting = console.ask('batches.start', { id })
    await locked()
    await starting
    await wiped()
    await console.get('lock.unlock', {})
    const { state, counts } = await console.get('batches.show', { id })
    expect([state, counts.unknown, counts.open]).toEqual(['paused', 0, 0])
    expect(counts.waiting).toBeGreaterThan(0)
  })
  test('continues if the setting says so, with the history open until it ends', async () => {
    const id = await running('continue')
    await locked()
    expect(await lockOf()).toMatchObject({ working: 'batch' })
    await wiped()
    await console.get('lock.unlock', {})
    await standsAs(console, id, 'finished')
    expect((await console.get('batches.show', { id })).counts.answered).toBe(rows.length)
  })
})

test('a result that a full disk keeps out is not lost by a lock', async ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-lock-disk-'))
  const disk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder])
  if (disk.status !== 0) rmSync(folder, { recursive: true })
  skip(disk.status !== 0, 'only root may mount a small disk')
  const small = await startTestConsole({ dataFolder: folder, practice: console.practice })
  try {
    if (!(await lasts(small))) return
    await checked(small)
    const { id: connectionId } = await small.get('practice.start')
    small.events.length = 0
    const asked = small.ask('verification.run', {
      runId: crypto.randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'PRACTICE-slow-2' },
      repeatAnyway: true
    })
    await expect
      .poll(() => small.events.some((event) => event.kind === 'run-progress' && event.phase === 'sent'), {
        timeout: 10_000
      })
      .toBe(true)
    const ballast = join(folder, 'ballast')
    for (const size of [256, 4]) {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(size * 1024), { flag: 'a' })
      } catch {
        // The disk is full.
      }
    }
    const locking = small.veridesk.lock('idle')
    await small.get('lock.ready')
    await locking
    expect(await asked).toMatchObject({ failure: { code: 'locked' } })
    await expect.poll(async () => (await small.get('app.state')).lock?.working, { timeout: 10_000 }).toBe('unwritten')
    rmSync(ballast)
    await small.get('lock.unlock', {})
    await expect
      .poll(
        async () => (await small.get('history.page', { filter: {}, limit: 10 })).records.map(({ state }) => state),
        { timeout: 10_000 }
      )
      .toEqual(['answered', 'answered'])
  } finally {
    await small.close()
    spawnSync('umount', [folder])
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a verification in progress ends, and its outcome is recorded', async () => {
  const { id: connectionId } = await console.get('practice.start')
  const runId = crypto.randomUUID()
  const asked = console.ask('verification.run', {
    runId,
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: 'PRACTICE-slow-2' },
    repeatAnyway: true
  })
  await expect
    .poll(() => console.events.some((event) => event.kind === 'run-progress' && event.phase === 'sent'), {
      timeout: 10_000
    })
    .toBe(true)
  await locked('suspend')
  expect(await lockOf()).toMatchObject({ why: 'suspend', working: 'request' })
  expect(await asked).toMatchObject({ failure: { code: 'locked' } })
  await wiped()
  await console.get('lock.unlock', {})
  const { records } = await console.get('history.page', { filter: {}, limit: 10 })
  expect(records).toMatchObject([{ state: 'answered' }])
})
