/**
 * A lock while something else is in progress: it waits for what must be whole, stops what only shows, and refuses the rest.
 * After each, no worker runs and no file of the history is open; unlocking brings everything back.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ConsoleEvent } from '#contract/ipc/ipc.ts'
import type { LockedWork } from '#contract/lock/lock.ts'
import { batchThatRan, checked } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card } from './support/document-files.ts'
import { heldAnswer, serveDocuments, type DocumentServer } from './support/document-server.ts'
import { ownKeyring } from './support/keyring.ts'
import { openFilesBelow } from './support/open-files.ts'
import { fileOf, newSigner, noticeAt } from './support/release-notices.ts'
import { serveFeed } from './support/update-feed.ts'
import { watchWorkers } from './support/watched-workers.ts'

const patient = { timeout: 20_000 }
const workers = watchWorkers()
let endKeyring: () => Promise<void>
let console: TestConsole
let documents: DocumentServer
let folder: string
const told: ConsoleEvent[] = []
/** Called with each event before the window receives it. */
let onEvent: (event: ConsoleEvent) => void = () => undefined
/** Prints when it is released. */
let printing: { readonly reached: () => void; readonly released: Promise<void> } | undefined

beforeAll(async () => {
  endKeyring = await ownKeyring()
  folder = mkdtempSync(join(tmpdir(), 'veridesk-lock-meetings-'))
  documents = await serveDocuments()
  console = await startTestConsole(undefined, 'tester', {
    launchWorker: workers.launch,
    announce(event) {
      told.push(event)
      onEvent(event)
    },
    async printPdf() {
      printing?.reached()
      await printing?.released
      return Buffer.from('%PDF-1.7 a page')
    }
  })
})
afterAll(async () => {
  await console.dispose()
  await documents.close()
  await endKeyring()
  rmSync(folder, { recursive: true, force: true })
})

// One test that fails must not lock the others out.
afterEach(async () => {
  onEvent = () => undefined
  workers.free()
  await console.get('lock.unlock', {})
})

const lockOf = async () => (await console.get('app.state')).lock
/** Locks, confirms what the window would, and says what the lock then waits for. */
async function locked(): Promise<LockedWork | undefined> {
  told.length = 0
  const locking = console.veridesk.lock('idle')
  await console.get('lock.ready')
  await locking
  return (await lockOf())?.working
}
const openFiles = (): string[] => openFilesBelow(join(console.dataFolder, 'history'))
/** Nothing that could hold a key runs any more, and the window received nothing of what went on. */
async function wiped(): Promise<void> {
  await expect.poll(async () => (await lockOf())?.working, patient).toBeUndefined()
  expect(await lockOf()).not.toHaveProperty('inMemory')
  await expect.poll(workers.running, patient).toEqual([])
  expect(openFiles()).toEqual([])
  expect(told.filter(({ kind }) => !['locking', 'data-removed', 'state-changed', 'menu'].includes(kind))).toEqual([])
}
async function unlocked(): Promise<void> {
  const { lock, history } = await console.get('lock.unlock', {})
  expect([lock, history.state]).toEqual([undefined, 'ready'])
}
const eventsOf = async (...kinds: string[]) => (await console.get('audit.page', { limit: 100, kinds })).events
const refusal = { ok: false, failure: { code: 'locked' } }
/** Where the next file goes. */
const saving = (name: string): string => (console.save = join(folder, name))

test('an export that is being written becomes a whole file with its event', async () => {
  await batchThatRan(
    console,
    Array.from({ length: 300 }, (_, at) => `APP-${at}`)
  )
  const path = saving('history.csv')
  let locking: Promise<LockedWork | undefined> | undefined
  onEvent = (event) => {
    if (event.kind === 'export-progress') locking ??= locked()
  }
  const asked = console.ask('exports.history', { exportId: randomUUID(), filter: {}, format: 'csv' })
  expect(await asked).toMatchObject(refusal)
  expect(await locking).toBeDefined()
  await wiped()
  expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(302)
  expect(readdirSync(folder)).toEqual(['history.csv'])
  await unlocked()
  expect((await eventsOf('export.made')).map(({ words }) => words)).toEqual([
    'Export (history, csv) with 300 entries saved.'
  ])
})

test('a backup by schedule ends first, and holds up nobody who unlocks meanwhile', async () => {
  const copying = workers.hold()
  await console.get('settings.change', { backupHours: 12 })
  await copying.reached
  expect(await locked()).toBe('closing')
  await unlocked()
  expect(await locked()).toBe('closing')
  copying.release()
  await wiped()
  await unlocked()
  const { backups } = await console.get('backups.list')
  expect(backups).toMatchObject([{ state: 'whole' }])
  expect(readdirSync(join(console.dataFolder, 'backups'))).toEqual([backups[0]?.id])
  expect((await console.get('backups.check', { id: backups[0]!.id })).state).toBe('whole')
  expect((await eventsOf('export.made'))[0]?.words).toMatch(/backup/i)
})

