/**
 * Batches with a real history, real sockets and the practice service.
 * @deadlines
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { bodyDigest } from '#practice/ledger.ts'
import { startPracticeService, type PracticeService } from '#practice/service.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import {
  groundConnection,
  makeApplicantBatch,
  openGround,
  type Ground,
  type GroundOptions
} from '../../scripts/batch-ground.ts'

const masterKey = '0123456789abcdef'.repeat(4)
let folder: string
let practice: PracticeService
let ground: Ground
const others: Server[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'veridesk-batches-'))
  practice = await startPracticeService()
  ground = await open()
})
afterEach(async () => {
  await ground.close()
  await practice.close()
  for (const server of others.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

const open = (more: Partial<GroundOptions> = {}): Promise<Ground> =>
  openGround({ folder: join(folder, 'history'), masterKey, baseUrl: practice.baseUrl, ...more })
async function reopen(more: Partial<GroundOptions> = {}): Promise<void> {
  await ground.close()
  ground = await open(more)
}
const ids = (count: number, prefix = 'APP'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

async function shown(id: string): Promise<BatchSummary> {
  const batch = await ground.batches.show(id)
  if (!batch.ok) throw new Error(sentencesOf(batch.failure).what)
  return batch.value
}
async function run(id: string): Promise<BatchSummary> {
  const started = await ground.batches.start(id)
  if (!started.ok) throw new Error(`${started.failure.code}: ${sentencesOf(started.failure).what}`)
  await ground.batches.ended(id)
  return shown(id)
}
/** A service for this test, for what the practice service does not do. */
async function serve(
  reply: (
    count: number,
    body: string
  ) => { status: number; headers?: Record<string, string>; body?: string; undated?: true }
): Promise<{ baseUrl: string; times: number[] }> {
  const times: number[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      times.push(performance.now())
      const answer = reply(times.length, body)
      response.sendDate = !answer.undated
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(answer.body ?? '{"message":"m"}')
    })
  })
  others.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, times }
}
async function rowsOf(id: string) {
  const page = await ground.batches.rows({ id, offset: 0, limit: 500 })
  if (!page.ok) throw new Error(sentencesOf(page.failure).what)
  return page.value.rows
}

test('a batch whose rows are sent in whole seconds tells lists of records about them while it runs', async () => {
  const rows = 6
  await run(await makeApplicantBatch(ground, ids(rows), { pace: 60 }))
  expect(ground.events.filter(({ kind }) => kind === 'history-changed').length).toBeGreaterThan(rows / 2)
})

