/** The drift alarm: documents behind links of records that change or disappear after the verification. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
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
  connectionId = (await console.get('practice.start')).id
})
afterEach(() => console.dispose())

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const field = 'document_url'
const input = (url: string) => ({ applicant_id: 'APP-1', [field]: url })
const check = (url: string) =>
  console.get('documents.check', { connectionId, operation: 'validate-applicant-id-document', input: input(url) })
const run = async (url: string): Promise<string> => {
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-applicant-id-document',
    input: input(url),
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record.id
}
const compare = (recordId: string) => console.get('documents.compare', { recordId, field })
const words = async (kind: string): Promise<string[]> =>
  (await console.get('audit.page', { limit: 50 })).events.flatMap((event) => (event.kind === kind ? [event.words] : []))

/** A link whose file the test changes. */
function changing(first: Buffer) {
  let file: Buffer | undefined = first
  const url = server.at((response) => (file ? response.end(file) : response.writeHead(404).end()))
  return { url, set: (next: Buffer | undefined) => void (file = next) }
}

describe('the document of a record', () => {
  it('is the same, has changed or is gone, compared with what the check saw', async () => {
    const link = changing(card)
    await check(link.url)
    const recordId = await run(link.url)
    const same = await compare(recordId)
    expect(same).toMatchObject({
      result: 'same',
      before: { sha256: sha256(card), bytes: card.length, type: 'jpeg' },
      now: { sha256: sha256(card) }
    })
    expect(same.before.noted).toBeUndefined()
    expect(same.at).toBeGreaterThanOrEqual(same.before.at)

    link.set(face)
    expect(await compare(recordId)).toMatchObject({
      result: 'changed',
      before: { sha256: sha256(card) },
      now: { sha256: sha256(face), bytes: face.length }
    })
    // The viewer has both digests at once.
    const opened = await console.get('documents.open', { recordId, field })
    expect([opened.before?.sha256, opened.facts.sha256]).toEqual([sha256(card), sha256(face)])

    link.set(Buffer.from('<html>Moved</html>'))
    const page = await compare(recordId)
    expect(page).toMatchObject({ result: 'changed', failure: { code: 'document-type-refused' } })
    expect(page.now).toBeUndefined()

    link.set(undefined)
    expect(await compare(recordId)).toMatchObject({
      result: 'gone',
      failure: { code: 'document-not-fetched', details: { status: 404 } }
    })
    expect(await words('document.compared')).toEqual(
      ['gone', 'changed', 'changed', 'same'].map(
        (result) => `Document of ${field} compared with that of the record: ${result}.`
      )
    )
    // A comparison changes nothing of what the record keeps.
    expect((await console.get('history.record', { id: recordId })).documents?.[field]?.sha256).toBe(sha256(card))
  })

  it('that was not checked has nothing to compare with until it is noted', async () => {
    const link = changing(card)
    const recordId = await run(link.url)
    const asked = server.asked.length
    expect(await console.ask('documents.compare', { recordId, field })).toMatchObject({
      ok: false,
      failure: { code: 'document-not-noted' }
    })
    expect(server.asked).toHaveLength(asked)
    expect((await console.get('documents.open', { recordId, field })).before).toBeUndefined()

    const noted = await console.get('documents.note', { recordId, field })
    expect(noted.documents).toMatchObject({ [field]: { sha256: sha256(card), noted: true } })
    expect((await compare(recordId)).result).toBe('same')
    link.set(face)
    expect(await compare(recordId)).toMatchObject({ result: 'changed', before: { noted: true } })
    // Noted again, the newest note counts.
    await console.get('documents.note', { recordId, field })
    expect((await compare(recordId)).result).toBe('same')
    link.set(undefined)
    expect(await console.ask('documents.note', { recordId, field })).toMatchObject({
      ok: false,
      failure: { code: 'document-not-fetched' }
    })
    expect(await words('document.noted')).toHaveLength(2)
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })

  it('whose check is in the record cannot be replaced by a note', async () => {
    const link = changing(card)
    await check(link.url)
    const recordId = await run(link.url)
    link.set(face)
    await console.get('documents.note', { recordId, field })
    expect(await compare(recordId)).toMatchObject({ result: 'changed', before: { sha256: sha256(card) } })
  })

  it('is not requested if its link lost its signature', async () => {
    const url = `${server.at(card)}?X-Amz-Date=20990101T000000Z&X-Amz-Expires=600&X-Amz-Signature=0123456789abcdef`
    await check(url)
    const recordId = await run(url)
    expect((await console.get('history.record', { id: recordId })).documents?.[field]?.sha256).toBe(sha256(card))
    const asked = server.asked.length
    expect(await console.ask('documents.compare', { recordId, field })).toMatchObject({
      ok: false,
      failure: { code: 'document-link-removed' }
    })
    expect(await words('document.compared')).toEqual([])
    expect(server.asked).toHaveLength(asked)
  })

  it('goes with an erasure, checked or noted, and the audit trail stays intact', async () => {
    const link = changing(card)
    const notedId = await run(link.url)
    await console.get('documents.note', { recordId: notedId, field })
    await check(link.url)
    const checkedId = await run(link.url)
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked for' })
    for (const recordId of [notedId, checkedId]) {
      expect((await console.get('history.record', { id: recordId })).documents).toBeUndefined()
      expect(await console.ask('documents.compare', { recordId, field })).toMatchObject({
        ok: false,
        failure: { code: 'document-not-noted' }
      })
    }
    const note = (await console.get('audit.page', { limit: 50 })).events.find(({ kind }) => kind === 'document.noted')
    expect(note).toMatchObject({ erased: true })
    expect(JSON.stringify(note)).not.toContain(sha256(card).slice(0, 16))
    expect(await console.get('audit.verify')).toMatchObject({ intact: true })
  })
})
