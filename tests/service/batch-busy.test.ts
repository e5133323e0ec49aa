/**
 * Services that are busy: nothing is sent before they allow it, whatever the wall clock says.
 * @deadlines
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { askedWait } from '#contract/verification/retry-after.ts'
import { maxAskedWait, maxTries } from '#core/batches/retry.ts'
import { sendVerification } from '#core/client/send.ts'
import { makeApplicantBatch, openGround } from '../../scripts/batch-ground.ts'
import { counted, some, times } from './support/times.ts'

/** A sent request, on the monotonic clock. */
interface Sent {
  readonly row: string
  readonly begun: number
  readonly ended: number
  /** Milliseconds that the service asked to wait, as the true clock reads it. */
  readonly asked: number
}

interface BatchRun {
  readonly sent: readonly Sent[]
  readonly end: BatchSummary
}

/** Runs a batch, four rows at a time, against a service on loopback, and records every request. */
async function runBatch(
  answer: (response: ServerResponse) => void,
  rows: number,
  { retryBusy = true, ahead = () => 0 }: { readonly retryBusy?: boolean; readonly ahead?: () => number } = {}
): Promise<BatchRun> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-busy-'))
  const server = createServer((request, response) => void request.resume().on('end', () => answer(response)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sent: Sent[] = []
  const ground = await openGround({
    folder,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: { now: () => Date.now() + ahead(), monotonic: () => performance.now() },
    settings: { retryBusy, spendGuardMinutes: 0 },
    announce: () => undefined,
    send: async (order) => {
      const begun = performance.now()
      const ending = await sendVerification(order)
      const asked = askedWait(ending.reply, Date.now()) ?? 0
      sent.push({ row: JSON.stringify(order.body), begun, ended: performance.now(), asked })
      return ending
    }
  })
  onTestFinished(async () => {
    await ground.close()
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const applicants = Array.from({ length: rows }, (_, index) => `RETRY-${index}`)
  const id = await makeApplicantBatch(ground, applicants, { atOnce: 4 })
  expect(await ground.batches.start(id)).toMatchObject({ ok: true })
  await ground.batches.ended(id)
  const end = await ground.batches.show(id)
  if (!end.ok) throw new Error(sentencesOf(end.failure).what)
  return { sent, end: end.value }
}

/** Requests that began after another one had been asked to wait, and before that wait was over. */
function earlySends(sent: readonly Sent[]): number {
  const holds = sent.filter(({ asked }) => asked > 0).map(({ ended, asked }) => [ended, ended + asked] as const)
  // A timer may end a millisecond early, since it counts whole ones.
  return sent.filter(({ begun }) => holds.some(([from, to]) => begun > from && begun < to - 2)).length
}
const mostTries = (sent: readonly Sent[]): number =>
  Math.max(...[...Map.groupBy(sent, ({ row }) => row).values()].map(({ length }) => length))

const day = 86_400_000
const date = (at: number): string => new Date(at).toUTCString()
const inSeconds = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { 'retry-after': '1' })
const untilDate = (response: ServerResponse): void => {
  const now = Date.now()
  response.writeHead(429, { 'date': date(now), 'retry-after': date(now + 2000) })
}

/** The busy answer, and by how much the wall clock of the console jumps at each one, alternately forwards and back. */
const storms: readonly (readonly [string, busy: (response: ServerResponse) => void, jump?: number, retry?: false])[] = [
  ['429 with seconds', inSeconds(429)],
  ['503 with seconds', inSeconds(503)],
  ['429 with a date', untilDate],
  ['429 with seconds, the wall clock moved by a day', inSeconds(429), day],
  ['429 with a date, the wall clock moved by a day', untilDate, day],
  [
    '429 with a date and no Date header, the wall clock moved by a day',
    (response) => {
      response.sendDate = false
      response.writeHead(429, { 'retry-after': date(Date.now() + 2000) })
    },
    day
  ],
  ['429 with seconds, resending not allowed', inSeconds(429), 0, false],
  ['429 without a wait', (response) => void response.writeHead(429)]
]

it.for(some(storms))(
  '%s: no request begins before the wait is over',
  { timeout: 30_000 * times },
  async (storm, { task }) => {
    const [, busy, jump = 0, retry] = storm
    const rows = 40 * times
    const retryBusy = retry !== false
    let [ahead, answers, refused] = [0, 0, 0]
    const { sent, end } = await runBatch(
      (response) => {
        answers += 1
        if (answers % 30 !== 0)
          return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"valid"}')
        refused += 1
        ahead = ahead === 0 ? jump : ahead > 0 ? -jump : 0
        busy(response)
        response.end('{"message":"busy"}')
      },
      rows,
      { retryBusy, ahead: () => ahead }
    )
    expect(end.state).toBe('finished')
    expect(earlySends(sent)).toBe(0)
    expect(mostTries(sent)).toBeLessThanOrEqual(retryBusy ? maxTries : 1)
    expect(refused).toBeGreaterThan(0)
    expect(sent.length - rows).toBe(retryBusy ? refused : 0)
    counted(task, { 'requests': sent.length, 'refused as busy': refused, 'sent too early': 0 })
  }
)

const longWaits = ['1e12', `${maxAskedWait / 1000 + 1}`, '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']

it.for(some(longWaits))('a wait until %s stops the batch, and nothing more is sent', async (wait, { task }) => {
  const { sent, end } = await runBatch(
    (response) => void response.writeHead(429, { 'retry-after': wait }).end('{"message":"busy"}'),
    100
  )
  expect(earlySends(sent)).toBe(0)
  expect(end).toMatchObject({ state: 'stopped', reason: { code: 'batch-asked-to-wait' } })
  counted(task, { 'requests': sent.length, 'refused as busy': sent.length, 'sent too early': 0 })
})

it('429 to everything stops the batch, and no row is sent too often', async ({ task }) => {
  const { sent, end } = await runBatch((response) => void response.writeHead(429).end('{"message":"busy"}'), 100)
  expect(mostTries(sent)).toBeLessThanOrEqual(maxTries)
  expect(end).toMatchObject({ state: 'stopped', reason: { code: 'batch-stopped' } })
  counted(task, { 'requests': sent.length, 'refused as busy': sent.length, 'sent too early': 0 })
})
