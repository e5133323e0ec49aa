/** Documents behind links, through a whole console: forms, records, rules of connections, and the audit trail. */
import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestConsole, type TestConsole } from './support/console.ts'
import { card, exif, face, scriptedPdf, withExif } from './support/document-files.ts'
import { serveDocuments, setTrap, stated, type DocumentServer, type Trap } from './support/document-server.ts'

let console: TestConsole
let server: DocumentServer
let trap: Trap
beforeAll(async () => void ([server, trap] = await Promise.all([serveDocuments(), setTrap()])))
afterAll(() => Promise.all([server.close(), trap.close()]))
beforeEach(async () => void (console = await startTestConsole()))
afterEach(() => console.dispose())

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const practice = async (): Promise<string> => (await console.get('practice.start')).id
const other = async (privateAddresses: boolean): Promise<string> => {
  const saved = await console.get('connections.save', {
    name: 'Other',
    baseUrl: 'https://kyc.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'O',
    documents: { privateAddresses, openAutomatically: false }
  })
  return saved.connection.id
}
const viewed = async () =>
  (await console.get('audit.page', { limit: 50 })).events.filter(({ kind }) => kind === 'document.viewed')
const recordOf = async (url: string, connectionId: string): Promise<string> => {
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

describe('the document of a form', () => {
  it('is not followed any further once its connection no longer allows the address', async () => {
    const connectionId = await other(true)
    const target = server.at(stated('image/jpeg', card), 'target.jpg')
    const url = server.at((response) => {
      const rules = { privateAddresses: false, openAutomatically: false }
      void console
        .get('connections.save', {
          id: connectionId,
          name: 'Other',
          baseUrl: 'https://kyc.example.com',
          mode: 'sandbox',
          colour: 'blue',
          mark: 'O',
          documents: rules
        })
        .then(() => response.writeHead(302, { location: target }).end())
    }, 'first.jpg')
    const before = server.asked.length
    expect(await console.ask('documents.open', { connectionId, field: 'photo_url', url })).toMatchObject({
      ok: false,
      failure: { code: 'document-address-private' }
    })
    expect(server.asked.length - before).toBe(1)
  })

  it('is fetched without anything that identifies anyone, and shown with its facts', async () => {
    const url = server.at(stated('image/jpeg', card), 'photo.jpg')
    const { facts, base64 } = await console.get('documents.open', {
      connectionId: await practice(),
      field: 'photo_url',
      url: `${url}?sig=abcdefgh`
    })
    expect(Buffer.from(base64, 'base64').equals(card)).toBe(true)
    expect(facts).toMatchObject({
      type: 'jpeg',
      bytes: card.length,
      sha256: sha256(card),
      width: 800,
      height: 500,
      host: `127.0.0.1:${server.port}`,
      redirects: 0,
      findings: []
    })
    const { method, url: path, headers } = server.asked.at(-1)!
    expect([method, path]).toEqual(['GET', `${new URL(url).pathname}?sig=abcdefgh`])
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
    expect(JSON.stringify(headers)).not.toMatch(/cookie|authorization|referer|x-api/i)
  })

  it('leaves an event with the field and the applicant, and never the link or a digest', async () => {
    const connectionId = await practice()
    await console.get('verification.run', {
      runId: randomUUID(),
      connectionId,
      operation: 'get-applicant-details',
      input: { applicant_id: 'APP-77' }
    })
    const url = server.at(face, 'CANARY-link')
    await console.get('documents.open', { connectionId, field: 'photo_document_url', url, applicantId: 'APP-77' })
    const [event, ...more] = await viewed()
    expect(more).toEqual([])
    expect(event).toMatchObject({ operator: 'tester', applicantId: 'APP-77', group: 'views' })
    expect(event!.words).toBe(`Document of photo_document_url opened (JPEG, ${face.length} bytes).`)
    expect(JSON.stringify(event)).not.toContain('CANARY-link')
  })

  it('is a PDF for core even if it has a script: nothing here runs it', async () => {
    const { facts } = await console.get('documents.open', {
      connectionId: await practice(),
      field: 'id_url',
      url: server.at(scriptedPdf, 'a.pdf')
    })
    expect(facts).toMatchObject({
      type: 'pdf',
      exif: { state: 'not-read' },
      findings: [{ code: 'actions', details: { names: 'JavaScript' } }]
    })
    expect(facts).not.toHaveProperty('width')
  })

  it('leaves nothing on the disk, and no event if it was not shown', async () => {
    const connectionId = await practice()
    const before = (await readdir(console.dataFolder, { recursive: true })).sort()
    await console.get('documents.open', { connectionId, field: 'photo_url', url: server.at(face) })
    expect(
      await console.ask('documents.open', { connectionId, field: 'photo_url', url: server.at(Buffer.from('<html>')) })
    ).toMatchObject({ ok: false, failure: { code: 'document-type-refused' } })
    expect((await readdir(console.dataFolder, { recursive: true })).sort()).toEqual(before)
    for (const name of before) {
      const content = await readFile(join(console.dataFolder, name)).catch(() => Buffer.alloc(0))
      expect(content.includes(face.subarray(500, 600)), name).toBe(false)
    }
    expect(await viewed()).toHaveLength(1)
  })

  it('needs a field of the table, a connection and a link', async () => {
    const connectionId = await practice()
    expect(
      await console.ask('documents.open', { connectionId, field: 'applicant_id', url: server.at(face) })
    ).toMatchObject({ ok: false, failure: { code: 'request-refused' } })
    expect(
      await console.ask('documents.open', { connectionId: randomUUID(), field: 'id_url', url: server.at(face) })
    ).toMatchObject({ ok: false, failure: { code: 'connection-missing' } })
    for (const url of [
      '',
      'file:///etc/passwd',
      'data:image/png;base64,AA',
      'javascript:alert(1)',
      `http://user:secret@127.0.0.1:${trap.port}/`
    ])
      expect(await console.ask('documents.open', { connectionId, field: 'id_url', url })).toMatchObject({
        ok: false,
        failure: { code: 'document-link-invalid' }
      })
    expect(trap.connections()).toBe(0)
  })
})

describe('the rules of a connection', () => {
  it('refuse this computer and private networks until a person allows them, which leaves an event', async () => {
    const id = await other(false)
    const url = `http://127.0.0.1:${trap.port}/photo.jpg`
    expect(await console.ask('documents.open', { connectionId: id, field: 'id_url', url })).toMatchObject({
      ok: false,
      failure: { code: 'document-address-private', details: { reason: 'loopback' } }
    })
    expect(trap.connections()).toBe(0)
    await console.get('connections.save', {
      id,
      name: 'Other',
      baseUrl: 'https://kyc.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'O',
      documents: { privateAddresses: true, openAutomatically: true }
    })
    expect(
      (await console.get('documents.open', { connectionId: id, field: 'id_url', url: server.at(card) })).facts.type
    ).toBe('jpeg')
    // The trap works: it would have noticed.
    expect(await console.ask('documents.open', { connectionId: id, field: 'id_url', url })).toMatchObject({
      ok: false,
      failure: { code: 'document-not-fetched' }
    })
    expect(trap.connections()).toBe(1)
    const changes = (await console.get('audit.page', { limit: 50 })).events
      .filter(({ kind }) => kind === 'connection.changed')
      .map(({ words }) => words)
    expect(changes[0]).toBe('Connection “Other” was changed (privateAddresses, openAutomatically).')
  })

  it('stay as they are if a connection is saved without them, and are read again after a restart', async () => {
    const id = await other(true)
    await console.get('connections.save', {
      id,
      name: 'Other',
      baseUrl: 'https://kyc.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'O',
      documents: { privateAddresses: true, openAutomatically: true }
    })
    await console.get('connections.save', {
      id,
      name: 'Renamed',
      baseUrl: 'https://kyc.example.com',
      mode: 'sandbox',
      colour: 'blue',
      mark: 'O'
    })
    await console.close()
    console = await startTestConsole(console)
    expect((await console.get('connections.list')).find((each) => each.id === id)).toMatchObject({
      name: 'Renamed',
      documents: { privateAddresses: true, openAutomatically: true }
    })
  })

  it('that a connection was stored without have their defaults', async () => {
    const ids = [await other(true), await practice()]
    await console.close()
    const path = join(console.dataFolder, 'connections.json')
    const stored = JSON.parse(await readFile(path, 'utf8')) as {
      data: { connections: { documents?: { openAutomatically?: boolean } }[] }
    }
    delete stored.data.connections[0]!.documents!.openAutomatically
    delete stored.data.connections[1]!.documents
    await writeFile(path, JSON.stringify(stored))
    console = await startTestConsole(console)
    const read = await console.get('connections.list')
    expect(ids.map((id) => read.find((each) => each.id === id)?.documents)).toEqual([
      { privateAddresses: true, openAutomatically: false },
      { privateAddresses: false, openAutomatically: false }
    ])
  })

  it('of the practice connection allow this computer and nothing else', async () => {
    const connectionId = await practice()
    for (const [host, code] of [
      ['10.0.0.1', 'document-address-private'],
      ['169.254.169.254', 'document-address-refused'],
      ['[fe80::1]', 'document-address-refused']
    ])
      expect(
        await console.ask('documents.open', { connectionId, field: 'id_url', url: `http://${host}/latest/meta-data/` })
      ).toMatchObject({ ok: false, failure: { code } })
  })
})

describe('an opening that was stopped', () => {
  it('ends the request and leaves no event, and one that has ended cannot be stopped', async () => {
    const connectionId = await practice()
    let onClose = (): void => undefined
    const closed = new Promise<void>((resolve) => (onClose = resolve))
    const asked = Promise.withResolvers<void>()
    const url = server.at((response) => {
      response.on('close', onClose)
      response.writeHead(200, { 'content-length': face.length }).write(face.subarray(0, 100))
      asked.resolve()
    })
    const opening = randomUUID()
    const answer = console.ask('documents.open', { connectionId, field: 'id_url', url, opening })
    await asked.promise
    expect(await console.get('documents.stop', { opening })).toBe(true)
    expect(await answer).toMatchObject({ ok: false, failure: { code: 'document-not-fetched' } })
    await closed
    expect(await viewed()).toEqual([])
    expect(await console.get('documents.stop', { opening })).toBe(false)
    // The same opening, not stopped, is an event.
    await console.get('documents.open', { connectionId, field: 'id_url', url: server.at(face), opening })
    expect(await viewed()).toHaveLength(1)
    expect(await console.get('documents.stop', { opening })).toBe(false)
  })
})

describe('the document of a record', () => {
  it('is that of its stored link, and what was changed later stands out', async () => {
    const connectionId = await practice()
    const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', ':')
    const recordId = await recordOf(
      server.at(withExif(card, exif({ changed: `${later} 10:00:00`, software: 'GIMP 2.10' })), 'card.png'),
      connectionId
    )
    const { facts } = await console.get('documents.open', { recordId, field: 'id_url' })
    expect(facts.findings.map(({ code }) => code)).toEqual(['edited', 'newer-than-record', 'name-differs'])
    expect(await viewed()).toMatchObject([{ recordId }])
  })

  it('whose signature was removed is not requested', async () => {
    const asked = server.asked.length
    const connectionId = await practice()
    const recordId = await recordOf(
      `${server.at(card)}?X-Amz-Signature=0123456789abcdef&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60`,
      connectionId
    )
    expect(await console.ask('documents.open', { recordId, field: 'id_url' })).toMatchObject({
      ok: false,
      failure: { code: 'document-link-removed' }
    })
    expect(await console.ask('documents.open', { recordId, field: 'photo_url' })).toMatchObject({
      ok: false,
      failure: { code: 'document-link-missing' }
    })
    expect(await console.ask('documents.open', { recordId: randomUUID(), field: 'id_url' })).toMatchObject({
      ok: false,
      failure: { code: 'record-missing' }
    })
    expect(server.asked).toHaveLength(asked)
  })

  it('of a connection that was removed is fetched from public addresses alone', async () => {
    const connectionId = await practice()
    const recordId = await recordOf(`http://127.0.0.1:${trap.port}/photo`, connectionId)
    const before = trap.connections()
    await console.get('connections.remove', { id: connectionId })
    expect(await console.ask('documents.open', { recordId, field: 'id_url' })).toMatchObject({
      ok: false,
      failure: { code: 'document-address-private' }
    })
    expect(trap.connections()).toBe(before)
  })
})
