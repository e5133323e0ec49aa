/** *Data of the applicant*: what a person gets who asks for their data, and that nobody's file tells what people here did. */
import { createHash, randomUUID, verify } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fromBufferPromise } from 'yauzl'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayLength } from '#contract/applicants/due-dates.ts'
import type { RunRequest } from '#contract/history/queries.ts'
import { card, face } from './support/document-files.ts'
import { serveDocuments, type DocumentServer } from './support/document-server.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { counted } from './support/times.ts'

/** Stands in what people write and are called; none of it may leave. */
const canary = 'CANARY'
let console: TestConsole
let server: DocumentServer
let connectionId: string
let printed: string[]

beforeAll(async () => void (server = await serveDocuments()))
afterAll(() => server.close())
beforeEach(async () => {
  printed = []
  console = await startTestConsole(undefined, `${canary}-operator`, {
    printPdf: async (html) => {
      printed.push(html)
      return Buffer.from(`%PDF ${html}`)
    }
  })
  const { id, name, baseUrl, mode, colour, mark } = await console.get('practice.start')
  await console.get('connections.save', { id, name, baseUrl, mode, colour, mark, copies: 'possible' })
  await console.get('settings.change', {
    decisionReasons: [{ code: 'canary-reason', label: `${canary} reason`, decisions: ['escalate', 'decline'] }]
  })
  connectionId = id
})
afterEach(() => console.dispose())