test('an erasure between its stages reaches its receipt', async () => {
  const copying = workers.hold()
  const asked = console.ask('erasure.run', { applicantId: 'APP-7', confirmation: 'APP-7', reason: 'A request' })
  await copying.reached
  expect(await locked()).toBe('request')
  copying.release()
  expect(await asked).toMatchObject(refusal)
  await wiped()
  await unlocked()
  expect(await console.get('erasure.receipts')).toMatchObject([
    { cause: 'request', records: 1, backupsRewritten: 1, copiesNotReached: [] }
  ])
  expect(JSON.stringify(await console.get('erasure.receipts'))).not.toContain('copiesPending')
})

test('an evidence pack is written with its page and its event', async () => {
  const path = saving('pack.veridesk-evidence')
  let release = (): void => undefined
  const reached = new Promise<void>(
    (resolve) => (printing = { reached: resolve, released: new Promise<void>((free) => (release = free)) })
  )
  const asked = console.ask('evidence.create', {
    about: { kind: 'applicant', id: 'APP-8' },
    profile: 'full',
    pdf: true
  })
  await reached
  expect(await locked()).toBe('request')
  expect(readdirSync(folder)).toEqual(['history.csv'])
  release()
  printing = undefined
  expect(await asked).toMatchObject(refusal)
  await wiped()
  expect(readdirSync(folder).sort()).toEqual(['history.csv', 'pack.pdf', 'pack.veridesk-evidence'])
  await unlocked()
  console.open = path
  expect(await console.get('evidence.check')).toMatchObject({ verified: true, intact: true })
  expect((await eventsOf('export.made'))[0]).toMatchObject({
    words: 'Export (evidence, full) with 1 entry saved.',
    applicantId: 'APP-8'
  })
})

test('a document that is being fetched is given up: nothing was shown, and no event says so', async () => {
  const { id: connectionId } = await console.get('practice.start')
  const held = heldAnswer(card)
  const asked = console.ask('documents.open', {
    connectionId,
    field: 'photo_url',
    url: documents.at(held.answer),
    opening: randomUUID()
  })
  await held.asked
  await locked()
  expect(await asked).toMatchObject(refusal)
  await wiped()
  await unlocked()
  expect(await eventsOf('document.viewed')).toEqual([])
})

test('what a check of links sees after the lock is not kept', async () => {
  const { id: connectionId } = await console.get('practice.start')
  const held = heldAnswer(card)
  const input = { id_url: documents.at(held.answer) }
  const asked = console.ask('documents.check', { connectionId, operation: 'validate-passport', input })
  const release = await held.asked
  expect(await locked()).toBe('request')
  release()
  expect(await asked).toMatchObject(refusal)
  await wiped()
  await unlocked()
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-passport',
    input,
    repeatAnyway: true
  })
  expect(ending.kind === 'recorded' && ending.record.documents).toBeUndefined()
})

test('a check for updates ends first, and its answer counts', async () => {
  const signer = newSigner()
  const notice = heldAnswer(fileOf(noticeAt(Date.now()), signer))
  const feed = await serveFeed((request, response) => notice.answer(response, request))
  try {
    await console.get('settings.change', {
      updateFeed: { url: feed.url, channel: 'stable', publicKeys: [signer.publicLine] }
    })
    // Unlocking looks whether a check is due.
    await locked()
    await unlocked()
    const release = await notice.asked
    expect(await locked()).toBe('request')
    release()
    await wiped()
    await unlocked()
    expect((await console.get('app.state')).updates).toMatchObject({ checking: false, notice: { newer: true } })
  } finally {
    await feed.close()
  }
})

test('a restore with its history closed ends first, and the restored history is locked and opens', async () => {
  const { backups } = await console.get('backups.list')
  const later = await checked(console, 'PRACTICE-pass')
  const holding = workers.hold(2)
  const asked = console.ask('backups.restore', { id: backups[0]!.id })
  await holding.reached
  expect(openFiles()).toEqual([])
  expect(await locked()).toBe('request')
  holding.release()
  expect(await asked).toMatchObject(refusal)
  await wiped()
  await unlocked()
  expect(await console.ask('history.record', { id: later })).toMatchObject({
    ok: false,
    failure: { code: 'record-missing' }
  })
  expect(JSON.stringify(await eventsOf('setting.changed'))).toContain('restored from the backup')
  const kinds = (await console.get('audit.page', { limit: 20 })).events.map(({ kind }) => kind)
  expect(kinds).toEqual(expect.arrayContaining(['console.locked', 'console.unlocked']))
})
