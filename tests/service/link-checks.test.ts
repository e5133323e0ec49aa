/** Checks of links before a verification, and what a record keeps of them, through a whole console. */
import { createHash, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LinkCheck } from '#contract/links/checks.ts'
import type { RecordDetail } from '#contract/history/records.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, face, heic } from './support/document-files.ts'
import { encrypted } from './support/document-pdfs.ts'
import {
  redirectTo,
  serveDocuments,
  setTrap,
  stated,
  type DocumentServer,
  type Trap
} from './support/document-server.ts'

let console: TestConsole
let server: DocumentServer
let trap: Trap
let connectionId: string
beforeAll(async () => void ([server, trap] = await Promise.all([serveDocuments(), setTrap()])))
afterAll(() => Promise.all([server.close(), trap.close()]))
beforeEach(async () => {
  console = await startTestConsole()
  connectionId = (await console.get('practice.start')).id
})
afterEach(() => console.dispose())

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const documents = (applicant: string, photo: string, id: string) => ({
  applicant_id: applicant,
  photo_document_url: photo,
  id_document_url: id
})
const check = (
  applicant: string,
  photo: string,
  id: string,
  connection = connectionId
): Promise<readonly LinkCheck[]> =>
  console.get('documents.check', {
    connectionId: connection,
    operation: 'validate-applicant-documents',
    input: documents(applicant, photo, id)
  })
const checkPhoto = async (url: string): Promise<LinkCheck> =>
  (
    await console.get('documents.check', { connectionId, operation: 'validate-kyc-photo', input: { photo_url: url } })
  )[0]!
const run = async (applicant: string, photo: string, id: string): Promise<RecordDetail> => {
  const input = documents(applicant, photo, id)
  const ending = await console.get('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'validate-applicant-documents',
    input,
    repeatAnyway: true
  })
  if (ending.kind !== 'recorded') throw new Error(ending.kind)
  return ending.record
}
const codes = ({ failure, findings }: LinkCheck): string[] => [
  ...(failure ? [failure.code] : []),
  ...findings.map(({ code }) => code)
]
const sigV4 = (from: number, seconds: number): string =>
  `X-Amz-Date=${new Date(from).toISOString().replace(/[-:]|\.\d+/g, '')}&X-Amz-Expires=${seconds}&X-Amz-Signature=0123456789abcdef`

