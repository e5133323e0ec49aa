/** What a batch is sent with can be taken away while it runs: it pauses within a row, says why, and nothing leaves afterwards. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionDraft } from '#contract/connections/connection.ts'
import { credentials } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
let service: Server
let address: string
let connectionId: string
/** The service's ledger: the API key of each request. */
let received: string[]
/** Answers that the service holds back until the test has taken something away. */
let held: (() => void)[]
let isHolding: boolean

const answer = '{"message":"m"}'
const draft = (): ConnectionDraft => ({ name: 'Acme', baseUrl: address, mode: 'sandbox', colour: 'blue', mark: 'AC' })
const credential = 'api-key'

beforeEach(async () => {
  received = []
  held = []
  isHolding = true
  service = createServer((request, response) => {
    received.push(String(request.headers['x-api-key']))
    request.resume()
    request.on('end', () => {
      const reply = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      if (isHolding) held.push(reply)
      else reply()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  console = await startTestConsole()
  connectionId = (await console.get('connections.save', draft())).connection.id
  for (const { id } of credentials)
    await console.get('credentials.set', { connectionId, credential: id, value: console.practice.credentials[id] })
})
afterEach(async () => {
  await console.dispose()
  service.closeAllConnections()
  service.close()
})

/** A batch of sixty rows whose first two requests the service has and does not answer yet. */
async function runningBatch(): Promise<string> {
  const rows = Array.from({ length: 60 }, (_, row) => `ROW-${row}`)
  const { checkId } = await console.get('batches.checkText', {
    name: 'rows.csv',
    text: ['applicant_id', ...rows].join('\n'),
    reading: { operations: ['get-applicant-details'] }
  })
  const { id } = await console.get('batches.create', {
    checkId,
    connectionId,
    name: 'Rows',
    atOnce: 2,
    pace: 0,
    skipDuplicates: true,
    skipRecent: true
  })
  await console.get('batches.start', { id })
  await expect.poll(() => held.length).toBe(2)
  return id
}
function answerAll(): void {
  isHolding = false
  for (const reply of held.splice(0)) reply()
}
const ended = async (id: string) => {
  await (await console.veridesk.batches()).ended(id)
  return console.get('batches.show', { id })
}
const clear = () => console.get('credentials.clear', { connectionId, credential })
const undo = () => console.get('credentials.undoClear', { connectionId, credential })

/** What is taken away, and the reason that the batch gives. */
const withdrawals: readonly (readonly [name: string, reason: string, withdraw: () => Promise<unknown>])[] = [
  ['a credential was cleared', 'credentials', clear],
  [
    'a credential was cleared, and the clearing was undone',
    'credentials',
    async () => {
      await clear()
      await undo()
    }
  ],
  [
    'a credential was replaced',
    'credentials',
    () => console.get('credentials.set', { connectionId, credential, value: 'another-key-of-the-service' })
  ],
  ['its connection was removed', 'removed', () => console.get('connections.remove', { id: connectionId })],
  [
    'its address was changed',
    'address',
    () => console.get('connections.save', { ...draft(), id: connectionId, baseUrl: 'http://127.0.0.1:9' })
  ],
  [
    'its mode was changed',
    'mode',
    () => console.get('connections.save', { ...draft(), id: connectionId, mode: 'live' })
  ],
  [
    'its mode was changed and changed back',
    'credentials',
    async () => {
      await console.get('connections.save', { ...draft(), id: connectionId, mode: 'live' })
      await console.get('connections.save', { ...draft(), id: connectionId })
    }
  ]
]

describe('a running batch', () => {
  test.each(withdrawals)('pauses within a row when %s', async (_, reason, withdraw) => {
    const id = await runningBatch()
    await withdraw()
    answerAll()
    const batch = await ended(id)
    expect(received).toHaveLength(2)
    expect(batch).toMatchObject({
      state: 'paused',
      reason: { code: 'connection-withdrawn', details: { reason } },
      counts: { 'answered': 2, 'waiting': 58, 'open': 0, 'unknown': 0, 'not-sent': 0 }
    })
    expect(sentencesOf(batch.reason!).what).toContain('Acme')
  })

  test('stays paused when the clearing is undone afterwards, and goes on when a person resumes it', async () => {
    const id = await runningBatch()
    await clear()
    answerAll()
    await ended(id)
    await undo()
    // What Undo could start would be there after another request has been through the same queue.
    await console.get('connections.list')
    expect(await console.get('batches.show', { id })).toMatchObject({ state: 'paused' })
    expect(received).toHaveLength(2)
    await console.get('batches.start', { id })
    expect(await ended(id)).toMatchObject({ state: 'finished', counts: { answered: 60 } })
    expect(new Set(received)).toEqual(new Set([console.practice.credentials[credential]]))
    expect(received).toHaveLength(60)
  })
})