describe('a batch', () => {
  it('shows no more rows in progress than its concurrency, although a few more are recorded ahead', async () => {
    const held: (() => void)[] = []
    let [open, full] = [false, (): void => undefined]
    const isFull = new Promise<void>((resolve) => (full = resolve))
    const server = createServer((request, response) => {
      request.resume()
      request.on('end', () => {
        const answer = (): void =>
          void response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"m"}')
        if (open) return answer()
        if (held.push(answer) === 4) full()
      })
    })
    others.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await reopen({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
    const id = await makeApplicantBatch(ground, ids(20), { atOnce: 4 })
    await ground.batches.start(id)
    const stored = async (): Promise<number> => {
      const batch = await ground.store.batches.show(id)
      return batch.ok ? batch.value.counts.open : 0
    }
    await isFull
    // The test’s own time limit ends the wait.
    for (let recorded = 0; recorded < 6;) recorded = await stored()
    expect(held).toHaveLength(4)
    expect(await shown(id)).toMatchObject({ counts: { open: 4, waiting: 16 } })
    expect((await rowsOf(id)).filter(({ state }) => state === 'open')).toHaveLength(4)
    open = true
    for (const answer of held) answer()
    await ground.batches.ended(id)
    expect(await shown(id)).toMatchObject({ state: 'finished', counts: { answered: 20, open: 0, waiting: 0 } })
  })

  it('sends each valid row once, and each is a record of the history', async () => {
    const id = await makeApplicantBatch(ground, ['007', 'PRACTICE-404', '', 'has space ', '007', ...ids(60)], {
      atOnce: 8
    })
    expect(await shown(id)).toMatchObject({
      state: 'made',
      rows: 64,
      counts: { waiting: 62, invalid: 1, duplicate: 1 }
    })
    const end = await run(id)
    expect(end).toMatchObject({
      state: 'finished',
      counts: { answered: 62, waiting: 0, open: 0, invalid: 1, duplicate: 1 },
      unresolved: 0
    })
    expect(practice.ledger().filter(({ digest }) => digest === bodyDigest('{"applicant_id":"007"}'))).toHaveLength(1)
    expect(practice.ledger()).toHaveLength(62)
    const rows = await rowsOf(id)
    expect(rows[1]).toMatchObject({ row: 3, state: 'answered', status: 404, tries: 1 })
    expect(rows.find(({ state }) => state === 'invalid')).toMatchObject({
      fault: [{ column: 'applicant_id', fault: { code: 'spaces-around' } }]
    })
    const record = await ground.store.record(rows[0]!.recordId!)
    expect(record).toMatchObject({
      ok: true,
      value: { batchId: id, state: 'answered', input: { applicant_id: '007' } }
    })
    expect(await ground.store.verifyChain()).toMatchObject({ value: { intact: true } })
    expect(ground.events.some((event) => event.kind === 'batch-changed' && event.batch.state === 'finished')).toBe(true)
  })

  it('skips rows that were recently answered, by an earlier batch too', async () => {
    await run(await makeApplicantBatch(ground, ids(5)))
    expect((await shown(await makeApplicantBatch(ground, ids(7)))).counts).toMatchObject({
      'recently-answered': 5,
      'waiting': 2
    })
  })

  it('pauses, resumes in another session, and sends nothing twice', async () => {
    const id = await makeApplicantBatch(ground, ids(120), { atOnce: 4, pace: 6000 })
    await ground.batches.start(id)
    await expect.poll(() => practice.ledger().length, { timeout: 5000 }).toBeGreaterThan(10)
    expect(await ground.batches.halt(id, 'paused')).toMatchObject({ value: { ending: 'pausing' } })
    await ground.batches.ended(id)
    const paused = await shown(id)
    expect(paused).toMatchObject({ state: 'paused', counts: { open: 0, unknown: 0 } })
    expect(paused.counts.answered + paused.counts.waiting).toBe(120)
    expect(paused.counts.waiting).toBeGreaterThan(0)
    await reopen()
    expect(await run(id)).toMatchObject({ state: 'finished', counts: { answered: 120 } })
    expect(new Set(practice.ledger().map(({ digest }) => digest)).size).toBe(practice.ledger().length)
    expect(practice.ledger()).toHaveLength(120)
  })

  it('starts no row while a user works at the window, and continues automatically', async () => {
    // Time stops after a key press, so the speed of this machine does not matter.
    let stopped: number | undefined
    await reopen({ clock: { ...systemClock, monotonic: () => stopped ?? systemClock.monotonic() } })
    const id = await makeApplicantBatch(ground, ids(1500), { atOnce: 4 })
    await ground.batches.start(id)
    await expect.poll(() => practice.ledger().length, { timeout: 5000 }).toBeGreaterThan(10)
    stopped = systemClock.monotonic()
    await ground.batches.yieldToUser()
    // Rows in progress finish first.
    await expect.poll(async () => (await shown(id)).counts.open, { timeout: 5000 }).toBe(0)
    const before = practice.ledger().length
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(practice.ledger()).toHaveLength(before)
    expect(before).toBeLessThan(1500)
    expect((await shown(id)).state).toBe('running')
    stopped = undefined
    await ground.batches.ended(id)
    expect(await shown(id)).toMatchObject({ state: 'finished', counts: { answered: 1500 } })
    expect(practice.ledger()).toHaveLength(1500)
  })

  it('is cancelled permanently, with its waiting rows', async () => {
    const id = await makeApplicantBatch(ground, ids(50), { pace: 600 })
    await ground.batches.start(id)
    await expect.poll(() => practice.ledger().length, { timeout: 5000 }).toBeGreaterThan(2)
    await ground.batches.halt(id, 'cancelled')
    await ground.batches.ended(id)
    const end = await shown(id)
    expect(end.state).toBe('cancelled')
    expect(end.counts.cancelled + end.counts.answered).toBe(50)
    expect(await ground.batches.start(id)).toMatchObject({ failure: { code: 'batch-not-startable' } })
  })

  it('keeps its rate limit', async () => {
    const { baseUrl, times } = await serve(() => ({ status: 200 }))
    await reopen({ baseUrl })
    const id = await makeApplicantBatch(ground, ids(8), { atOnce: 8, pace: 600 })
    const begun = performance.now()
    await run(id)
    // On a busy machine requests arrive later, never earlier: the first may be sent at once, each further one after
    // 100 ms.
    for (const [index, time] of [...times].sort((a, b) => a - b).entries())
      expect(time - begun).toBeGreaterThan(index * 100 - 5)
  })
})

describe('trouble', () => {
  it('stops the batch after ten rows in succession, with the reason, and it goes on later', async () => {
    let broken = true
    const { baseUrl, times } = await serve(() => (broken ? { status: 401 } : { status: 200 }))
    await reopen({ baseUrl })
    const id = await makeApplicantBatch(ground, ids(100), { atOnce: 2 })
    const stopped = await run(id)
    expect(stopped).toMatchObject({
      state: 'stopped',
      reason: { code: 'batch-stopped', details: { reason: 'status', status: 401 } }
    })
    expect(times.length).toBeLessThanOrEqual(12)
    broken = false
    const end = await run(id)
    expect(end).toMatchObject({ state: 'finished', counts: { answered: 100 } })
    expect(end.reason).toBeUndefined()
    expect(times).toHaveLength(100)
    // The rule for failed rows: those answered with 401 run again in a new batch.
    const again = await ground.batches.again(id)
    expect(again).toMatchObject({
      ok: true,
      value: { rerunOf: id, state: 'made', counts: { waiting: stopped.counts.answered } }
    })
    expect(await run((again as { value: BatchSummary }).value.id)).toMatchObject({ state: 'finished' })
    expect(times).toHaveLength(100 + stopped.counts.answered)
  })

  it('of a service that is not there sends nothing, and every row still waits or says so', async () => {
    const { baseUrl } = await serve(() => ({ status: 200 }))
    others.splice(0).forEach((server) => server.close())
    await reopen({ baseUrl, random: () => 0 })
    const id = await makeApplicantBatch(ground, ids(30), { atOnce: 4 })
    const stopped = await run(id)
    expect(stopped).toMatchObject({
      state: 'stopped',
      reason: { code: 'batch-stopped' },
      counts: { unknown: 0, answered: 0, open: 0 }
    })
    expect(stopped.counts.waiting + stopped.counts['not-sent']).toBe(30)
    await reopen({ baseUrl: practice.baseUrl })
    expect((await run(id)).counts).toMatchObject({ answered: stopped.counts.waiting })
  })

  it('with 429 holds all requests for as long as was asked; sends again only where the setting allows', async () => {
    for (const retryBusy of [false, true]) {
      const { baseUrl, times } = await serve((count) =>
        count === 3 ? { status: 429, headers: { 'retry-after': '1' } } : { status: 200 }
      )
      await reopen({ baseUrl, settings: { retryBusy, spendGuardMinutes: 0 } })
      const id = await makeApplicantBatch(ground, ids(12, `R${retryBusy}`), { atOnce: 1 })
      const end = await run(id)
      expect(end).toMatchObject({ state: 'finished', counts: { answered: 12 } })
      expect(times).toHaveLength(retryBusy ? 13 : 12)
      // The gate admits one at a time, so the next request is the first after the pause.
      expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(990)
      const statuses = (await rowsOf(id)).map(({ status, tries }) => `${status} ${tries}`)
      expect(statuses.filter((each) => each === (retryBusy ? '200 2' : '429 1'))).toHaveLength(1)
    }
  })

  it('with a wait until a date waits as long although the wall clock is moved by a day', async () => {
    let ahead = 0
    const { baseUrl, times } = await serve((count) => {
      if (count !== 3) return { status: 200 }
      ahead = 86_400_000
      return { status: 429, undated: true, headers: { 'retry-after': new Date(Date.now() + 2000).toUTCString() } }
    })
    await reopen({
      baseUrl,
      settings: { retryBusy: true, spendGuardMinutes: 0 },
      clock: { ...systemClock, now: () => systemClock.now() + ahead }
    })
    const end = await run(await makeApplicantBatch(ground, ids(12), { atOnce: 1 }))
    expect(end).toMatchObject({ state: 'finished', counts: { answered: 12 } })
    // The date has whole seconds, so at least one of the two is left.
    expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(900)
  })

  it('with a wait longer than a batch waits stops it at once', async () => {
    const { baseUrl, times } = await serve(() => ({ status: 429, headers: { 'retry-after': '1e12' } }))
    await reopen({ baseUrl, settings: { retryBusy: true } })
    const stopped = await run(await makeApplicantBatch(ground, ids(20), { atOnce: 1 }))
    expect(stopped).toMatchObject({ state: 'stopped', reason: { code: 'batch-asked-to-wait' } })
    expect(times).toHaveLength(1)
  })

  it('when the process ends, sent rows are unknown, the batch is paused, and a person has to resolve it', async () => {
    const { baseUrl, times } = await serve((_count, body) => ({ status: body.includes('slow') ? 0 : 200 }))
    others[0]!.removeAllListeners('request')
    others[0]!.on('request', (request, response) => {
      request.resume()
      request.on('end', () => {
        times.push(performance.now())
        if (times.length > 4) return
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end('{"message":"m"}')
      })
    })
    await reopen({ baseUrl })
    const id = await makeApplicantBatch(ground, ids(20), { atOnce: 3 })
    await ground.batches.start(id)
    await expect.poll(() => times.length, { timeout: 5000 }).toBe(7)
    await reopen({ baseUrl: practice.baseUrl })
    expect(await shown(id)).toMatchObject({
      state: 'paused',
      unresolved: 3,
      counts: { answered: 4, unknown: 3, waiting: 13, open: 0 }
    })
    const unknown = (await rowsOf(id)).filter(({ state }) => state === 'unknown')
    expect(await ground.batches.resolve(id, [unknown[0]!.row], 'sent')).toMatchObject({
      value: { unresolved: 2, counts: { unknown: 3 } }
    })
    expect(await ground.batches.resolve(id, undefined, 'again')).toMatchObject({
      value: { unresolved: 0, counts: { unknown: 1, waiting: 15 } }
    })
    expect(await ground.batches.resolve(id, undefined, 'again')).toMatchObject({
      failure: { code: 'batch-nothing-to-resolve' }
    })
    expect(await run(id)).toMatchObject({ state: 'finished', counts: { answered: 19, unknown: 1 } })
    expect(practice.ledger()).toHaveLength(15)
    expect(await ground.store.record(unknown[0]!.recordId!)).toMatchObject({ value: { resolved: { as: 'processed' } } })
    expect(await ground.store.record(unknown[1]!.recordId!)).toMatchObject({
      value: { resolved: { as: 'undetermined' } }
    })
  })

  it('a row that is resolved in the history is resolved in its batch', async () => {
    const id = await makeApplicantBatch(ground, ['PRACTICE-cut', 'A-1'])
    expect(await run(id)).toMatchObject({ state: 'finished', unresolved: 1 })
    const [row] = await rowsOf(id)
    await ground.store.resolve(row!.recordId!, 'processed', 'asked', { at: Date.now(), operator: 'tester' })
    expect(await shown(id)).toMatchObject({ unresolved: 0, counts: { unknown: 1 } })
  })

  it('a finished batch whose unknown row is to be sent again waits to be started', async () => {
    const id = await makeApplicantBatch(ground, ['PRACTICE-cut', 'A-1'])
    await run(id)
    expect(await ground.batches.resolve(id, undefined, 'again')).toMatchObject({
      value: { state: 'paused', counts: { waiting: 1 } }
    })
    expect(await run(id)).toMatchObject({ state: 'finished', unresolved: 1 })
    expect((await rowsOf(id))[0]).toMatchObject({ state: 'unknown', tries: 2 })
  })
})

describe('before anything is sent', () => {
  test('no batch is created from a file that was changed after its validation', async () => {
    const path = join(folder, 'rows.csv')
    writeFileSync(path, 'applicant_id\nA-1\nA-2\n')
    const check = await ground.batches.checkFile(path, { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    writeFileSync(path, 'applicant_id\nA-1\nA-3\n')
    const order = {
      checkId: check.value.checkId,
      connectionId: groundConnection.id,
      name: 'Changed',
      atOnce: 2,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    }
    expect(await ground.batches.create(order)).toMatchObject({ failure: { code: 'batch-file-changed' } })
    expect(await ground.batches.list({ limit: 10 })).toMatchObject({ value: [] })
    const again = await ground.batches.recheck(check.value.checkId, { operations: ['get-applicant-details'] })
    expect(again).toMatchObject({ ok: true, value: { checkId: check.value.checkId } })
    expect(await ground.batches.create(order)).toMatchObject({ ok: true, value: { rows: 2 } })
    expect(await ground.batches.create({ ...order, checkId: groundConnection.id })).toMatchObject({
      failure: { code: 'batch-check-gone' }
    })
  })

  test('nor from rows that are all invalid', async () => {
    const check = await ground.batches.checkText('x.csv', 'name\nA\n', { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    const order = {
      checkId: check.value.checkId,
      connectionId: groundConnection.id,
      name: 'x',
      atOnce: 2,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    }
    expect(await ground.batches.create(order)).toMatchObject({ failure: { code: 'batch-nothing-to-run' } })
  })

  test('a live connection needs its name typed each time; one that has become live since is refused', async () => {
    const sandbox = await makeApplicantBatch(ground, ids(2))
    await reopen({ connection: { mode: 'live' } })
    expect(await ground.batches.start(sandbox, { confirmation: groundConnection.name })).toMatchObject({
      failure: { code: 'batch-connection-changed' }
    })
    const live = await makeApplicantBatch(ground, ids(3))
    for (const typed of [undefined, '', 'ground'])
      expect(await ground.batches.start(live, typed === undefined ? {} : { confirmation: typed })).toMatchObject({
        failure: { code: 'batch-confirmation-missing' }
      })
    expect(practice.ledger()).toHaveLength(0)
    expect(await ground.batches.start(live, { confirmation: groundConnection.name })).toMatchObject({ ok: true })
    await ground.batches.ended(live)
    expect(practice.ledger()).toHaveLength(3)
  })
})

describe('results', () => {
  it('have the input’s own columns and order, formula-safe, with a lossless file', async () => {
    const text = 'note,ID,outcome\n=1+1,007,mine\nplain,PRACTICE-404,"a,b"\n-x,,\n'
    const check = await ground.batches.checkText('rows.csv', text, { operations: ['get-applicant-details'] })
    if (!check.ok) throw new Error(sentencesOf(check.failure).what)
    const made = await ground.batches.create({
      checkId: check.value.checkId,
      connectionId: groundConnection.id,
      name: 'Results',
      atOnce: 2,
      pace: 0,
      skipDuplicates: true,
      skipRecent: true
    })
    if (!made.ok) throw new Error(sentencesOf(made.failure).what)
    const { id } = made.value
    await run(id)
    const file = async (which: 'results' | 'unsuccessful' | 'unknown' | 'invalid' | 'lossless') => {
      const path = join(folder, `out ${which}`)
      const saved = await ground.batches.saveTo(id, which, path)
      if (!saved.ok) throw new Error(sentencesOf(saved.failure).what)
      return { rows: saved.value.rows, text: readFileSync(path, 'utf8') }
    }
    const records = (csv: string) => parse(csv, { bom: true }) as string[][]
    const results = await file('results')
    const [headings, first, second, third] = records(results.text)
    expect(headings).toEqual([
      'note',
      'ID',
      'outcome',
      'line',
      'veridesk_outcome',
      'status',
      'message',
      'record_id',
      'started',
      'took_ms',
      'remark',
      'veridesk_escaped'
    ])
    expect(first?.slice(0, 6)).toEqual(["'=1+1", '007', 'mine', '2', 'Answered', '200'])
    expect(second?.slice(0, 6)).toEqual(['plain', 'PRACTICE-404', 'a,b', '3', 'Answered', '404'])
    expect(third?.slice(0, 5)).toEqual(["'-x", '', '', '4', 'Invalid'])
    expect(results.rows).toBe(3)
    expect(records((await file('unsuccessful')).text).map((row) => row[1])).toEqual(['ID', 'PRACTICE-404'])
    expect((await file('unknown')).rows).toBe(0)
    expect(records((await file('invalid')).text)).toHaveLength(2)
    const [about, ...lines] = (await file('lossless')).text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(about).toMatchObject({ batch: { id }, layout: { columns: ['note', 'ID', 'outcome'] } })
    expect(lines[0]).toMatchObject({
      row: 2,
      cells: ['=1+1', '007', 'mine'],
      state: 'answered',
      record: { reply: { status: 200, body: expect.stringContaining('message') } }
    })
    expect(await ground.batches.saveTo(id, 'results', join(folder, 'no such folder', 'x.csv'))).toMatchObject({
      failure: { code: 'batch-results-unwritable' }
    })
  })
})

test('recently answered requests are known at once in the next session, indexed or not', async () => {
  await run(await makeApplicantBatch(ground, ids(3)))
  await reopen()
  expect((await shown(await makeApplicantBatch(ground, ids(4)))).counts).toMatchObject({
    'recently-answered': 3,
    'waiting': 1
  })
})