async function run(input: Readonly<Record<string, string>>, more: Partial<RunRequest> = {}): Promise<string> {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-applicant-id-document',
    input,
    repeatAnyway: true,
    ...more
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const link = (document: Buffer): string => server.at(document, 'card.jpg')
const asked = (applicantId: string, document = card): Promise<string> =>
  run({ applicant_id: applicantId, document_url: link(document) })
/** The same verifications for each person. */
async function verified(applicantId: string): Promise<void> {
  await asked(applicantId)
  // Answered alike for everybody, unlike the details.
  await run({ applicant_id: applicantId, document_url: link(face) })
}

/** The saved file's parts by name, and the answer of the console. */
async function saved(applicantId: string) {
  const read = await console.get('exports.readApplicantData', { applicantId })
  console.save = console.fileAt(`${randomUUID()}.zip`)
  const done = await console.get('exports.applicantData', { applicantId, digest: read.digest })
  const bytes = await readFile(console.save)
  const zip = await fromBufferPromise(bytes, { lazyEntries: true })
  const parts = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    parts.set(entry.fileName, Buffer.concat(pieces))
  }
  const part = (name: string): Buffer => {
    const found = parts.get(name)
    if (!found) throw new Error(`${name} is not in the file`)
    return found
  }
  return { read, done, bytes, parts, part, json: JSON.parse(String(part('data.json'))) as Json }
}
type Json = { readonly [name: string]: unknown } & { readonly requests: readonly Record<string, unknown>[] }
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The paths of all keys of a value; those of lists without their number. */
function keysOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => keysOf(each, `${path}[]`))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([key, inner]) => [`${path}.${key}`, ...keysOf(inner, `${path}.${key}`)])
}
/** What differs from person to person without telling anything: the ID, times and digests. */
const leveled = (text: string, applicantId: string): string =>
  text
    .replaceAll(applicantId, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(?:Z| UTC)/g, 'TIME')
    .replaceAll(/[0-9a-f]{64}/g, 'DIGEST')
    .replaceAll(/127\.0\.0\.1:\d+\/[^\s"<&]*/g, 'LINK')
    .replaceAll(/"bytes": \d+/g, 'BYTES')

/** All that people can do about a person, each with a text of theirs. */
async function suspected(applicantId: string): Promise<void> {
  const { evidence } = await console.get('applicants.show', { applicantId })
  await console.get('applicants.note', { applicantId, text: `${canary} suspicion` })
  await console.get('applicants.tag', { applicantId, tags: [`${canary} tag`] })
  await console.get('decisions.make', {
    applicantId,
    decision: 'escalate',
    reasons: ['canary-reason'],
    note: `${canary} escalation`,
    evidence,
    due: Math.ceil(Date.now() / dayLength) * dayLength
  })
  await console.get('holds.place', { applicantId, reason: `${canary} hold`, reference: `${canary} order` })
  await console.get('applicants.rate', { applicantId, risk: 'high', note: `${canary} class` })
  await console.get('applicants.relate', {
    applicantId,
    state: 'refused',
    on: '2026-03-13',
    note: `${canary} relation`
  })
}

describe('the data of an applicant', () => {
  it('has requests, answers and copies, and one signature that covers each file', async () => {
    await verified('APP-1')
    const { read, done, bytes, parts, part, json } = await saved('APP-1')
    expect(read).toMatchObject({ requests: 2, answers: 2, copies: 2, unreadable: 0, bytes: card.length + face.length })
    expect([...parts.keys()]).toEqual([
      'data.pdf',
      'data.json',
      'data.json.sig',
      'public-key.pem',
      'documents/1 document_url.jpeg',
      'documents/2 document_url.jpeg'
    ])
    expect(json.requests).toMatchObject([
      {
        operation: 'validate-applicant-id-document',
        outcome: 'answered',
        input: { applicant_id: 'APP-1' },
        answer: { status: 200, cut: false, bodyBytes: null },
        copies: [{ type: 'jpeg', bytes: card.length, sha256: sha256(card), file: 'documents/1 document_url.jpeg' }]
      },
      { outcome: 'answered', copies: [{ file: 'documents/2 document_url.jpeg' }] }
    ])
    expect(part('documents/1 document_url.jpeg').equals(card)).toBe(true)
    expect(json['pdf']).toEqual({ name: 'data.pdf', bytes: part('data.pdf').length, sha256: sha256(part('data.pdf')) })
    const { publicKey, fingerprint } = await console.get('evidence.publicKey')
    expect(String(part('public-key.pem'))).toBe(publicKey)
    expect(json['signedBy']).toBe(fingerprint)
    expect(verify(null, part('data.json'), publicKey, part('data.json.sig'))).toBe(true)
    // What a person read is what the PDF says.
    for (const { rows } of read.sections) for (const [label] of rows) expect(printed[0]).toContain(`<th>${label}</th>`)
    expect(done?.sha256).toBe(sha256(bytes))
    const { events } = await console.get('audit.page', { limit: 5, kinds: ['export.made'] })
    expect(events).toMatchObject([
      {
        words: 'Export (data of the applicant, zip) with 2 entries saved.',
        applicantId: 'APP-1',
        operator: `${canary}-operator`
      }
    ])
  })

  it('shows any changed byte of any file', async () => {
    await verified('APP-1')
    const { part, json } = await saved('APP-1')
    const { publicKey } = await console.get('evidence.publicKey')
    const signature = part('data.json.sig')
    const whole = part('data.json')
    for (let at = 0; at < whole.length; at += 1) {
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] ?? 0) ^ 1
      if (verify(null, changed, publicKey, signature)) throw new Error(`byte ${at}`)
    }
    const named = JSON.stringify(json)
    for (const name of ['data.pdf', 'documents/1 document_url.jpeg']) {
      const changed = Buffer.from(part(name))
      changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1
      expect(named).toContain(sha256(part(name)))
      expect(named).not.toContain(sha256(changed))
    }
  })

  it('is the same for somebody who is suspected, escalated, held and refused as for anybody', async ({ task }) => {
    await verified('APP-plain')
    await verified('APP-held1')
    await suspected('APP-held1')
    const [plain, held] = [await saved('APP-plain'), await saved('APP-held1')]
    expect(await console.get('holds.list', { visit: randomUUID() })).toHaveLength(1)
    for (const each of [plain, held]) {
      expect(String(each.part('data.json'))).not.toContain(canary)
      expect(JSON.stringify(each.read)).not.toContain(canary)
      for (const [name, bytes] of each.parts) expect(`${name} ${bytes.toString('latin1')}`).not.toContain(canary)
    }
    expect(keysOf(held.json)).toEqual(keysOf(plain.json))
    expect([...held.parts.keys()]).toEqual([...plain.parts.keys()])
    expect(leveled(String(held.part('data.json')), 'APP-held1')).toBe(
      leveled(String(plain.part('data.json')), 'APP-plain')
    )
    expect(leveled(printed[1] ?? '', 'APP-held1')).toBe(leveled(printed[0] ?? '', 'APP-plain'))
    counted(task, { searched: plain.parts.size + held.parts.size, canaries: 0 })
  })

  it('says of a request whose outcome is unknown that it is, also once a person has resolved it', async () => {
    await verified('APP-1')
    const id = await run({ applicant_id: 'PRACTICE-cut' }, { operation: 'get-applicant-details' })
    await console.get('applicants.link', {
      recordId: await run({ id_url: link(card) }, { operation: 'validate-kyc-id' }),
      applicantId: 'PRACTICE-cut'
    })
    const open = await saved('PRACTICE-cut')
    expect(open.json.requests).toMatchObject([
      { outcome: 'unknown', answer: null, copies: [] },
      { operation: 'validate-kyc-id', outcome: 'answered' }
    ])
    await console.get('history.resolve', { id, as: 'processed', note: `${canary} resolved` })
    const resolved = await saved('PRACTICE-cut')
    expect(resolved.json.requests).toEqual(open.json.requests)
    expect(String(resolved.part('data.json'))).not.toContain(canary)
    const answered = await saved('APP-1')
    const shape = (json: Json): string[] => Object.keys(json.requests[0] ?? {})
    expect(shape(resolved.json)).toEqual(shape(answered.json))
    const labels = ({ read }: typeof open): string[] =>
      read.sections.flatMap(({ rows }) => rows.map(([label]) => label))
    for (const always of ['Sent', 'Outcome', 'Answer received', 'Status', 'Message', 'Response', 'Copies of documents'])
      expect(labels(resolved).filter((label) => label === always)).toHaveLength(
        always === 'Copies of documents' ? 3 : 2
      )
  })

  it('is of nobody once the applicant is erased, whether it was read before or not', async () => {
    await verified('APP-1')
    const { digest } = await console.get('exports.readApplicantData', { applicantId: 'APP-1' })
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked for' })
    const missing = { ok: false, failure: { code: 'applicant-missing' } }
    expect(await console.ask('exports.readApplicantData', { applicantId: 'APP-1' })).toMatchObject(missing)
    console.save = console.fileAt('gone.zip')
    expect(await console.ask('exports.applicantData', { applicantId: 'APP-1', digest })).toMatchObject(missing)
    await expect(readFile(console.save)).rejects.toThrow('ENOENT')
  })

  it('is not saved if it is not what was read', async () => {
    await verified('APP-1')
    const { digest } = await console.get('exports.readApplicantData', { applicantId: 'APP-1' })
    await asked('APP-1', face)
    console.save = console.fileAt('other.zip')
    expect(await console.ask('exports.applicantData', { applicantId: 'APP-1', digest })).toMatchObject({
      ok: false,
      failure: { code: 'applicant-data-not-saved', details: { reason: 'changed' } }
    })
    await expect(readFile(console.save)).rejects.toThrow('ENOENT')
    // What people did about the person is none of it.
    const again = await console.get('exports.readApplicantData', { applicantId: 'APP-1' })
    await suspected('APP-1')
    expect(await console.get('exports.readApplicantData', { applicantId: 'APP-1' })).toEqual(again)
  })

  it('names a copy whose file is lost, and has one file for the same document', async () => {
    await asked('APP-1')
    await asked('APP-1')
    const whole = await saved('APP-1')
    expect(whole.read).toMatchObject({ copies: 2, unreadable: 0, bytes: card.length })
    expect([...whole.parts.keys()].filter((name) => name.startsWith('documents/'))).toHaveLength(1)
    const folder = join(console.dataFolder, 'documents')
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true })
    const lost = await saved('APP-1')
    expect(lost.read).toMatchObject({ copies: 2, unreadable: 2, bytes: 0 })
    expect([...lost.parts.keys()].filter((name) => name.startsWith('documents/'))).toEqual([])
    expect(keysOf(lost.json)).toEqual(keysOf(whole.json))
  })
})
