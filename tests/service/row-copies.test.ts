/** Copies of the documents of rows: before a row is sent where they are required, beside the batch where they are possible. */
import { execFile } from 'node:child_process'
import { mkdir, open, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CopyRule } from '#contract/connections/connection.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { lasts } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face } from './support/document-files.ts'
import { heldAnswer, serveDocuments, type DocumentServer } from './support/document-server.ts'

const field = 'document_url'
let console: TestConsole
let server: DocumentServer
let connectionId: string
beforeAll(async () => void (server = await serveDocuments()))
afterAll(() => server.close())
beforeEach(async () => {
  console = await startTestConsole()
  connectionId = await practice('possible')
})
afterEach(() => console.dispose())

async function practice(copies: CopyRule): Promise<string> {
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies })
  return id
}
const gone = (): string => server.at((response) => response.writeHead(410).end())

/** A batch of a row for each link, of applicants APP-1, APP-2, … */
async function batch(links: readonly string[], applicant = 'APP-'): Promise<string> {
  const rows = links.map((link, at) => `${applicant}${at + 1},${link}`)
  const { checkId } = await console.get('batches.checkText', {
    name: 'rows.csv',
    text: ['applicant_id,document_url', ...rows].join('\n'),
    reading: { operations: ['validate-applicant-id-document'] }
  })
  const more = { name: 'Rows', atOnce: 2, pace: 0, skipDuplicates: true, skipRecent: false, another: true }
  return (await console.get('batches.create', { checkId, connectionId, ...more })).id
}
const start = (id: string) => console.get('batches.start', { id })
const ended = async (id: string) => {
  await (await console.veridesk.batches()).ended(id)
  return console.get('batches.show', { id })
}
const copied = async () => (await console.veridesk.batches()).copied()
const run = async (links: readonly string[], applicant?: string) => {
  const id = await batch(links, applicant)
  await start(id)
  return ended(id)
}
async function records(): Promise<readonly RecordDetail[]> {
  const { records: all } = await console.get('history.page', { filter: {}, limit: 100 })
  return Promise.all([...all].reverse().map(({ id }) => console.get('history.record', { id })))
}
const events = async (kind: string) =>
  (await console.get('audit.page', { limit: 100 })).events.filter((event) => event.kind === kind)
/** Names of all files of copies. */
async function files(): Promise<string[]> {
  const folder = join(console.dataFolder, 'documents')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((each) => !each.isDirectory()).map(({ name }) => name)
}
/** Takes the space that all copies together may have, with a file of a history that was set aside. */
async function fill(): Promise<void> {
  await mkdir(join(console.dataFolder, 'history-set-aside-2026-11-01T10-00-00-000Z'))
  const folder = join(console.dataFolder, 'documents', 'ab')
  await mkdir(folder, { recursive: true })
  const handle = await open(join(folder, 'full'), 'w')
  await handle.truncate(200_000_000_000)
  await handle.close()
}
const sent = (): number => console.practice.ledger().length
const opens = async ({ id }: Pick<RecordDetail, 'id'>) =>
  (await console.get('documents.open', { recordId: id, field })).facts.kept?.when
async function locked(): Promise<void> {
  const locking = console.veridesk.lock('idle')
  await console.get('lock.ready')
  await locking
}
const restart = async (): Promise<void> => {
  await console.close()
  console = await startTestConsole(console)
}

