/** Batches that send the operations of a recipe for each row: each call a record of its own, at most once each. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { messageMeanings } from '#contract/applicants/applicants.ts'
import { messageOfNumber, type BatchOrder, type BatchRowsQuery, type BatchSummary } from '#contract/batches/batches.ts'
import type { RowState } from '#contract/batches/rows.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { RowResult } from '#wire/history/batches.ts'
import { groundConnection, openGround, type Ground, type GroundOptions } from '../../scripts/batch-ground.ts'

const masterKey = '0123456789abcdef'.repeat(4)
const [details, photo, passport] = ['get-applicant-details', 'validate-kyc-photo', 'validate-passport'] as const
const recipe: readonly OperationId[] = [details, photo, passport]
/** The end of a call by person and operation, where it is not answered with 200. */
let ends: Record<string, number | 'lost' | 'invalid' | 'held'>
/** What is said by operation, or by person and operation. */
let said: Record<string, string>
let received: string[]
let held: ServerResponse[]
let folder: string
let baseUrl: string
let ground: Ground
const personOf = (body: string): string => /P-\d+/.exec(body)?.[0] ?? ''
const answer = (response: ServerResponse, status = 200, body = '{"message":"m"}'): void =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(body)
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => (body += String(part)))
  request.on('end', () => {
    const call = `${personOf(body)} ${request.url?.split('/').at(-1)}`
    received.push(call)
    const end = ends[call] ?? 200
    if (end === 'lost') return void request.socket.destroy()
    if (end === 'held') return void held.push(response)
    const message = said[call] ?? said[call.split(' ')[1] ?? ''] ?? 'm'
    answer(response, end === 'invalid' ? 200 : end, end === 'invalid' ? 'no JSON' : JSON.stringify({ message }))
  })
})

const open = (more: Partial<GroundOptions> = {}): Promise<Ground> =>
  openGround({ folder: join(folder, 'history'), masterKey, baseUrl, ...more })
