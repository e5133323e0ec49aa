/** A disk that fills up while documents of rows are copied: on a small file system, which is made smaller. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest'
import type { CopyRule } from '#contract/connections/connection.ts'
import { startPracticeService } from '#practice/service.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'

let folder: string
let console: TestConsole | undefined
let server: DocumentServer
/** Ends the answers that the server holds back; those after it are given at once. */
let release: () => void
let isFull: boolean
let held: (() => void)[]
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-copies-disk-'))
  server = await serveDocuments()
  isFull = false
  held = []
  release = () => {
    isFull = true
    for (const each of held) each()
  }
})
afterEach(async () => {
  await console?.close()
  await console?.practice.close()
  await server.close()
  if (console) execFileSync('umount', [folder])
  console = undefined
  for (const each of [folder, `${folder}.files`]) rmSync(each, { recursive: true, force: true })
})

const link = (document: Buffer): string =>
  server.at((response) => {
    const answer = (): void => void response.end(document)
    if (isFull) answer()
    else held.push(answer)
  })
/** Copies leave 2 GB free; none of it is in memory before it is written. */
const resize = (size: string): unknown => execFileSync('mount', ['-o', `remount,size=${size}`, folder])

async function small(skip: TestContext['skip'], copies: CopyRule) {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2200m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return skip('only root may mount a small disk')
  }
  const on = await startTestConsole({ dataFolder: folder, practice: await startPracticeService() })
  console = on
  const { id: connectionId, name, baseUrl, mode, colour, mark } = await on.get('practice.start')
  await on.get('connections.save', { id: connectionId, name, baseUrl, mode, colour, mark, copies })
  return {
    on,
    /** Starts a batch of a row for each link. */
    async start(links: readonly string[]): Promise<string> {
      const { checkId } = await on.get('batches.checkText', {
        name: 'rows.csv',
        text: ['applicant_id,document_url', ...links.map((url, at) => `APP-${at + 1},${url}`)].join('\n'),
        reading: { operations: ['validate-applicant-id-document'] }
      })
      const more = { name: 'Rows', atOnce: 2, pace: 0, skipDuplicates: true, skipRecent: false, another: true }
      const { id } = await on.get('batches.create', { checkId, connectionId, ...more })
      await on.get('batches.start', { id })
      await expect.poll(() => held.length, { timeout: 20_000 }).toBe(links.length)
      return id
    },
    ended: async (id: string) => {
      await (await on.veridesk.batches()).ended(id)
      return on.get('batches.show', { id })
    },
    copied: async () => (await on.veridesk.batches()).copied(),
    events: async (kind: string) =>
      (await on.get('audit.page', { limit: 100 })).events.filter((event) => event.kind === kind)
  }
}

it(
  'stops a batch that requires copies, with its rows waiting and nothing sent',
  { timeout: 60_000 },
  async ({ skip }) => {
    const { on, start, ended, events } = await small(skip, 'required')
    const id = await start([link(card), link(face)])
    resize('64m')
    release()
    expect(await ended(id)).toMatchObject({
      state: 'stopped',
      reason: { code: 'document-copy-failed', details: { reason: 'space' } },
      counts: { waiting: 2 }
    })
    expect(on.practice.ledger()).toEqual([])
    expect(await events('record.begun')).toEqual([])
  }
)

it(
  'says what has no copy because of it, on the batch and on the overview, until copies are kept again',
  { timeout: 60_000 },
  async ({ skip }) => {
    const { on, start, ended, copied, events } = await small(skip, 'possible')
    const id = await start([link(card), link(face)])
    expect((await ended(id)).copiesMissed).toBeUndefined()
    resize('64m')
    release()
    await copied()
    expect((await events('document.missed')).map(({ words }) => words)).toEqual(
      Array.from({ length: 2 }, () => 'No copy of the document of document_url: disk-full.')
    )
    expect(await on.get('batches.show', { id })).toMatchObject({ counts: { answered: 2 }, copiesMissed: 2 })
    expect(await on.get('documents.condition')).toMatchObject({ unstored: 2 })
    resize('2200m')
    isFull = false
    held = []
    const later = await start([link(card)])
    release()
    await ended(later)
    await copied()
    expect(await on.get('documents.condition')).toMatchObject({ unstored: 0 })
    expect(await on.get('batches.show', { id })).toMatchObject({ copiesMissed: 2 })
  }
)
