/**
 * A restored history wants copies as it did at its backup: nothing is asked of the server of the documents of a batch that is held, and
 * what was copied since the backup is neither deleted nor fetched again.
 */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isHeld } from '#contract/batches/held-batches.ts'
import { lasts } from './support/acts.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'

let console: TestConsole
let server: DocumentServer
let connectionId: string
/** Whether the server answers. A request that it does not answer is ended by what is tested. */
let isOpen: boolean
beforeEach(async () => {
  server = await serveDocuments()
  isOpen = false
  console = await startTestConsole()
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  connectionId = id
  // A history in memory has no backups.
  expect(await lasts(console)).toBe(true)
})
afterEach(async () => {
  await console.dispose()
  await server.close()
})

const link = (document: Buffer): string => server.at((response) => void (isOpen && response.end(document)))
const batches = () => console.veridesk.batches()
const show = (id: string) => console.get('batches.show', { id })
const events = async (kind: string) =>
  (await console.get('audit.page', { limit: 100 })).events.filter((event) => event.kind === kind)
const files = async (): Promise<string[]> =>
  (await readdir(join(console.dataFolder, 'documents'), { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((each) => each.isFile())
    .map(({ name }) => name)
    .sort()
/** The copies of all records, by their time. */
async function kept(): Promise<(string | undefined)[]> {
  const { records } = await console.get('history.page', { filter: {}, limit: 100 })
  const all = await Promise.all([...records].reverse().map(({ id }) => console.get('history.record', { id })))
  return all.map(({ copies }) => copies?.['document_url']?.[0]?.when)
}

/** A batch of a row for each link; `pace` rows a minute. */
async function batch(links: readonly string[], pace = 0): Promise<string> {
  const { checkId } = await console.get('batches.checkText', {
    name: 'rows.csv',
    text: ['applicant_id,document_url', ...links.map((url, at) => `APP-${at + 1},${url}`)].join('\n'),
    reading: { operations: ['validate-applicant-id-document'] }
  })
  const more = { name: 'Rows', atOnce: 1, pace, skipDuplicates: true, skipRecent: false, another: true }
  const { id } = await console.get('batches.create', { checkId, connectionId, ...more })
  await console.get('batches.start', { id })
  return id
}

/** A batch of two rows that was paused after the first, whose document was asked for and not received. */
async function pausedBatch(): Promise<string> {
  // A minute before the second row.
  const id = await batch([link(card), link(face)], 1)
  await expect.poll(async () => (await show(id)).counts.answered, { timeout: 10_000 }).toBe(1)
  await console.get('batches.pause', { id })
  await (await batches()).ended(id)
  await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(1)
  return id
}

/** The time in which a copier that may go on would have asked. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 400))

describe('a restore of a backup with documents to copy', () => {
  /** The batch, which a restore holds, and of which a copy is wanted. */
  async function heldBatch(): Promise<string> {
    const id = await pausedBatch()
    const backup = await console.get('backups.create')
    await console.get('backups.restore', { id: backup.id })
    expect(isHeld(await show(id))).toBe(true)
    isOpen = true
    await settled()
    expect(server.asked).toHaveLength(1)
    return id
  }

  it('asks for none of a held batch before a person goes on with it', async () => {
    const id = await heldBatch()
    // Nor at the next start, nor when another batch has copies to make.
    await console.close()
    console = await startTestConsole(console)
    const other = await batch([link(card)])
    await (await batches()).ended(other)
    await expect.poll(async () => (await events('document.kept')).length, { timeout: 10_000 }).toBe(1)
    await settled()
    expect(server.asked).toHaveLength(2)
    expect(await events('document.missed')).toEqual([])
    await console.get('batches.start', { id, afterRestore: true })
    await expect.poll(async () => (await events('document.kept')).length, { timeout: 15_000 }).toBe(3)
    expect((await kept()).every((when) => when === 'beside')).toBe(true)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('asks for those of rows that were sent once a person has cancelled the rest', async () => {
    const id = await heldBatch()
    await console.get('batches.cancel', { id })
    await expect.poll(kept, { timeout: 15_000 }).toEqual(['beside'])
  })

  it('keeps again what was copied since the backup, without a request, and deletes no file', async () => {
    const id = await batch([link(card), link(face)])
    await (await batches()).ended(id)
    await expect.poll(() => server.asked.length, { timeout: 10_000 }).toBe(2)
    const { id: backup } = await console.get('backups.create')
    isOpen = true
    await (await batches()).stopCopying()
    ;(await batches()).copyOn()
    await (await batches()).copied()
    expect(await kept()).toEqual(['beside', 'beside'])
    const before = await files()
    expect(before).toHaveLength(2)
    const asked = server.asked.length
    await console.get('backups.restore', { id: backup })
    await (await batches()).copied()
    expect(await kept()).toEqual(['beside', 'beside'])
    expect(server.asked).toHaveLength(asked)
    expect(await files()).toEqual(before)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })
})
