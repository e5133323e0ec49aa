/** The check of a file's links before a batch, and what its records keep, through a whole console. */
import { createHash, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BatchLinkCheck } from '#contract/batches/links.ts'
import { batchSeconds } from '#contract/batches/links.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, heic } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'

let console: TestConsole
let server: DocumentServer
let connectionId: string
let folder: string
beforeAll(async () => {
  server = await serveDocuments()
  folder = await mkdtemp(join(tmpdir(), 'veridesk-links-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  console = await startTestConsole()
  connectionId = (await console.get('practice.start')).id
})
afterEach(() => console.dispose())

const operation = 'validate-applicant-id-document'
/** A new file each time: the same picture with another end. */
let files = 0
const own = (): Buffer => Buffer.concat([card, Buffer.from(`end ${(files += 1)}`)])
const read = async (links: readonly string[]): Promise<string> => {
  const text = ['applicant_id,document_url', ...links.map((link, index) => `A-${index + 1},${link}`)].join('\n')
  return (await console.get('batches.checkText', { name: 'rows.csv', text, reading: { operations: [operation] } }))
    .checkId
}
const ordered = (checkId: string, more: { atOnce?: number; pace?: number } = {}) => ({
  checkId,
  connectionId,
  atOnce: 2,
  pace: 0,
  ...more
})
const last = (checkId: string): BatchLinkCheck | undefined =>
  console.events
    .flatMap((event) => (event.kind === 'link-check' && event.check.checkId === checkId ? [event.check] : []))
    .at(-1)
const finished = async (checkId: string): Promise<BatchLinkCheck> => {
  await expect.poll(() => last(checkId)?.state, { timeout: 100_000 }).toMatch(/^(done|stopped)$/)
  return last(checkId)!
}
const codesOf = async (checkId: string, kind?: 'small' | 'unreachable'): Promise<[number, string[]][]> =>
  (await console.get('batches.linkRows', { checkId, limit: 100, ...(kind && { kind }) })).map(({ row, faults }) => [
    row,
    faults.map(({ fault }) => fault.code)
  ])
const create = (checkId: string, skipFound: boolean) =>
  console.get('batches.create', {
    checkId,
    connectionId,
    name: 'Rows',
    atOnce: 2,
    pace: 0,
    skipDuplicates: true,
    skipRecent: false,
    skipFound,
    another: true
  })

describe('the links of a file', () => {
  it('are asked once each, with findings by row and figures by kind, and nothing is sent to the service', async () => {
    const same = own()
    const expired = `${server.at(own())}?X-Amz-Date=20200101T000000Z&X-Amz-Expires=60&X-Amz-Signature=ab`
    const checkId = await read([
      server.at(own()),
      server.at((response) => response.writeHead(404).end()),
      server.at(Buffer.from('<html>')),
      server.at(heic(400, 300)),
      expired,
      server.at(same),
      server.at(same),
      'http://10.0.0.1/card.jpg',
      server.at(card.subarray(0, card.length - 500))
    ])
    const asked = server.asked.length
    const begun = await console.get('batches.checkLinks', ordered(checkId))
    expect(begun).toMatchObject({ links: 9, state: 'running' })
    const check = await finished(checkId)
    expect(check).toMatchObject({
      state: 'done',
      done: 9,
      found: 8,
      figures: { 'unreachable': 2, 'no-document': 1, 'incomplete': 1, 'small': 1, 'expired': 1, 'same-file': 2 }
    })
    // The refused address was not asked.
    expect(server.asked.length - asked).toBe(8)
    expect(await codesOf(checkId)).toEqual([
      [3, ['link-status']],
      [4, ['link-no-document']],
      [5, ['link-small']],
      [6, ['link-expired']],
      [7, ['link-same-file']],
      [8, ['link-same-file']],
      [9, ['link-address-refused']],
      [10, ['link-incomplete']]
    ])
    expect(await codesOf(checkId, 'unreachable')).toEqual([
      [3, ['link-status']],
      [9, ['link-address-refused']]
    ])
    expect((await console.get('history.page', { filter: {}, limit: 5 })).records).toEqual([])
    const { events } = await console.get('audit.page', { limit: 50 })
    expect(events.flatMap(({ kind, words }) => (kind === 'links.checked' ? [words] : []))).toEqual([
      '9 links of a file for Validate applicant identity document checked, 8 with findings (unreachable 2, no-document 1, incomplete 1, expired 1, small 1, same-file 2).'
    ])
  })

  it('must be valid until the batch can be finished', async () => {
    const seconds = batchSeconds(2, { atOnce: 2, pace: 1 })
    expect(seconds).toBe(2 * 60 + 600)
    const link = (lasting: number): string =>
      `${server.at(own())}?X-Amz-Date=${new Date().toISOString().replace(/[-:]|\.\d+/g, '')}&X-Amz-Expires=${lasting}&X-Amz-Signature=ab`
    const checkId = await read([link(seconds - 30), link(seconds + 120)])
    await console.get('batches.checkLinks', ordered(checkId, { pace: 1 }))
    await finished(checkId)
    expect(await codesOf(checkId)).toEqual([[2, ['link-expires-early']]])
  })

  it('are asked four at a time, and no more after a stop', async () => {
    const waiting: (() => void)[] = []
    const links = Array.from({ length: 12 }, () =>
      server.at((response) => void waiting.push(() => response.end(own())))
    )
    const checkId = await read(links)
    await console.get('batches.checkLinks', ordered(checkId))
    await expect.poll(() => waiting.length).toBe(4)
    waiting[0]!()
    await expect.poll(() => waiting.length).toBe(5)
    expect(await console.get('batches.stopLinks', { checkId })).toMatchObject({ checkId })
    // Nobody answers the others: they end because they are stopped.
    expect(await finished(checkId)).toMatchObject({ state: 'stopped', done: 1 })
    expect(waiting).toHaveLength(5)
  })

  it('are asked no more once the connection is removed, which is no finding of a link', async () => {
    const waiting: (() => void)[] = []
    const links = Array.from({ length: 12 }, () =>
      server.at((response) => void waiting.push(() => response.end(own())))
    )
    const checkId = await read(links)
    await console.get('batches.checkLinks', ordered(checkId))
    await expect.poll(() => waiting.length).toBe(4)
    await console.get('connections.remove', { id: connectionId })
    waiting[0]!()
    expect(await finished(checkId)).toMatchObject({
      state: 'stopped',
      found: 0,
      failure: { code: 'connection-missing' }
    })
    expect(waiting).toHaveLength(4)
  })

  it('are saved with their findings, and left out only by choice; the other records keep what was seen', async () => {
    const good = own()
    const checkId = await read([server.at(good), server.at((response) => response.writeHead(410).end())])
    await console.get('batches.checkLinks', ordered(checkId))
    await finished(checkId)
    console.save = join(folder, `${randomUUID()}.csv`)
    expect(await console.get('batches.saveLinks', { checkId })).toMatchObject({ rows: 1 })
    const [saved] = parse<Record<string, string>>(await readFile(console.save, 'utf8'), { columns: true, bom: true })
    expect(saved).toMatchObject({
      applicant_id: 'A-2',
      line: '3',
      faults: 'document_url: The server of the link answered with status 410.'
    })

    expect((await create(checkId, false)).counts).toMatchObject({ waiting: 2, invalid: 0 })
    const batch = await create(checkId, true)
    expect(batch.counts).toMatchObject({ waiting: 1, invalid: 1 })
    const { rows } = await console.get('batches.rows', { id: batch.id, offset: 1, limit: 5 })
    expect(rows[0]).toMatchObject({
      row: 3,
      state: 'invalid',
      fault: [{ column: 'document_url', fault: { code: 'link-status', details: { status: 410 } } }]
    })

    await console.get('batches.start', { id: batch.id })
    await expect
      .poll(async () => (await console.get('batches.show', { id: batch.id })).state, { timeout: 60_000 })
      .toBe('finished')
    const [ran] = (await console.get('batches.rows', { id: batch.id, offset: 0, limit: 1 })).rows
    const record = await console.get('history.record', { id: ran!.recordId! })
    expect(record.documents?.['document_url']).toMatchObject({
      type: 'jpeg',
      bytes: good.length,
      sha256: createHash('sha256').update(good).digest('hex')
    })
    // Another file with the same document under another applicant.
    const next = (
      await console.get('batches.checkText', {
        name: 'more.csv',
        text: `applicant_id,document_url\nB-9,${server.at(good)}`,
        reading: { operations: [operation] }
      })
    ).checkId
    await console.get('batches.checkLinks', ordered(next))
    await finished(next)
    expect(await codesOf(next)).toEqual([[2, ['link-other-applicant']]])
  })

  it('are forgotten with other settings of the file, and refused without a link', async () => {
    const checkId = await read([server.at((response) => response.writeHead(404).end())])
    await console.get('batches.checkLinks', ordered(checkId))
    await finished(checkId)
    await console.get('batches.recheck', {
      checkId,
      reading: { operations: [operation], mapping: { applicant_id: 0, document_url: 1 } }
    })
    expect(await console.ask('batches.linkRows', { checkId, limit: 5 })).toMatchObject({
      ok: false,
      failure: { code: 'batch-links-none' }
    })
    const none = (
      await console.get('batches.checkText', {
        name: 'ids.csv',
        text: 'applicant_id\nA-1',
        reading: { operations: ['get-applicant-details'] }
      })
    ).checkId
    expect(await console.ask('batches.checkLinks', ordered(none))).toMatchObject({
      ok: false,
      failure: { code: 'batch-links-none' }
    })
  })

  it('of ten thousand rows are listed in part, with figures of all', { timeout: 120_000 }, async () => {
    // Refused before anything is requested: what matters here is the console, not a server.
    const links = Array.from({ length: 10_000 }, (_, row) => `http://10.0.0.1/${row}.jpg`)
    const checkId = await read(links)
    await console.get('batches.checkLinks', ordered(checkId))
    expect(await finished(checkId)).toMatchObject({
      state: 'done',
      done: 10_000,
      found: 10_000,
      figures: { unreachable: 10_000 }
    })
    expect(await codesOf(checkId)).toHaveLength(100)
    // Progress is announced a few times a second, not for each link.
    expect(console.events.filter(({ kind }) => kind === 'link-check').length).toBeLessThan(2000)
  })
})
