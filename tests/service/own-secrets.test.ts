/** Credentials of the connections, entered by mistake: nothing takes them, in the window, on the command line and in batches. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { credentialIds } from '#contract/connections/credentials.ts'
import type { ChannelName, RequestOf } from '#contract/ipc/ipc.ts'
import { canaries } from './support/client-services.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

const secret = canaries['api-secret']
const key = canaries['api-key']
let console: TestConsole
let received: string[]
let connectionId: string
beforeEach(async () => {
  console = await startTestConsole()
  received = []
  const service = createServer(async (request, response) => {
    received.push(await text(request))
    response.setHeader('content-type', 'application/json').end('{"message":"fine"}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void service.close())
  const { connection } = await console.get('connections.save', {
    name: 'Service',
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    mode: 'sandbox',
    colour: 'blue',
    mark: 'SV'
  })
  connectionId = connection.id
  for (const credential of credentialIds)
    await console.get('credentials.set', { connectionId, credential, value: canaries[credential] })
})
afterEach(() => console.dispose())

const verify = (applicantId: string) =>
  console.ask('verification.run', {
    runId: randomUUID(),
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: applicantId }
  })

async function refused<Name extends ChannelName>(name: Name, input: RequestOf<Name>, field: string): Promise<void> {
  expect(await console.ask(name, input), name).toMatchObject({
    ok: false,
    failure: {
      code: 'text-holds-credential',
      fields: { [field]: { code: expect.stringMatching(/-credential$/) as string } }
    }
  })
}

test('are refused wherever a text is kept, and nothing is sent, stored or found', async () => {
  for (const value of [key, `APP ${key.toUpperCase()}`, secret, encodeURIComponent(secret)])
    expect(await verify(value), value).toMatchObject({
      ok: false,
      failure: { code: 'text-holds-credential', fields: { applicant_id: { code: 'holds-credential' } } }
    })
  for (const value of [`curl https://kyc.example.com -H 'x-api-key: ${key}'`, 'Authorization: Bearer 5f1c9e77ab03d2e8'])
    expect((await verify(value)).ok, value).toBe(false)
  expect(received).toEqual([])
  const ending = await verify('APP-7')
  if (!ending.ok || ending.value.kind !== 'recorded') throw new Error(JSON.stringify(ending))
  const recordId = ending.value.record.id

  await refused('applicants.note', { applicantId: 'APP-7', text: `their key is ${key}` }, 'text')
  await refused('applicants.note', { applicantId: 'APP-7', text: 'x-api-key: another-key-4711' }, 'text')
  await refused('applicants.tag', { applicantId: 'APP-7', tags: ['fine', key] }, 'tags')
  await refused('applicants.link', { recordId, applicantId: key }, 'applicantId')
  await refused('holds.place', { applicantId: 'APP-7', reason: `see ${key}` }, 'reason')
  await refused('history.resolve', { id: recordId, as: 'processed', note: key }, 'note')
  await refused(
    'connections.save',
    { name: key, baseUrl: 'https://other.example.com', mode: 'sandbox', colour: 'blue', mark: 'OT' },
    'name'
  )
  await refused(
    'decisions.make',
    { applicantId: 'APP-7', decision: 'approve', reasons: [], note: secret, evidence: 0 },
    'note'
  )
  // What names nobody’s credential passes.
  expect(
    await console.ask('applicants.note', { applicantId: 'APP-7', text: 'CANARY-key is how their keys begin' })
  ).toMatchObject({ ok: true })

  const { round } = await console.get('drafts.read')
  await console.get('drafts.keep', { round, text: JSON.stringify({ values: { applicant_id: key } }) })
  expect((await console.get('drafts.read')).text).toBe(JSON.stringify({ values: { applicant_id: '<API_KEY>' } }))
  expect((await console.get('history.page', { filter: { search: key }, limit: 10 })).records).toEqual([])
  expect((await console.get('applicants.list', { search: 'CANARY', limit: 10 })).applicants).toEqual([])
  expect(received).toHaveLength(1)
})

test('are found with only one of the three set, and by another connection too', async () => {
  for (const credential of ['api-key', 'authorization'] as const)
    await console.get('credentials.clear', { connectionId, credential })
  await console.get('practice.start')
  await refused('applicants.note', { applicantId: 'APP-7', text: secret }, 'text')
})

test('in a file of a batch keep it from being created, by name, heading and cell', async () => {
  const rows = 'applicant_id,remark\nAPP-1,\nAPP-2,fine\n'
  const create = async (name: string, fileName: string, text_: string) => {
    const check = await console.get('batches.checkText', {
      name: fileName,
      text: text_,
      reading: { operations: ['get-applicant-details'] }
    })
    return console.ask('batches.create', { checkId: check.checkId, connectionId, name, skipRecent: false })
  }
  const batches = await console.veridesk.batches()
  const fromCommandLine = async (name: string) => {
    const check = await batches.checkText('rows.csv', rows, { operations: ['get-applicant-details'] })
    return check.ok
      ? batches.create({
          checkId: check.value.checkId,
          connectionId,
          name,
          atOnce: 1,
          pace: 0,
          skipDuplicates: true,
          skipRecent: false
        })
      : check
  }
  expect(await fromCommandLine(key)).toMatchObject({
    failure: { code: 'text-holds-credential', details: { reason: 'name' } }
  })
  expect(await create('Batch', `${key}.csv`, rows)).toMatchObject({
    failure: { code: 'text-holds-credential', details: { reason: 'file-name' } }
  })
  expect(await create('Batch', 'rows.csv', rows.replace('remark', key))).toMatchObject({
    failure: { code: 'text-holds-credential', details: { reason: 'heading' } }
  })
  expect(await create('Batch', 'rows.csv', rows.replace('fine', `key: ${key}`))).toMatchObject({
    failure: { code: 'text-holds-credential', details: { reason: 'row', row: '3', column: 'remark' } }
  })
  expect(await create('Batch', 'rows.csv', rows.replace('APP-2', key))).toMatchObject({
    failure: { code: 'text-holds-credential', details: { reason: 'row', row: '3', column: 'applicant_id' } }
  })
  expect(await console.get('batches.list', { limit: 10 })).toEqual([])

  // What only looks like one makes its row invalid, and is not stored with it.
  const made = await create('Batch', 'rows.csv', rows.replace('APP-2', 'x-api-key: another-key-4711'))
  if (!made.ok) throw new Error(JSON.stringify(made))
  expect(made.value).toMatchObject({ rows: 2, counts: { invalid: 1, waiting: 1 } })
  const page = await console.get('batches.rows', { id: made.value.id, offset: 0, limit: 10 })
  expect(page.rows[1]).toMatchObject({
    state: 'invalid',
    cells: ['REMOVED', 'fine'],
    fault: [{ column: 'applicant_id', fault: { code: 'looks-like-request' } }]
  })
  expect(JSON.stringify(page)).not.toContain('4711')
})

test('are looked for while a verification can be cancelled already', async () => {
  const runId = randomUUID()
  const ending = console.ask('verification.run', {
    runId,
    connectionId,
    operation: 'get-applicant-details',
    input: { applicant_id: 'APP-8' }
  })
  expect(await console.get('verification.cancel', { runId })).toBe(true)
  expect(await ending).toMatchObject({
    ok: true,
    value: { record: { state: 'not-sent', failure: { code: 'cancelled-before-sending' } } }
  })
  expect(received).toEqual([])
})
