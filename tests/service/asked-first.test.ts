/** Nobody pays twice unasked: an unknown outcome, an unfinished batch of the same file, and rows that were answered while they waited. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionDraft } from '#contract/connections/connection.ts'
import { credentials } from '#contract/connections/credentials.ts'
import type { UnknownAgain } from '#contract/history/records.ts'
import type { BatchOrder } from '#contract/batches/batches.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'

let console: TestConsole
let service: Server
let connectionId: string
/** The service's ledger: the applicant of each request. */
let received: string[]
/** Whether requests whose applicant begins with LOST lose their connection before an answer. */
let isLosing: boolean
/** Answers held back for applicants that begin with HELD. */
let held: (() => void)[]

const operation = 'get-applicant-details'
const draft = (mode: ConnectionDraft['mode'] = 'sandbox'): ConnectionDraft => ({
  name: `Acme ${mode}`,
  baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
  mode,
  colour: mode === 'live' ? 'red' : 'blue',
  mark: 'AC'
})
async function connect(mode?: ConnectionDraft['mode']): Promise<string> {
  const { id } = (await console.get('connections.save', draft(mode))).connection
  for (const { id: credential } of credentials)
    await console.get('credentials.set', {
      connectionId: id,
      credential,
      value: console.practice.credentials[credential]
    })
  return id
}

beforeEach(async () => {
  received = []
  held = []
  isLosing = true
  service = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      const { applicant_id: applicant } = JSON.parse(body) as { applicant_id: string }
      received.push(applicant)
      const reply = (): void =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"m"}')
      if (isLosing && applicant.startsWith('LOST')) request.socket.destroy()
      else if (isLosing && applicant.startsWith('FAIL'))
        response.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"later"}')
      else if (applicant.startsWith('HELD')) held.push(reply)
      else reply()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  console = await startTestConsole()
  connectionId = await connect()
})
afterEach(async () => {
  await console.dispose()
  service.closeAllConnections()
  service.close()
})

const verify = (
  applicant: string,
  more: { repeatAnyway?: true; unknownAgain?: UnknownAgain; confirmation?: string; connection?: string } = {}
) => {
  const { connection = connectionId, ...rest } = more
  return console.get('verification.run', {
    runId: randomUUID(),
    connectionId: connection,
    operation,
    input: { applicant_id: applicant },
    ...rest
  })
}
const sent = (applicant: string): number => received.filter((each) => each === applicant).length

async function check(applicants: readonly string[]): Promise<string> {
  return (
    await console.get('batches.checkText', {
      name: 'rows.csv',
      text: ['applicant_id', ...applicants].join('\n'),
      reading: { operations: [operation] }
    })
  ).checkId
}
const order = (checkId: string, more: Partial<BatchOrder> = {}) => ({
  checkId,
  connectionId,
  name: 'Rows',
  atOnce: 2,
  pace: 0,
  skipDuplicates: true,
  skipRecent: true,
  ...more
})
const create = async (applicants: readonly string[], more?: Partial<BatchOrder>) =>
  console.get('batches.create', order(await check(applicants), more))
async function run(id: string) {
  await console.get('batches.start', { id })
  await (await console.veridesk.batches()).ended(id)
  return console.get('batches.show', { id })
}
const rowsOf = async (id: string) => (await console.get('batches.rows', { id, offset: 0, limit: 100 })).rows

describe('a verification whose outcome is unknown', () => {
  test.each(['sandbox', 'live'] as const)(
    'is asked about before it is sent again on a %s connection, also after a restart and with the spend guard off',
    async (mode) => {
      const connection = mode === 'live' ? await connect('live') : connectionId
      const own = { connection, ...(mode === 'live' && { confirmation: 'Acme live' }) }
      const first = await verify('LOST-1', own)
      expect(first).toMatchObject({ kind: 'recorded', record: { state: 'unknown' } })
      const recordId = first.kind === 'recorded' ? first.record.id : ''
      const asked = { kind: 'may-have-been-sent', earlier: { kind: 'unresolved', record: { id: recordId } } }
      expect(await verify('LOST-1', own)).toMatchObject(asked)
      await console.get('settings.change', { spendGuardMinutes: 0 })
      expect(await verify('LOST-1', own)).toMatchObject(asked)
      await console.close()
      console = await startTestConsole(console)
      expect(await verify('LOST-1', own)).toMatchObject(asked)
      expect(sent('LOST-1')).toBe(1)
      // Repeating what was answered is another choice, and on a live connection the answer is a word that is typed.
      expect(await verify('LOST-1', { ...own, repeatAnyway: true })).toMatchObject(asked)
      if (mode === 'live') expect(await verify('LOST-1', { ...own, unknownAgain: 'anyway' })).toMatchObject(asked)
      expect(sent('LOST-1')).toBe(1)
      // A person may go on all the same.
      isLosing = false
      expect(await verify('LOST-1', { ...own, unknownAgain: mode === 'live' ? 'LIVE' : 'anyway' })).toMatchObject({
        kind: 'recorded',
        record: { state: 'answered' }
      })
      expect(sent('LOST-1')).toBe(2)
      // Another answer says nothing about the first request: only a resolution does.
      expect(await verify('LOST-1', own)).toMatchObject(asked)
      await console.get('history.resolve', { id: recordId, as: 'not-processed', note: '' })
      expect(await verify('LOST-1', own)).toMatchObject({ kind: 'recorded', record: { state: 'answered' } })
      expect(sent('LOST-1')).toBe(3)
    }
  )

  test('that is in progress is asked about, too', async () => {
    const first = verify('HELD-1')
    await expect.poll(() => held.length).toBe(1)
    expect(await verify('HELD-1')).toMatchObject({
      kind: 'may-have-been-sent',
      earlier: { kind: 'unresolved', record: { state: 'open' } }
    })
    held[0]!()
    expect(await first).toMatchObject({ kind: 'recorded', record: { state: 'answered' } })
    expect(sent('HELD-1')).toBe(1)
  })

  test('is not sent by a batch before a person has resolved it, at its creation or at its row’s turn', async () => {
    await verify('LOST-1')
    const { id, unresolved, counts } = await create(['A-1', 'LOST-1', 'LOST-2'])
    expect([unresolved, counts.waiting]).toEqual([1, 2])
    // Its outcome becomes unknown while the row waits.
    await verify('LOST-2')
    const end = await run(id)
    expect(end).toMatchObject({ state: 'finished', unresolved: 2, counts: { answered: 1, unknown: 2 } })
    expect([sent('A-1'), sent('LOST-1'), sent('LOST-2')]).toEqual([1, 1, 1])
    expect(
      (await rowsOf(id)).filter(({ state }) => state === 'unknown').map(({ row, recordId }) => [row, typeof recordId])
    ).toEqual([
      [3, 'string'],
      [4, 'string']
    ])

    await console.get('batches.resolve', { id, rows: [3], as: 'sent' })
    await console.get('batches.resolve', { id, rows: [4], as: 'again' })
    isLosing = false
    expect(await run(id)).toMatchObject({ state: 'finished', unresolved: 0, counts: { answered: 2, unknown: 1 } })
    expect([sent('LOST-1'), sent('LOST-2')]).toEqual([1, 2])
    // The answer of the batch resolved both requests, not only its own row.
    expect((await console.get('history.counts', { filter: {} })).unresolved).toBe(0)
  })
})

