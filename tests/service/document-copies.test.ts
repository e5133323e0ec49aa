/** Copies of documents: kept before a verification is sent, sealed, and gone with the applicant. */
import { execFile, execFileSync } from 'node:child_process'
import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { link, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CopyRule } from '#contract/connections/connection.ts'
import type { RunRequest } from '#contract/history/queries.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { createVault, removeCopies, type Vault } from '#core/documents/vault.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { bent, seeded } from './support/random.ts'
import { counted, times } from './support/times.ts'

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

const field = 'document_url'
const order = (url: string, more: Partial<RunRequest> = {}): RunRequest => ({
  runId: randomUUID(),
  connectionId,
  operation: 'validate-applicant-id-document',
  input: { applicant_id: 'APP-1', [field]: url },
  repeatAnyway: true,
  ...more
})
const run = (url: string, more?: Partial<RunRequest>) => console.get('verification.run', order(url, more))
const recorded = async (url: string, more?: Partial<RunRequest>) => {
  const ending = await run(url, more)
  if (ending.kind !== 'recorded') throw new Error(JSON.stringify(ending))
  return console.get('history.record', { id: ending.record.id })
}
/** Paths of all files of copies, below `documents`. */
async function files(): Promise<string[]> {
  const folder = join(console.dataFolder, 'documents')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((each) => !each.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
}
const events = async (kind: string) =>
  (await console.get('audit.page', { limit: 100 })).events.filter((event) => event.kind === kind)
const restart = async (): Promise<void> => {
  await console.close()
  console = await startTestConsole(console)
  await console.veridesk.opened()
}

describe('a verification with copies', () => {
  it('keeps the document before it is sent, sealed and under a name that tells nothing', async () => {
    const record = await recorded(server.at(card))
    expect(record.copies?.[field]).toMatchObject([{ type: 'jpeg', bytes: card.length, when: 'before' }])
    expect(record.documents?.[field]).toMatchObject({ type: 'jpeg', bytes: card.length })
    const [file = '', ...more] = await files()
    expect(more).toEqual([])
    expect(file).toMatch(/[0-9a-f]{64}$/)
    const bytes = await readFile(file)
    expect(bytes.includes(card.subarray(0, 64))).toBe(false)
    expect((await stat(file)).mode & 0o077).toBe(0)
    expect(await events('document.kept')).toHaveLength(1)
    const kinds = (await console.get('audit.page', { limit: 100 })).events.map(({ kind }) => kind)
    // Newest first.
    expect(kinds.indexOf('document.kept')).toBeGreaterThan(kinds.indexOf('record.ended'))
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('has one file for the same document of one person, and another for another person', async () => {
    const url = server.at(card)
    await recorded(url)
    await recorded(url)
    expect(await files()).toHaveLength(1)
    expect(await events('document.kept')).toHaveLength(2)
    await recorded(url, { input: { applicant_id: 'APP-2', [field]: url } })
    expect(await files()).toHaveLength(2)
  })

  it('is not sent without a copy before a person says so, and then says which is missing', async () => {
    const url = server.at((response) => response.writeHead(410).end())
    expect(await run(url)).toMatchObject({
      kind: 'not-copied',
      missed: [{ field, failure: { code: 'document-not-fetched', details: { status: 410 } } }]
    })
    expect(await events('record.begun')).toEqual([])
    const record = await recorded(url, { withoutCopies: true })
    expect(record.documents).toBeUndefined()
    expect((await events('document.missed')).map(({ words }) => words)).toEqual([
      `No copy of the document of ${field}: document-not-fetched.`
    ])
    expect(await files()).toEqual([])
  })

  it('fetches nothing and writes nothing where copies are off', async () => {
    await practice('off')
    const asked = server.asked.length
    const record = await recorded(server.at(card))
    expect(server.asked).toHaveLength(asked)
    expect(record.documents).toBeUndefined()
    expect(await files()).toEqual([])
  })

  it('leaves no file if the spend guard finds an answer from meanwhile', async () => {
    let answer: (() => void) | undefined
    const url = server.at((response) => void (answer = () => response.end(card)))
    const input = { applicant_id: 'APP-1', [field]: url }
    const waiting = run(url, { repeatAnyway: false })
    await expect.poll(() => answer !== undefined).toBe(true)
    // The same request by a connection of the same ID that keeps none: sent while the first one still fetches.
    await practice('off')
    await recorded(url, { input })
    answer?.()
    expect(await waiting).toMatchObject({ kind: 'recently-answered' })
    expect(await files()).toEqual([])
  })
})

describe('a connection that requires copies', () => {
  const gone = (): string => server.at((response) => response.writeHead(410).end())
  const batch = async (operation: OperationId, text: string) => {
    const { checkId } = await console.get('batches.checkText', {
      name: 'rows.csv',
      text,
      reading: { operations: [operation] }
    })
    const more = { name: 'Rows', atOnce: 1, pace: 0, skipDuplicates: true, skipRecent: false, another: true }
    return console.ask('batches.create', { checkId, connectionId, ...more })
  }

  it('sends and records nothing without one, whatever is asked', async () => {
    await practice('required')
    const sent = console.practice.ledger().length
    const held = { kind: 'not-copied', required: true, missed: [{ field }] }
    expect(await run(gone())).toMatchObject(held)
    expect(await run(gone(), { withoutCopies: true })).toMatchObject(held)
    expect(console.practice.ledger()).toHaveLength(sent)
    expect(await events('record.begun')).toEqual([])
    expect(await files()).toEqual([])
    expect((await recorded(server.at(card))).copies?.[field]).toMatchObject([{ when: 'before' }])
  })

  it('pauses a batch that runs, with its rows waiting', async () => {
    const rows = Array.from({ length: 300 }, (_, row) => `APP-${row},${server.at(card)}`)
    const created = await batch('validate-applicant-id-document', ['applicant_id,document_url', ...rows].join('\n'))
    if (!created.ok) throw new Error(created.failure.code)
    const { id } = created.value
    await console.get('batches.start', { id })
    await expect.poll(() => console.practice.ledger().length).toBeGreaterThan(0)
    await practice('required')
    await (await console.veridesk.batches()).ended(id)
    const paused = await console.get('batches.show', { id })
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'connection-withdrawn' } })
    expect(paused.counts.waiting).toBeGreaterThan(0)
  })
})

