/** Copies of documents that a person keeps after the request: from the link, or from a file. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CopyRule } from '#contract/connections/connection.ts'
import { maxDocumentBytes } from '#contract/documents/documents.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'

let console: TestConsole
let server: DocumentServer
let connectionId: string
beforeAll(async () => void (server = await serveDocuments()))
afterAll(() => server.close())
beforeEach(async () => {
  console = await startTestConsole()
  connectionId = await practice('off')
})
afterEach(() => console.dispose())

async function practice(copies: CopyRule): Promise<string> {
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies })
  return id
}

const field = 'document_url'
async function recorded(url: string, applicantId = 'APP-1'): Promise<string> {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-applicant-id-document',
    input: { applicant_id: applicantId, [field]: url },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
/** A verification that is about nobody: it has a subject of its own. */
async function aboutNobody(url: string): Promise<string> {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-passport',
    input: { id_url: url },
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const keep = (recordId: string, of = field) => console.ask('documents.keep', { recordId, field: of })
async function add(recordId: string, bytes: Buffer, of = field) {
  console.open = console.fileAt('letter.bin')
  await writeFile(console.open, bytes)
  return console.ask('documents.addFile', { recordId, field: of })
}
/** Paths of all files of copies, below `documents`. */
async function files(): Promise<string[]> {
  const folder = join(console.dataFolder, 'documents')
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((each) => !each.isDirectory()).map(({ parentPath, name }) => join(parentPath, name))
}
const kept = async () =>
  (await console.get('audit.page', { limit: 100 })).events.filter(({ kind }) => kind === 'document.kept')
const open = async (recordId: string, more: { copy?: string } = {}) =>
  console.get('documents.open', { recordId, field, ...more })
const restart = async (): Promise<void> => {
  await console.close()
  console = await startTestConsole(console)
  await console.veridesk.opened()
}

describe('a copy that is kept later', () => {
  it('is fetched once, sealed, and opened with the distance to the request, whatever the connection says of copies', async () => {
    const id = await recorded(server.at(card))
    console.ahead = 3 * 86_400_000
    const asked = server.asked.length
    expect(await keep(id)).toMatchObject({
      ok: true,
      value: { id, copies: { [field]: [{ when: 'later', type: 'jpeg', bytes: card.length }] } }
    })
    expect(server.asked).toHaveLength(asked + 1)
    const [file = '', ...more] = await files()
    expect(more).toEqual([])
    expect(file).toMatch(/[0-9a-f]{64}$/)
    expect((await readFile(file)).includes(card.subarray(0, 64))).toBe(false)
    expect((await stat(file)).mode & 0o077).toBe(0)
    const opened = await open(id)
    expect(opened.facts.kept).toMatchObject({ when: 'later' })
    expect(Math.round((opened.facts.kept?.after ?? 0) / 86_400_000)).toBe(3)
    expect(Buffer.from(opened.base64, 'base64').equals(card)).toBe(true)
    expect(server.asked).toHaveLength(asked + 1)
    expect((await kept()).map(({ words }) => words)).toEqual([
      `Copy of the document of ${field} kept after the request.`
    ])
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
    // The timeline of the person has it as well, and what is behind the link can be compared with it.
    const { entries } = await console.get('applicants.timeline', { applicantId: 'APP-1', limit: 10 })
    expect(entries).toMatchObject([{ kind: 'check', record: { copies: { [field]: [{ when: 'later' }] } } }])
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({
      result: 'same',
      before: { noted: true }
    })
  })

  it('is not taken where the record has one from its link, and nothing is requested', async () => {
    const id = await recorded(server.at(card))
    expect(await keep(id)).toMatchObject({ ok: true })
    await practice('possible')
    const copiedBefore = await recorded(server.at(face))
    const asked = server.asked.length
    for (const each of [id, copiedBefore])
      expect(await keep(each)).toMatchObject({ ok: false, failure: { code: 'document-copied' } })
    expect(server.asked).toHaveLength(asked)
    expect(await kept()).toHaveLength(2)
  })

  it('of two at once is one', async () => {
    const id = await recorded(server.at(card))
    const answers = await Promise.all([keep(id), keep(id)])
    expect(answers.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(await kept()).toHaveLength(1)
    expect((await files()).map((each) => /[0-9a-f]{64}$/.test(each))).toEqual([true])
    expect((await open(id)).facts.bytes).toBe(card.length)
  })

  it('is refused where the link was stored without its signature, and where it leads to no document', async () => {
    const signed = `${server.at(card)}?X-Amz-Signature=${'ab'.repeat(32)}&X-Amz-Expires=60`
    expect(await keep(await recorded(signed))).toMatchObject({ failure: { code: 'document-link-removed' } })
    const page = await recorded(server.at((response) => response.end('<!doctype html><p>Sign in')))
    expect(await keep(page)).toMatchObject({ failure: { code: 'document-type-refused' } })
    const gone = await recorded(server.at((response) => response.writeHead(410).end()))
    expect(await keep(gone)).toMatchObject({ failure: { code: 'document-not-fetched' } })
    expect(await kept()).toEqual([])
    expect(await files()).toEqual([])
  })

  it('belongs to a record about nobody as well, and goes with the person to whom it was linked meanwhile', async () => {
    let answer: (() => void) | undefined
    const id = await aboutNobody(server.at((response) => void (answer = () => response.end(card))))
    const waiting = keep(id, 'id_url')
    await expect.poll(() => answer !== undefined).toBe(true)
    await console.get('applicants.link', { applicantId: 'APP-7', recordId: id })
    answer?.()
    expect(await waiting).toMatchObject({
      value: { applicant: { id: 'APP-7' }, copies: { id_url: [{ when: 'later' }] } }
    })
    expect(await files()).toHaveLength(1)
    await console.get('erasure.run', { applicantId: 'APP-7', confirmation: 'APP-7', reason: 'asked for by letter' })
    expect(await files()).toEqual([])
  })
})

describe('a file that is added', () => {
  it('is beside the copy from before the request, which stays the one that opens', async () => {
    await practice('possible')
    const id = await recorded(server.at(card))
    const added = await add(id, face)
    if (!added.ok || !added.value) throw new Error('not added')
    const [first, second] = added.value.copies?.[field] ?? []
    expect([first?.when, second?.when]).toEqual(['before', 'file'])
    expect((await open(id)).facts).toMatchObject({ bytes: card.length, kept: { when: 'before' } })
    const other = await open(id, { copy: second?.sha256 ?? '' })
    expect(other.facts).toMatchObject({ bytes: face.length, kept: { when: 'file' } })
    expect(Buffer.from(other.base64, 'base64').equals(face)).toBe(true)
    // What is behind the link is compared with what was behind it.
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({ result: 'same' })
    expect((await kept())[0]?.words).toBe(`File added as a copy of the document of ${field}.`)
  })

  it('is one file if it is the same document, and shown beside the one from the link, once', async () => {
    await practice('possible')
    const id = await recorded(server.at(card))
    const both = { value: { copies: { [field]: [{ when: 'before' }, { when: 'file' }] } } }
    expect(await add(id, card)).toMatchObject(both)
    expect(await add(id, card)).toMatchObject(both)
    expect(await files()).toHaveLength(1)
    expect(await kept()).toHaveLength(3)
  })

  it('does not hide the same document from the link, which is kept once and compared with', async () => {
    const id = await recorded(server.at(card))
    expect(await add(id, card)).toMatchObject({ ok: true })
    expect(await keep(id)).toMatchObject({
      value: { copies: { [field]: [{ when: 'file' }, { when: 'later' }] }, documents: { [field]: { noted: true } } }
    })
    const asked = server.asked.length
    expect(await keep(id)).toMatchObject({ ok: false, failure: { code: 'document-copied' } })
    expect(server.asked).toHaveLength(asked)
    expect(await kept()).toHaveLength(2)
    expect(await files()).toHaveLength(1)
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({ result: 'same' })
  })

  it('takes the place of a document whose link cannot be opened any more, and leaves the link its copy', async () => {
    const id = await recorded(server.at(card))
    expect(await add(id, face)).toMatchObject({ ok: true })
    expect((await open(id)).facts.kept?.when).toBe('file')
    expect((await console.get('history.record', { id })).documents).toBeUndefined()
    expect(await keep(id)).toMatchObject({ value: { copies: { [field]: [{ when: 'file' }, { when: 'later' }] } } })
  })

  it('is refused by its first bytes and its size, in the words of files', async () => {
    const id = await recorded(server.at(card))
    const refused = (reason: string) => ({ failure: { code: 'document-file-refused', details: { reason } } })
    expect(await add(id, Buffer.from('<!doctype html><p>Passport'))).toMatchObject(refused('type'))
    expect(await add(id, Buffer.alloc(0))).toMatchObject(refused('type'))
    expect(await add(id, card.subarray(0, 20))).toMatchObject(refused('damaged'))
    expect(await add(id, Buffer.concat([card, Buffer.alloc(maxDocumentBytes)]))).toMatchObject(refused('large'))
    console.open = join(console.dataFolder, 'logs')
    expect(await console.ask('documents.addFile', { recordId: id, field })).toMatchObject({
      failure: { code: 'document-file-refused', details: { errno: 'EFTYPE' } }
    })
    expect(await kept()).toEqual([])
    expect(await files()).toEqual([])
  })

  it('is nothing if nobody chose one', async () => {
    const id = await recorded(server.at(card))
    delete console.open
    expect(await console.get('documents.addFile', { recordId: id, field })).toBeNull()
    expect(await kept()).toEqual([])
  })
})

describe('a copy whose file is missing or damaged', () => {
  const condition = () => console.get('documents.condition')
  const copies = async (id: string) => (await console.get('history.record', { id })).copies?.[field] ?? []
  /** A record with a copy from before its request, and the path of its file; what is behind the link can be another one. */
  async function copied(): Promise<{
    readonly id: string
    readonly file: string
    readonly behind: (now: Buffer) => void
  }> {
    await practice('possible')
    let now: Buffer = card
    const id = await recorded(server.at((response) => void response.end(now)))
    const [file = ''] = await files()
    return { id, file, behind: (other) => void (now = other) }
  }

  it.each(['missing', 'damaged'] as const)(
    'is kept again from its link: the file that is %s is whole then',
    async (fault) => {
      const { id, file } = await copied()
      if (fault === 'missing') await rm(file)
      else await writeFile(file, 'something else')
      expect(await console.get('documents.verify')).toMatchObject({ [fault]: 1 })
      expect(await copies(id)).toMatchObject([{ when: 'before', fault }])
      expect(await keep(id)).toMatchObject({ ok: true })
      expect(await condition()).toMatchObject({ files: 1, missing: 0, damaged: 0, faulty: [] })
      expect(await files()).toEqual([file])
      // It is the document from before the request; the audit trail says that it was fetched again.
      const [copy, ...more] = await copies(id)
      expect([copy?.when, copy?.fault, more]).toEqual(['before', undefined, []])
      expect((await kept()).map(({ words }) => words)[0]).toBe(
        `Copy of the document of ${field} kept after the request.`
      )
      expect((await open(id)).facts).toMatchObject({ bytes: card.length, kept: { when: 'before' } })
      expect(await keep(id)).toMatchObject({ failure: { code: 'document-copied' } })
      expect(await console.get('documents.verify')).toMatchObject({ checked: 1, missing: 0, damaged: 0 })
      expect(await console.get('audit.verify')).toMatchObject({ intact: true })
    }
  )

  it('stays beside another document that is behind its link now, which opens and is kept once', async () => {
    const { id, file, behind } = await copied()
    await rm(file)
    await console.get('documents.verify')
    behind(face)
    expect(await keep(id)).toMatchObject({
      value: { copies: { [field]: [{ when: 'before', fault: 'missing' }, { when: 'later' }] } }
    })
    expect(await keep(id)).toMatchObject({ failure: { code: 'document-copied' } })
    expect((await open(id)).facts).toMatchObject({ bytes: face.length, kept: { when: 'later' } })
    expect(await condition()).toMatchObject({ missing: 1, faulty: [{ recordId: id, field }] })
    // What was there at the request is still what the link is compared with.
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({ result: 'changed' })
  })

  it('of a copy that was itself kept later is still what its link is compared with', async () => {
    let now: Buffer = card
    const id = await recorded(server.at((response) => void response.end(now)))
    await keep(id)
    const [file = ''] = await files()
    await rm(file)
    await console.get('documents.verify')
    now = face
    expect(await keep(id)).toMatchObject({ value: { copies: { [field]: [{ fault: 'missing' }, { when: 'later' }] } } })
    expect(await console.get('documents.compare', { recordId: id, field })).toMatchObject({ result: 'changed' })
  })

  it('is whole again with the same file that somebody adds', async () => {
    const { id, file } = await copied()
    await rm(file)
    await console.get('documents.verify')
    expect(await add(id, card)).toMatchObject({ ok: true })
    expect(await condition()).toMatchObject({ missing: 0 })
    expect((await open(id)).facts.kept?.when).toBe('before')
    expect(await keep(id)).toMatchObject({ failure: { code: 'document-copied' } })
  })

  it('leaves the field to an added file, which opens instead of it', async () => {
    const { id, file } = await copied()
    await rm(file)
    await console.get('documents.verify')
    expect(await add(id, face)).toMatchObject({ ok: true })
    expect((await open(id)).facts).toMatchObject({ bytes: face.length, kept: { when: 'file' } })
    expect(await keep(id)).toMatchObject({ ok: true })
    expect((await open(id)).facts).toMatchObject({ bytes: card.length, kept: { when: 'before' } })
  })

  it('is found when somebody opens it, once, before any check', async () => {
    const { id, file } = await copied()
    await rm(file)
    const verified = async () =>
      (await console.get('audit.page', { limit: 100 })).events.filter(({ kind }) => kind === 'documents.verified')
    for (const _ of [1, 2])
      expect(await console.ask('documents.open', { recordId: id, field })).toMatchObject({
        failure: { code: 'document-copy-unusable', details: { reason: 'missing' } }
      })
    expect((await verified()).map(({ words }) => words)).toEqual([
      '1 copy of a document verified: 1 missing, 0 damaged.'
    ])
    expect(await keep(id)).toMatchObject({ ok: true })
    expect((await open(id)).facts.kept?.when).toBe('before')
  })
})

describe('no later copy is kept', () => {
  it('of an erased person: an erasure ends what is fetched', async () => {
    let answer: (() => void) | undefined
    const id = await recorded(server.at((response) => void (answer = () => response.end(card))))
    const waiting = keep(id)
    await expect.poll(() => answer !== undefined).toBe(true)
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked' })
    answer?.()
    expect((await waiting).ok).toBe(false)
    expect(await keep(id)).toMatchObject({ failure: { code: 'record-missing' } })
    expect(await add(id, face)).toMatchObject({ failure: { code: 'record-missing' } })
    expect(await kept()).toEqual([])
    expect(await files()).toEqual([])
  })

  it('beyond the quota, or for a field without a link', async () => {
    const id = await recorded(server.at(card))
    // A file of a history that was set aside.
    await mkdir(join(console.dataFolder, 'history-set-aside-2026-11-01T10-00-00-000Z'))
    const folder = join(console.dataFolder, 'documents', 'ab')
    await mkdir(folder, { recursive: true })
    const full = join(folder, 'ab'.repeat(32))
    await writeFile(full, '')
    await truncate(full, 200_000_000_000)
    const refused = { failure: { code: 'document-copy-failed', details: { reason: 'quota' } } }
    expect(await keep(id)).toMatchObject(refused)
    expect(await add(id, face)).toMatchObject(refused)
    expect(await add(id, face, 'photo_url')).toMatchObject({ failure: { code: 'document-link-missing' } })
    expect(await files()).toEqual([full])
    expect(await kept()).toEqual([])
  })

  it('once Veridesk is locked, and what was fetched is gone', async () => {
    let answer: (() => void) | undefined
    const id = await recorded(server.at((response) => void (answer = () => response.end(card))))
    const waiting = keep(id)
    await expect.poll(() => answer !== undefined).toBe(true)
    await console.get('lock.now')
    answer?.()
    expect((await waiting).ok).toBe(false)
    expect(await files()).toEqual([])
    expect((await keep(id)).ok).toBe(false)
  })

  it('in a session with sample data', async () => {
    const sample = await startTestConsole(undefined, 'tester', { sample: { close: () => undefined } })
    try {
      const place = { recordId: randomUUID(), field }
      const refused = { failure: { code: 'document-copy-failed', details: { reason: 'sample' } } }
      expect(await sample.ask('documents.keep', place)).toMatchObject(refused)
      expect(await sample.ask('documents.addFile', place)).toMatchObject(refused)
    } finally {
      await sample.dispose()
    }
  })
})

describe('a kill while a copy is kept later', () => {
  const victim = fileURLToPath(new URL('./support/document-copy-victim.ts', import.meta.url))
  async function killedAt(step: string, recordId: string): Promise<void> {
    await console.close()
    const signal = await new Promise<string | null>((resolve) => {
      execFile(process.execPath, [victim, console.dataFolder, step, '', recordId], (error) =>
        resolve(error?.signal ?? null)
      )
    })
    expect(signal).toBe('SIGKILL')
    console = await startTestConsole(console)
    await console.veridesk.opened()
  }

  it.each(['written', 'sealed'])('at “%s” leaves no event and no file', async (step) => {
    const id = await recorded(server.at(card))
    await killedAt(step, id)
    await expect.poll(files).toEqual([])
    expect(await kept()).toEqual([])
    expect(await keep(id)).toMatchObject({ ok: true })
  })

  it.each(['begun', 'named'])('at “%s” leaves the event and its file', async (step) => {
    const id = await recorded(server.at(card))
    await killedAt(step, id)
    await expect.poll(async () => (await files()).map((each) => /[0-9a-f]{64}$/.test(each))).toEqual([true])
    expect((await open(id)).facts.kept?.when).toBe('later')
    await restart()
    expect((await open(id)).facts.bytes).toBe(card.length)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })
})