describe('a file that was run before', () => {
  const applicants = Array.from({ length: 60 }, (_, row) => `APP-${row}`)

  test('is named while its batch is unfinished; what another batch sends, the first one does not send again', async () => {
    const first = await create([...applicants.slice(0, 10), 'HELD-1', ...applicants.slice(10)], { atOnce: 1 })
    await console.get('batches.start', { id: first.id })
    await expect.poll(() => held.length).toBe(1)
    await console.get('batches.pause', { id: first.id })
    held[0]!()
    await (await console.veridesk.batches()).ended(first.id)
    expect(received).toHaveLength(11)

    const checkId = await check([...applicants.slice(0, 10), 'HELD-1', ...applicants.slice(10)])
    const refused = await console.ask('batches.create', order(checkId))
    expect(refused).toMatchObject({
      ok: false,
      failure: { code: 'batch-unfinished', details: { id: first.id, name: 'Rows', count: 50 } }
    })
    // Another operation's or connection's batch is not the same one.
    const other = await connect('live')
    expect(await console.ask('batches.create', order(checkId, { connectionId: other }))).toMatchObject({ ok: true })

    const second = await console.get('batches.create', order(checkId, { another: true }))
    expect(await run(second.id)).toMatchObject({
      state: 'finished',
      counts: { 'answered': 50, 'recently-answered': 11 }
    })
    expect(await run(first.id)).toMatchObject({
      state: 'finished',
      counts: { 'answered': 11, 'recently-answered': 50, 'waiting': 0 }
    })
    expect(received).toHaveLength(61)
    expect(new Set(received).size).toBe(61)
    // Nothing is left to resume: the file may be run again.
    expect(await console.ask('batches.create', order(checkId))).toMatchObject({ ok: true })
  })

  test('has its rows asked again when their turn comes, however long ago the batch was created, by its own choice', async () => {
    const asking = await create(['APP-1', 'APP-2'])
    const repeating = await create(['APP-1', 'APP-2', 'APP-3'], { skipRecent: false })
    console.ahead = 30 * 86_400_000
    await verify('APP-1')
    expect(await run(asking.id)).toMatchObject({ state: 'finished', counts: { 'answered': 1, 'recently-answered': 1 } })
    expect(sent('APP-1')).toBe(1)
    expect(await run(repeating.id)).toMatchObject({ state: 'finished', counts: { answered: 3 } })
    expect([sent('APP-1'), sent('APP-2')]).toEqual([2, 2])
  })

  test('has its failed rows run again by choice, although they were answered, and by one batch only', async () => {
    const first = await create(['FAIL-1', 'APP-1'])
    expect(await run(first.id)).toMatchObject({ state: 'finished', counts: { answered: 2 } })
    const [second, third] = [
      await console.get('batches.again', { id: first.id }),
      await console.get('batches.again', { id: first.id })
    ]
    isLosing = false
    expect(await run(second.id)).toMatchObject({ state: 'finished', counts: { answered: 1 } })
    expect(await run(third.id)).toMatchObject({ state: 'finished', counts: { 'answered': 0, 'recently-answered': 1 } })
    expect(sent('FAIL-1')).toBe(2)
  })

  test('is left out at the rate of a batch’s other rows without waiting for its limit', async () => {
    const { id } = await create(applicants, { pace: 6 })
    const quick = await create(applicants, { another: true, atOnce: 16 })
    await run(quick.id)
    // At six a minute, sixty requests would take ten minutes.
    expect(await run(id)).toMatchObject({ state: 'finished', counts: { 'recently-answered': 60 } })
    expect(received).toHaveLength(60)
  })
})