describe('a check of a form', () => {
  it('says what is behind each link, leaves one event, and sends nothing to the service', async () => {
    const [photo, id] = await check(
      'APP-1',
      server.at(stated('image/jpeg', face)),
      server.at(stated('image/jpeg', card))
    )
    expect(photo).toMatchObject({
      field: 'photo_document_url',
      document: { type: 'jpeg', bytes: face.length, sha256: sha256(face), width: 640, height: 720 },
      findings: []
    })
    expect(id).toMatchObject({ field: 'id_document_url', document: { sha256: sha256(card) }, findings: [] })
    expect((await console.get('history.page', { filter: {}, limit: 5 })).records).toEqual([])
    const events = (await console.get('audit.page', { limit: 50 })).events.filter(
      ({ kind }) => kind === 'links.checked'
    )
    expect(events.map(({ words, operator }) => [words, operator])).toEqual([
      ['2 links of a form for Validate applicant photo and ID checked, 0 with findings.', 'tester']
    ])
  })

  it('says why there is no document, and asks no private address', async () => {
    const endless = server.at((response) => {
      const more = (): void =>
        void (
          response.destroyed ||
          (response.write(Buffer.alloc(1024 * 1024)) ? setImmediate(more) : response.once('drain', more))
        )
      more()
    })
    const loop: string = server.at((response, request) => redirectTo(request.url ?? '')(response, request))
    expect(codes(await checkPhoto(server.at((response) => response.writeHead(403).end())))).toEqual([
      'document-not-fetched'
    ])
    expect(codes(await checkPhoto(endless))).toEqual(['document-too-large'])
    expect((await checkPhoto(loop)).failure).toMatchObject({
      code: 'document-not-fetched',
      details: { reason: 'redirects' }
    })
    expect(codes(await checkPhoto(server.at(Buffer.from('<html>Sign in</html>'))))).toEqual(['document-type-refused'])
    expect(codes(await checkPhoto('http://169.254.169.254/latest/meta-data'))).toEqual(['document-address-refused'])
    const { connection } = await console.get('connections.save', {
      name: 'Other',
      baseUrl: 'https://kyc.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'O'
    })
    expect(
      (await check('APP-1', `http://127.0.0.1:${trap.port}/`, `http://localhost:${trap.port}/`, connection.id)).map(
        codes
      )
    ).toEqual([['document-address-private'], ['document-address-private']])
    expect(trap.connections()).toBe(0)
  })

  it('warns about times of links, small images and one file in two fields, and gives the document all the same', async () => {
    const url = server.at(heic(500, 300))
    const found = await checkPhoto(`${url}?${sigV4(Date.now() - 3_600_000, 60)}`)
    expect(found.document).toMatchObject({ type: 'heic', width: 512, height: 512 })
    expect(codes(found)).toEqual(['expired', 'small'])
    expect(codes(await checkPhoto(`${server.at(face)}?${sigV4(Date.now() - 1000, 60)}`))).toEqual(['expires-soon'])
    expect(codes(await checkPhoto(`${server.at(face)}?${sigV4(Date.now() + 3_600_000, 60)}`))).toEqual([
      'not-valid-yet'
    ])
    expect(codes(await checkPhoto(`${server.at(face)}?X-Amz-Signature=ab`))).toEqual(['times-damaged'])
    // What is missing in a document, or not shown of it, is said before anything is sent.
    expect(codes(await checkPhoto(server.at(card.subarray(0, card.length - 500))))).toEqual(['cut-off'])
    expect(codes(await checkPhoto(server.at(encrypted)))).toEqual(['encrypted'])
    const same = server.at(face)
    expect((await check('APP-1', same, `${same}?other`)).map(({ findings }) => findings)).toEqual([
      [{ code: 'same-file', details: { name: 'ID document URL' } }],
      [{ code: 'same-file', details: { name: 'Photo URL' } }]
    ])
  })

  it('finds the same file at another applicant of the same connection', async () => {
    const [photo, id] = [server.at(face), server.at(card)]
    await check('APP-1', photo, id)
    const { id: recordId, startedAt } = await run('APP-1', photo, id)
    // The applicant's own file is no finding; its copy elsewhere is one.
    expect((await check('APP-1', photo, id)).map((each) => [codes(each), each.sameFile?.recordId])).toEqual([
      [[], recordId],
      [[], recordId]
    ])
    const [copied, own] = await check('APP-2', server.at(face), server.at(heic(900, 600)))
    expect(codes(copied!)).toEqual(['other-applicant'])
    expect(copied!.sameFile).toEqual({ recordId, startedAt, applicantId: 'APP-1' })
    expect([codes(own!), own!.sameFile]).toEqual([[], undefined])
    const { connection } = await console.get('connections.save', {
      name: 'Other',
      baseUrl: 'https://kyc.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'O',
      documents: { privateAddresses: true, openAutomatically: false }
    })
    expect((await check('APP-2', photo, id, connection.id)).map(codes)).toEqual([[], []])
    // Without an applicant there is nobody to compare with: it is said, and no finding.
    const alone = await checkPhoto(photo)
    expect([codes(alone), alone.sameFile?.recordId]).toEqual([[], recordId])
  })

  it('needs a connection', async () => {
    expect(
      await console.ask('documents.check', {
        connectionId: randomUUID(),
        operation: 'validate-kyc-photo',
        input: { photo_url: server.at(face) }
      })
    ).toMatchObject({ ok: false, failure: { code: 'connection-missing' } })
  })
})

describe('a record that follows a check', () => {
  it('keeps what the check saw behind exactly its links', async () => {
    const [photo, id] = [server.at(face), server.at(card)]
    const [checked] = await check('APP-1', photo, id)
    const record = await run('APP-1', photo, `${id}?changed`)
    const { width: _, height: __, ...seen } = checked!.document!
    expect(record.documents).toEqual({ photo_document_url: seen })
    expect((await console.get('history.record', { id: record.id })).documents).toEqual({ photo_document_url: seen })
  })

  it('keeps nothing of one that is an hour old, or if there was none', async () => {
    const [photo, id] = [server.at(face), server.at(card)]
    expect((await run('APP-1', photo, id)).documents).toBeUndefined()
    await check('APP-1', photo, id)
    console.ahead = 3_600_001
    expect((await run('APP-1', photo, id)).documents).toBeUndefined()
  })

  it('loses it with an erasure, and nothing finds the file any more', async () => {
    const [photo, id] = [server.at(face), server.at(card)]
    await check('APP-1', photo, id)
    const record = await run('APP-1', photo, id)
    await console.get('erasure.run', { applicantId: 'APP-1', confirmation: 'APP-1', reason: 'asked for' })
    const erased = await console.get('history.record', { id: record.id })
    expect([erased.erased, erased.documents]).toEqual([true, undefined])
    expect((await check('APP-2', photo, id)).map((each) => [codes(each), each.sameFile])).toEqual([
      [[], undefined],
      [[], undefined]
    ])
    // What the first check saw went from memory too: the second check is the record's.
    const again = await run('APP-2', photo, id)
    expect(Object.keys(again.documents ?? {})).toEqual(['photo_document_url', 'id_document_url'])
  })
})