describe('space for copies', () => {
  const keys = { content: Buffer.alloc(32, 1), name: Buffer.alloc(32, 2), under: 'nobody' }
  const put = (vault: Vault, content: string) =>
    vault.put(Buffer.from(content), createHash('sha256').update(content).digest('hex'), keys)
  /** Two files of the smallest size. */
  const quota = () => 140_000

  it('ends at the quota, and is there again when files are gone', async () => {
    const vault = createVault(console.dataFolder, { quota })
    const [one, two] = [await put(vault, 'one'), await put(vault, 'two')]
    if (!one.ok || !two.ok) throw new Error('not kept')
    await vault.finish([one.value, two.value])
    const full = { ok: false, failure: { code: 'document-copy-failed', details: { reason: 'quota' } } }
    expect(await put(vault, 'three')).toMatchObject(full)
    expect(await put(createVault(console.dataFolder, { quota }), 'three')).toMatchObject(full)
    // One that is there takes no more space.
    expect(await put(vault, 'two')).toEqual(two)
    expect(await removeCopies(console.dataFolder, [one.value])).toBe(0)
    expect(await put(vault, 'three')).toMatchObject({ ok: true })
  })

  it('is counted by the history, and by the files before it is refused', async () => {
    const vault = createVault(console.dataFolder, { quota, kept: async () => 100_000 })
    expect(await vault.freeBytes()).toBe(40_000)
    expect(await put(vault, 'one')).toMatchObject({ ok: true })
    expect(await vault.freeBytes()).toBeGreaterThan(70_000)
    const unknown = createVault(console.dataFolder, { quota, kept: async () => undefined })
    expect(await unknown.freeBytes()).toBeGreaterThan(70_000)
  })

  it('leaves what other data need on the disk', async () => {
    const vault = createVault(console.dataFolder, { quota, free: Number.MAX_SAFE_INTEGER })
    expect(await put(vault, 'one')).toMatchObject({ failure: { details: { reason: 'space' } } })
    expect(await files()).toEqual([])
  })

  it('leaves nothing of a file that a full disk has cut', async ({ skip, task }) => {
    const folder = await mkdtemp(join(tmpdir(), 'veridesk-copies-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      await rm(folder, { recursive: true })
      return skip('only root may mount a small disk')
    }
    try {
      const vault = createVault(folder, { quota: () => Infinity, free: 0 - 10_000_000 })
      // At any write beyond what fits.
      for (let nth = 0; nth < times; nth += 1)
        expect(await put(vault, 'x'.repeat(nth === 0 ? 2_000_000 : randomInt(1_050_000, 4_000_000)))).toMatchObject({
          failure: { code: 'disk-full' }
        })
      counted(task, { 'full disks': times })
      expect(await put(vault, 'small')).toMatchObject({ ok: true })
      const left = await readdir(join(folder, 'documents'), { recursive: true, withFileTypes: true })
      expect(left.filter((each) => each.isFile())).toHaveLength(1)
    } finally {
      execFileSync('umount', [folder])
      await rm(folder, { recursive: true })
    }
  })
})

describe('a copy', () => {
  const open = (recordId: string) => console.ask('documents.open', { recordId, field })

  it('is opened without a request, also where the link is gone', async () => {
    let isThere = true
    const url = server.at((response) => (isThere ? response.end(card) : response.writeHead(404).end()))
    const { id } = await recorded(url)
    isThere = false
    const asked = server.asked.length
    const opened = await console.get('documents.open', { recordId: id, field })
    expect(opened.facts).toMatchObject({ kept: { when: 'before' }, type: 'jpeg', bytes: card.length })
    expect(Buffer.from(opened.base64, 'base64').equals(card)).toBe(true)
    expect(server.asked).toHaveLength(asked)
    expect((await events('document.viewed')).map(({ words }) => words)).toEqual([
      `Copy of the document of ${field} opened (JPEG, ${card.length} bytes).`
    ])
    // What is behind the link today is compared with the copy.
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({ result: 'gone' })
  })

  it(
    'is refused where its file was changed, cut, swapped or linked, and missed where it is gone',
    { timeout: 60_000 * times },
    async ({ task }) => {
      const { id } = await recorded(server.at(card))
      const [file = ''] = await files()
      await recorded(server.at(face))
      const other = (await files()).find((each) => each !== file) ?? ''
      const [mine, theirs] = [await readFile(file), await readFile(other)]
      const damaged = { ok: false, failure: { code: 'document-copy-unusable', details: { reason: 'damaged' } } }
      for (const at of [0, 8, 20, 1000, mine.length - 1]) {
        const changed = Buffer.from(mine)
        changed[at] = (changed[at] ?? 0) ^ 1
        await writeFile(file, changed)
        expect(await open(id)).toMatchObject(damaged)
      }
      for (const bytes of [mine.subarray(0, -1), mine.subarray(0, 10), Buffer.alloc(0), theirs]) {
        await writeFile(file, bytes)
        expect(await open(id)).toMatchObject(damaged)
      }
      await writeFile(`${file}.elsewhere`, mine)
      await unlink(file)
      await symlink(`${file}.elsewhere`, file)
      expect(await open(id)).toMatchObject(damaged)
      await unlink(file)
      expect(await open(id)).toMatchObject({
        failure: { code: 'document-copy-unusable', details: { reason: 'missing' } }
      })
      await writeFile(file, mine)
      expect(await open(id)).toMatchObject({ ok: true })
      if (times === 1) return
      // Any damage of each kind: refused, and named by a check of all copies.
      const seed = randomInt(2 ** 31)
      const pick = seeded(seed)
      const damages: readonly (() => Promise<unknown>)[] = [
        () => writeFile(file, bent(mine, pick)),
        () => writeFile(file, Buffer.concat([mine.subarray(0, pick(mine.length - 16)), randomBytes(16)])),
        () => truncate(file, pick(mine.length)),
        () => truncate(file, mine.length + 1 + pick(200_000)),
        () => writeFile(file, theirs),
        () => writeFile(file, randomBytes(mine.length)),
        () => writeFile(file, Buffer.concat([mine.subarray(0, 20 + pick(1000)), theirs.subarray(0, 70_000)])),
        () => unlink(file).then(() => (pick(2) === 0 ? symlink(`${file}.elsewhere`, file) : link(other, file)))
      ]
      const missed: string[] = []
      for (let nth = 0; nth < 8 * times; nth += 1) {
        await damages[nth % 8]?.()
        const [opened, found] = [await open(id), await console.get('documents.verify')]
        const isNamed = found.faulty.length === 1 && found.faulty[0]?.recordId === id
        if (opened.ok || opened.failure.code !== 'document-copy-unusable' || !isNamed)
          missed.push(`damage ${nth} of seed ${seed}`)
        await rm(file, { force: true })
        await writeFile(file, mine)
      }
      counted(task, { 'damaged files': 8 * times, 'refused and named': 8 * times - missed.length })
      expect(missed).toEqual([])
    }
  )
})

describe('a kill', () => {
  const victim = fileURLToPath(new URL('./support/document-copy-victim.ts', import.meta.url))
  /** Kills a process of its own at a step, and opens what it left. */
  async function killedAt(step: string, url = ''): Promise<void> {
    await console.close()
    const { signal, stderr } = await new Promise<{ signal: string | null; stderr: string }>((resolve) => {
      execFile(process.execPath, [victim, console.dataFolder, step, url], (error, _out, stderr) =>
        resolve({ signal: error?.signal ?? null, stderr })
      )
    })
    expect(stderr).toBe('')
    expect(signal).toBe('SIGKILL')
    console = await startTestConsole(console)
    await console.veridesk.opened()
  }

  it.for(['written', 'sealed'])('at “%s” leaves no record, nothing sent and no file', async (step, { task }) => {
    await killedAt(step, server.at(card))
    await expect.poll(files).toEqual([])
    expect(await events('record.begun')).toEqual([])
    counted(task, { kills: 1 })
  })

  it.for(['begun', 'named'])('at “%s” leaves a record of an unknown outcome and its copy', async (step, { task }) => {
    await killedAt(step, server.at(card))
    await expect.poll(async () => (await files()).map((each) => /[0-9a-f]{64}$/.test(each))).toEqual([true])
    const [record] = (await console.get('history.page', { filter: {}, limit: 10 })).records
    expect(record).toMatchObject({ state: 'unknown' })
    const opened = await console.get('documents.open', { recordId: record?.id ?? '', field })
    expect(opened.facts.kept?.when).toBe('before')
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
    counted(task, { kills: 1 })
  })

  it('between the key and the files of an erasure leaves files that the next opening deletes', async ({ task }) => {
    await recorded(server.at(card))
    await killedAt('erased')
    await expect.poll(files).toEqual([])
    expect(await console.get('erasure.receipts')).toMatchObject([{ documents: 1 }])
    counted(task, { kills: 1 })
  })
})

describe('an opening', () => {
  it('names a file whose event is written, and deletes those without an event', async () => {
    await recorded(server.at(card))
    const [file = ''] = await files()
    await console.close()
    await writeFile(`${file}.new`, await readFile(file))
    await unlink(file)
    const other = file.replace(/[0-9a-f]{64}$/, 'ab'.repeat(32))
    await writeFile(`${other}.new`, 'sealed for nobody')
    await writeFile(join(other, '..', `.${'cd'.repeat(32)}.new.new-1.0123`), 'half')
    await restart()
    await expect.poll(files).toEqual([file])
  })
})

describe('an erasure', () => {
  it('deletes the files of the person and of nobody else, and counts them', async () => {
    await recorded(server.at(card))
    await recorded(server.at(face))
    const theirs = server.at(card)
    await recorded(theirs, { input: { applicant_id: 'APP-2', [field]: theirs } })
    expect(await files()).toHaveLength(3)
    const receipt = await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
    expect(receipt).toMatchObject({ documents: 2 })
    expect(receipt).not.toHaveProperty('documentsNotDeleted')
    const left = await files()
    expect(left).toHaveLength(1)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })
})