describe('a batch whose copies are required', () => {
  beforeEach(async () => void (connectionId = await practice('required')))

  it('sends a row once its copy is there, and not the one of which there is none', async () => {
    const batched = await run([server.at(card), gone(), server.at(face)])
    expect(batched.counts).toMatchObject({ 'answered': 2, 'not-sent': 1 })
    expect(sent()).toBe(2)
    const all = await records()
    const bad = all.find(({ state }) => state === 'not-sent')
    expect(bad?.failure).toMatchObject({ code: 'document-copy-failed', cause: { code: 'document-not-fetched' } })
    expect(bad?.copies).toBeUndefined()
    for (const each of all.filter(({ state }) => state === 'answered')) expect(await opens(each)).toBe('before')
    expect(await events('document.missed')).toHaveLength(1)
    expect((await files()).every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('waits with the row while its document is fetched, and leaves it waiting when it is paused', async () => {
    const { answer, asked } = heldAnswer(card)
    const id = await batch([server.at(answer)])
    await start(id)
    await asked
    expect(sent()).toBe(0)
    await console.get('batches.pause', { id })
    expect(await ended(id)).toMatchObject({ state: 'paused', counts: { waiting: 1 } })
    expect(await events('record.begun')).toEqual([])
    expect(await files()).toEqual([])
  })

  it('does not start where there is no space for them, and says before how much they would take', async () => {
    const text = `applicant_id,document_url\nAPP-1,${server.at(card)}\nAPP-2,${server.at(face)}`
    const reading = { operations: ['validate-applicant-id-document' as const] }
    const { checkId } = await console.get('batches.checkText', { name: 'rows.csv', text, reading })
    const need = () => console.get('batches.copyNeed', { checkId, connectionId })
    expect(await need()).toMatchObject({ required: true, documents: 2, bytes: 4_000_000 })
    expect((await need())?.freeBytes).toBeGreaterThan(4_000_000)
    expect((await need())?.seconds).toBeUndefined()
    await run([server.at((response) => void setTimeout(() => response.end(card), 400))])
    // The last copies say how large documents are, and how long they take.
    expect((await need())?.bytes).toBeLessThan(4_000_000)
    expect((await need())?.seconds).toBeGreaterThanOrEqual((2 * 0.4) / 4)
    expect((await need())?.seconds).toBeLessThan((2 * 10) / 4)
    await console.close()
    await fill()
    console = await startTestConsole(console)
    const id = await batch([server.at(card), server.at(face)])
    expect(await console.ask('batches.start', { id })).toMatchObject({
      failure: { code: 'batch-copies-space', details: { count: 2, limitBytes: 0 } }
    })
    expect(sent()).toBe(1)
    connectionId = await practice('off')
  })

  it('is sent again where there is no space left, with the copies that its rows have', async () => {
    const { id } = await run([server.at(card), server.at(face)], 'PRACTICE-409.')
    const [lost = ''] = await files()
    await console.close()
    await fill()
    console = await startTestConsole(console)
    const asked = server.asked.length
    const again = await console.get('batches.again', { id, kind: 'status-4xx' })
    await start(again.id)
    expect(await ended(again.id)).toMatchObject({ state: 'finished', counts: { answered: 2 } })
    expect(server.asked).toHaveLength(asked)
    expect(sent()).toBe(4)
    // The copy whose file is missing has to be written again.
    await rm(join(console.dataFolder, 'documents', lost.slice(0, 2), lost))
    await console.get('documents.verify')
    const third = await console.get('batches.again', { id: again.id, kind: 'status-4xx' })
    expect(await console.ask('batches.start', { id: third.id })).toMatchObject({
      failure: { code: 'batch-copies-space', details: { count: 1 } }
    })
    expect(sent()).toBe(4)
  })

  it('stops with the cause where a copy cannot be stored, with its rows waiting', async () => {
    const id = await batch([server.at(card), server.at(face)])
    await writeFile(join(console.dataFolder, 'documents'), 'in the way of the folder')
    await start(id)
    const batched = await ended(id)
    expect(batched).toMatchObject({
      state: 'stopped',
      reason: { code: 'document-copy-failed' },
      counts: { waiting: 2 }
    })
    expect(sent()).toBe(0)
    expect(await events('record.begun')).toEqual([])
  })
})

describe('a kill', () => {
  const victim = fileURLToPath(new URL('./support/document-copy-victim.ts', import.meta.url))

  it.each([
    ['required', 'sealed', 0],
    ['required', 'begun', 1],
    ['possible', 'sealed', 1],
    ['possible', 'begun', 1]
  ] as const)(
    'where copies are %s, at “%s”, leaves each event with a file, each file with an event, and what is wanted',
    { timeout: 90_000 },
    async (rule, step, least) => {
      connectionId = await practice(rule)
      // A history in memory would prove nothing.
      expect(await lasts(console)).toBe(true)
      const id = await batch([server.at(card), server.at(face), server.at(card)])
      await console.close()
      const { signal, stderr } = await new Promise<{ signal: string | null; stderr: string }>((resolve) => {
        execFile(process.execPath, [victim, console.dataFolder, step, 'batch', id], (error, _out, text) =>
          resolve({ signal: error?.signal ?? null, stderr: text })
        )
      })
      expect([stderr, signal]).toEqual(['', 'SIGKILL'])
      console = await startTestConsole(console)
      expect(await lasts(console)).toBe(true)
      await copied()
      await expect
        .poll(async () => (await files()).filter((name) => name.includes('.new')), { timeout: 10_000 })
        .toEqual([])
      const all = await records()
      expect(all.length).toBeGreaterThanOrEqual(least)
      // None was sent without a copy, and of each that began beside one, the copy was taken after the start.
      for (const each of all) expect(await opens(each)).toBe(rule === 'required' ? 'before' : 'beside')
      expect(await files()).toHaveLength(all.length)
      expect(await console.get('audit.verify')).toMatchObject({ intact: true })
    }
  )
})

describe('a batch whose copies are possible', () => {
  it('keeps the documents beside it, or says which is missing and why, and no row waits', async () => {
    const { answer, asked } = heldAnswer(card)
    const id = await batch([server.at(answer), gone(), server.at(face)])
    await start(id)
    const release = await asked
    expect(await ended(id)).toMatchObject({ state: 'finished', counts: { answered: 3 } })
    release()
    await copied()
    const all = await records()
    expect(all.map(({ copies }) => copies?.[field]?.map(({ when }) => when))).toEqual([
      ['beside'],
      undefined,
      ['beside']
    ])
    expect((await events('document.missed')).map(({ words }) => words)).toEqual([
      `No copy of the document of ${field}: document-not-fetched.`
    ])
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('copies four at a time and goes on after a restart', async () => {
    let isOpen = false
    const link = () => server.at((response) => void (isOpen && response.end(card)))
    const asked = server.asked.length
    const id = await batch(Array.from({ length: 6 }, link))
    await start(id)
    expect((await ended(id)).counts.answered).toBe(6)
    await expect.poll(() => server.asked.length - asked, { timeout: 10_000 }).toBe(4)
    expect(await events('document.kept')).toEqual([])
    isOpen = true
    await restart()
    await expect.poll(async () => (await events('document.kept')).length, { timeout: 15_000 }).toBe(6)
    expect(await events('document.missed')).toEqual([])
    expect(server.asked.length - asked).toBe(10)
    expect((await files()).filter((name) => name.endsWith('.new'))).toEqual([])
  })

  it('takes the copy of an earlier attempt where a row is sent again', async () => {
    let isThere = true
    const url = server.at((response) => (isThere ? response.end(card) : response.writeHead(410).end()))
    const { id } = await run([url], 'PRACTICE-409.')
    await copied()
    isThere = false
    const asked = server.asked.length
    for (const rule of ['possible', 'required'] as const) {
      await practice(rule)
      const again = await console.get('batches.again', { id, kind: 'status-4xx' })
      await start(again.id)
      await ended(again.id)
      await copied()
    }
    expect(server.asked).toHaveLength(asked)
    const all = await records()
    expect(all.map(({ copies }) => copies?.[field]?.map(({ when }) => when))).toEqual([
      ['beside'],
      ['beside'],
      ['before']
    ])
    expect(await files()).toHaveLength(1)
  })

  it('leaves nothing to copy of an applicant who was erased meanwhile', async () => {
    const { answer, asked } = heldAnswer(card)
    const id = await batch([server.at(answer), server.at(face)])
    await start(id)
    const release = await asked
    await ended(id)
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
    release()
    await copied()
    expect(await events('document.kept')).toHaveLength(1)
    expect(await events('document.missed')).toEqual([])
    expect(await files()).toHaveLength(1)
  })

  it('says which documents have no copy since their connection was removed, and copies those of others', async () => {
    const batches = await console.veridesk.batches()
    await batches.stopCopying()
    await run([server.at(card), server.at(face)])
    await console.get('connections.remove', { id: connectionId })
    connectionId = await practice('possible')
    await run(
      Array.from({ length: 6 }, () => server.at(card)),
      'BPP-'
    )
    const asked = server.asked.length
    batches.copyOn()
    await copied()
    expect(server.asked.length - asked).toBe(6)
    expect(await events('document.kept')).toHaveLength(6)
    expect((await events('document.missed')).map(({ words }) => words)).toEqual(
      Array.from({ length: 2 }, () => `No copy of the document of ${field}: connection-missing.`)
    )
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('copies nothing more once copies are switched off, and says which documents that were wanted have none', async () => {
    const { answer, asked } = heldAnswer(card)
    await run([server.at(answer), ...Array.from({ length: 5 }, () => server.at(card))])
    const release = await asked
    await expect.poll(async () => (await events('document.kept')).length, { timeout: 10_000 }).toBe(5)
    const batches = await console.veridesk.batches()
    await batches.stopCopying()
    release()
    await practice('off')
    const before = server.asked.length
    batches.copyOn()
    await copied()
    expect(server.asked).toHaveLength(before)
    expect(await events('document.kept')).toHaveLength(5)
    expect((await events('document.missed')).map(({ words }) => words)).toEqual([
      `No copy of the document of ${field}: document-copies-off.`
    ])
    // Whoever switches them on again gets those of what is sent from then on.
    await practice('possible')
    batches.copyOn()
    await copied()
    expect(server.asked).toHaveLength(before)
  })

  it('stops where the console is locked, and goes on when it is open again', async () => {
    await console.get('settings.change', { lockBatch: 'pause' })
    const { answer, asked } = heldAnswer(card)
    let isOpen = false
    const id = await batch([
      server.at((response, request) => (isOpen ? response.end(card) : answer(response, request)))
    ])
    await start(id)
    await asked
    await ended(id)
    const before = server.asked.length
    await locked()
    isOpen = true
    await expect.poll(async () => (await console.get('app.state')).lock?.working, { timeout: 10_000 }).toBeUndefined()
    await copied()
    expect(server.asked).toHaveLength(before)
    await console.get('lock.unlock', {})
    await expect.poll(async () => (await events('document.kept')).length, { timeout: 10_000 }).toBe(1)
  })

  it('goes on behind the lock where batches do, also with what was not begun', async () => {
    await console.get('settings.change', { lockBatch: 'continue' })
    const held: (() => void)[] = []
    let isOpen = false
    const link = () =>
      server.at((response) => {
        if (isOpen) response.end(card)
        else held.push(() => response.end(card))
      })
    const id = await batch(Array.from({ length: 5 }, link))
    await start(id)
    await ended(id)
    await expect.poll(() => held.length, { timeout: 10_000 }).toBe(4)
    const before = server.asked.length
    await locked()
    isOpen = true
    for (const release of held) release()
    await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(before + 1)
    await copied()
    await console.get('lock.unlock', {})
    expect(await events('document.kept')).toHaveLength(5)
    expect(server.asked).toHaveLength(before + 1)
  })

  it('goes on where it is resumed before it has paused', async () => {
    const { answer, asked } = heldAnswer(card)
    let isOpen = false
    const id = await batch([
      server.at((response, request) => (isOpen ? response.end(card) : answer(response, request)))
    ])
    await start(id)
    await asked
    await ended(id)
    isOpen = true
    const batches = await console.veridesk.batches()
    const paused = batches.stopCopying()
    batches.copyOn()
    await paused
    await copied()
    expect(await events('document.kept')).toHaveLength(1)
  })

  it('says which documents there is no space for, and sends the rows', async () => {
    await fill()
    expect(await run([server.at(card), server.at(face)])).toMatchObject({ counts: { answered: 2 } })
    await copied()
    expect((await events('document.missed')).map(({ words }) => words)).toEqual(
      Array.from({ length: 2 }, () => `No copy of the document of ${field}: document-copy-failed.`)
    )
  })

  it('asks for nothing and writes nothing where copies are off', async () => {
    connectionId = await practice('off')
    const asked = server.asked.length
    await run([server.at(card)])
    await copied()
    expect(server.asked).toHaveLength(asked)
    expect(await files()).toEqual([])
  })
})