beforeEach(async () => {
  ends = {}
  said = {}
  received = []
  held = []
  folder = mkdtempSync(join(tmpdir(), 'veridesk-recipes-'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  ground = await open()
})
afterEach(async () => {
  await ground.close()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

function must<T>(result: Result<T, Failure>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${sentencesOf(result.failure).what}`)
  return result.value
}
const rowOf = (person: string): string =>
  `${person},https://files.example.com/${person}/photo.jpg,https://files.example.com/${person}/passport.jpg`
const people = (count: number): string[] => Array.from({ length: count }, (_, at) => `P-${at + 1}`)
async function made(rows: readonly string[], order: Partial<BatchOrder> = {}, operations = recipe): Promise<string> {
  const text = ['applicant,photo,passport', ...rows].join('\n')
  const check = must(await ground.batches.checkText('rows.csv', text, { operations }))
  const batch = await ground.batches.create({
    checkId: check.checkId,
    connectionId: groundConnection.id,
    name: 'Recipe',
    atOnce: 2,
    pace: 0,
    skipDuplicates: true,
    skipRecent: true,
    ...order
  })
  return must(batch).id
}
const shown = async (id: string): Promise<BatchSummary> => must(await ground.batches.show(id))
async function run(id: string): Promise<BatchSummary> {
  must(await ground.batches.start(id))
  await ground.batches.ended(id)
  return shown(id)
}
const resultsOf = async (id: string): Promise<readonly RowResult[]> =>
  must(await ground.store.batches.results(id, { after: 0, limit: 100, records: true })).rows
/** By row: its state, and those of its operations. */
const statesOf = async (id: string): Promise<(readonly [RowState, ...RowState[]])[]> =>
  (await resultsOf(id)).map(({ state, calls = [] }) => [state, ...calls.map((call) => call.state)])
const total = ({ counts }: BatchSummary): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
const all = (rows: readonly string[]): string[] => rows.flatMap((person) => recipe.map((id) => `${person} ${id}`))
const byPlace = (one?: OperationId, other?: OperationId): number =>
  recipe.findIndex((id) => id === one) - recipe.findIndex((id) => id === other)
const sorted = (calls: readonly string[]): string[] => calls.toSorted()

test('sends each operation of each row once, in order, as a record of its own of the applicant', async () => {
  const id = await made(people(4).map(rowOf))
  const batch = await run(id)
  expect(batch).toMatchObject({ state: 'finished', operations: recipe, rows: 4, counts: { answered: 4 } })
  expect(sorted(received)).toEqual(sorted(all(people(4))))
  for (const person of people(4))
    expect(received.filter((call) => call.startsWith(`${person} `))).toEqual(all([person]))
  const [first] = await resultsOf(id)
  expect(first?.calls?.map(({ record }) => record?.operation)).toEqual(recipe)
  const records = await Promise.all((first?.calls ?? []).map(({ record }) => ground.store.record(record?.id ?? '')))
  expect(records.map((record) => must(record).applicant?.id)).toEqual(['P-1', 'P-1', 'P-1'])
  expect(new Set(first?.calls?.map(({ record }) => record?.id)).size).toBe(3)
  // All of it was answered: nothing is left to send.
  received = []
  const again = await made(people(4).map(rowOf), { another: true })
  expect((await shown(again)).counts['recently-answered']).toBe(4)
})

test('a row stops at its first unknown outcome or refusal, the others go on, and the counts add up', async () => {
  ends = {
    [`P-3 ${photo}`]: 'lost',
    [`P-4 ${details}`]: 401,
    [`P-5 ${details}`]: 404,
    [`P-6 ${details}`]: 'invalid',
    [`P-7 ${passport}`]: 403
  }
  const id = await made([...people(7).map(rowOf), 'P-8,,'])
  const batch = await run(id)
  expect(batch).toMatchObject({
    rows: 8,
    unresolved: 1,
    counts: { 'answered': 4, 'unknown': 1, 'not-sent': 1, 'invalid-response': 1, 'invalid': 1 }
  })
  expect(total(batch)).toBe(8)
  expect(await statesOf(id)).toEqual([
    ['answered', 'answered', 'answered', 'answered'],
    ['answered', 'answered', 'answered', 'answered'],
    ['unknown', 'answered', 'unknown', 'not-sent'],
    ['not-sent', 'answered', 'not-sent', 'not-sent'],
    ['answered', 'answered', 'answered', 'answered'],
    ['invalid-response', 'invalid-response', 'answered', 'answered'],
    ['answered', 'answered', 'answered', 'answered'],
    ['invalid', 'invalid', 'invalid', 'invalid']
  ])
  expect(new Set(received).size).toBe(received.length)
  expect(received).not.toContain(`P-3 ${passport}`)

  // Messages are counted by operation, and each leads to the rows that it counts.
  const { messages } = must(await ground.batches.messages(id))
  expect(messages.map(({ operation }) => operation)).toEqual(
    messages.map(({ operation }) => operation).toSorted(byPlace)
  )
  expect(messages.reduce((sum, { count }) => sum + count, 0)).toBe(16)
  for (const { id: message, count } of messages)
    expect(must(await ground.batches.rows({ id, messages: [message], offset: 0, limit: 50 })).total).toBe(count)
  const { rows } = must(await ground.batches.rows({ id, states: ['unknown'], offset: 0, limit: 50 }))
  expect(rows[0]?.calls).toMatchObject([
    { operation: details, state: 'answered', status: 200, message: 'm', meaning: 'unreviewed' },
    { operation: photo, state: 'unknown' },
    { operation: passport, state: 'not-sent' }
  ])

  // What a person sends again is the operation that was unknown, and then what was not sent.
  ends = {}
  received = []
  must(await ground.batches.resolve(id, undefined, 'again'))
  expect((await run(id)).counts).toMatchObject({ unknown: 0, answered: 5 })
  expect(received).toEqual([`P-3 ${photo}`, `P-3 ${passport}`])

  // Rows that are sent again leave out what was answered well.
  received = []
  const rerun = must(await ground.batches.again(id, 'not-sent'))
  expect(await run(rerun.id)).toMatchObject({ rows: 1, counts: { answered: 1 } })
  expect(received).toEqual(all(['P-4']))
  received = []
  await run(must(await ground.batches.again(id, 'status-4xx')).id)
  expect(sorted(received)).toEqual(sorted([`P-5 ${details}`, `P-7 ${passport}`]))
  expect(must(await ground.store.verifyChain())).toMatchObject({ intact: true })
})

test('uses what was answered recently for the operation alone, and says of the rest why it was not sent', async () => {
  await run(await made(people(2).map(rowOf), {}, [photo]))
  received = []
  ends = { [`P-2 ${details}`]: 429 }
  const id = await made(people(2).map(rowOf))
  expect((await run(id)).counts).toMatchObject({ 'answered': 1, 'not-sent': 1 })
  expect(sorted(received)).toEqual(sorted([`P-1 ${details}`, `P-1 ${passport}`, `P-2 ${details}`]))
  expect(await statesOf(id)).toEqual([
    ['answered', 'answered', 'recently-answered', 'answered'],
    ['not-sent', 'answered', 'not-sent', 'not-sent']
  ])
  const [first] = await resultsOf(id)
  expect(first?.calls?.[1]?.record).toMatchObject({ operation: photo, state: 'answered' })
  const path = join(folder, 'results.csv')
  must(await ground.batches.saveTo(id, 'results', path))
  const rows = parse(readFileSync(path, 'utf8'), { columns: true, bom: true }) as Record<string, string>[]
  expect(Object.keys(rows[0] ?? {})).toEqual([
    'applicant',
    'photo',
    'passport',
    'line',
    'outcome',
    ...recipe.flatMap((operation) =>
      ['outcome', 'status', 'message', 'record_id', 'started', 'took_ms'].map(
        (name) => `${operation.replaceAll('-', '_')}_${name}`
      )
    ),
    'remark',
    expect.any(String)
  ])
  expect(rows[0]).toMatchObject({ outcome: 'Answered', validate_kyc_photo_outcome: 'Recently answered' })
  expect(rows[1]).toMatchObject({
    outcome: 'Not sent',
    get_applicant_details_status: '429',
    remark: 'Stopped after HTTP 429 for Applicant details. Not sent: KYC photo, Passport.'
  })
})

test('a row that was paused between its operations goes on with the next one', async () => {
  ends = { [`P-1 ${details}`]: 'held' }
  const id = await made(people(2).map(rowOf), { atOnce: 1 })
  must(await ground.batches.start(id))
  await expect.poll(() => held.length).toBe(1)
  must(await ground.batches.halt(id, 'paused'))
  for (const response of held) answer(response)
  await ground.batches.ended(id)
  expect(await shown(id)).toMatchObject({ state: 'paused', counts: { waiting: 2 } })
  await ground.close()
  ground = await open()
  ends = {}
  expect((await run(id)).counts).toMatchObject({ answered: 2 })
  expect(sorted(received)).toEqual(sorted(all(people(2))))
  expect(received.filter((call) => call.startsWith('P-1 '))).toEqual(all(['P-1']))
})

test('cancelled between its operations, a row that was begun is not called not started', async () => {
  ends = { [`P-1 ${details}`]: 'held' }
  const id = await made(people(2).map(rowOf), { atOnce: 1 })
  must(await ground.batches.start(id))
  await expect.poll(() => held.length).toBe(1)
  must(await ground.batches.halt(id, 'cancelled'))
  for (const response of held) answer(response)
  await ground.batches.ended(id)
  const batch = await shown(id)
  expect(batch).toMatchObject({ state: 'cancelled', counts: { 'not-sent': 1, 'cancelled': 1 } })
  expect(await statesOf(id)).toEqual([
    ['not-sent', 'answered', 'not-sent', 'not-sent'],
    ['cancelled', 'cancelled', 'cancelled', 'cancelled']
  ])
})

test('killed between the operations of a row, it sends the others once', { timeout: 30_000 }, async () => {
  const id = await made([rowOf('P-1')], { pace: 60 })
  await ground.close()
  const victim = fileURLToPath(new URL('./support/recipe-victim.ts', import.meta.url))
  const child = spawn(process.execPath, [victim, join(folder, 'history'), masterKey, baseUrl, id], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  ground = await open()
  expect(await shown(id)).toMatchObject({ state: 'paused', counts: { waiting: 1 } })
  expect((await run(id)).counts).toMatchObject({ answered: 1 })
  expect(received).toEqual(all(['P-1']))
})

test('rows are filtered by their gravest interpretation, sorted by an operation, and name each record', async () => {
  said = { [photo]: 'Face found.', [passport]: 'Expired.', [`P-2 ${photo}`]: 'No face.' }
  ends = { [`P-3 ${photo}`]: 'lost', [`P-4 ${details}`]: 401 }
  await run(await made([rowOf('P-5')], {}, [photo]))
  const id = await made([...people(5).map(rowOf), 'P-6,,'])
  await run(id)
  const { messages } = must(await ground.batches.messages(id))
  const readings = { 'm': 'good', 'Face found.': 'good', 'Expired.': 'good', 'No face.': 'bad' } as const
  const told = messages.flatMap(({ id: number, message }) => {
    const means = readings[message as keyof typeof readings]
    return means && number > 0 ? [{ id: messageOfNumber(number), means, note: '' }] : []
  })
  must(await ground.store.catalogue.read(told, { at: 1, operator: 'tester' }))
  const found = async (query: Partial<BatchRowsQuery>): Promise<number[]> =>
    must(await ground.batches.rows({ id, offset: 0, limit: 50, ...query })).rows.map(({ row }) => row)
  // Favourable answers to two operations do not hide the third one.
  expect(await found({ meanings: ['bad'] })).toEqual([3])
  expect(await found({ meanings: ['good'] })).toEqual([2, 4, 6])
  const { rows: byMeaning } = must(await ground.batches.messages(id))
  for (const means of messageMeanings) expect(await found({ meanings: [means] }), means).toHaveLength(byMeaning[means])
  // By message, then the states of what has none; an invalid row is last in either direction.
  expect(await found({ order: { by: photo } })).toEqual([2, 3, 5, 4, 6, 7])
  expect(await found({ order: { by: photo, reversed: true } })).toEqual([6, 4, 5, 3, 2, 7])
  const { rows } = must(await ground.batches.rows({ id, offset: 0, limit: 50 }))
  expect(rows.map(({ meaning }) => meaning)).toEqual(['good', 'bad', 'good', 'unreviewed', 'good', undefined])
  expect(rows.map(({ calls = [] }) => calls.filter(({ recordId }) => recordId !== undefined).length)).toEqual([
    3, 3, 2, 1, 3, 0
  ])
})
