/** Services that are busy: nothing is sent before they allow it, whatever the wall clock says. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { askedWait, maxAskedWait, maxTries } from '#core/batches/retry.ts'
import type { Clock } from '#kit/clock.ts'
import { sendVerification } from '#core/client/send.ts'
import { openGround, makeApplicantBatch, type Ground } from '../../batch-ground.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { inProofFolder } from '../../../tests/service/support/proof-folder.ts'

const day = 86_400_000

/** A sent request, on the monotonic clock. */
interface Sent {
  readonly row: string
  readonly begun: number
  readonly ended: number
  readonly status: number | undefined
  /** Milliseconds that the service asked to wait, as the true clock reads it. */
  readonly asked: number
}

interface Storm {
  readonly name: string
  /** The busy answer; `now` is the true time. */
  busy(response: ServerResponse, now: number): void
  /** Milliseconds by which the console's wall clock jumps at each busy answer, alternately forwards and back. */
  readonly jump?: number
  readonly retryBusy?: boolean
}

const seconds = 1
const date = (at: number): string => new Date(at).toUTCString()

const storms: readonly Storm[] = [
  { name: '429 with seconds', busy: (response) => void response.writeHead(429, { 'retry-after': `${seconds}` }) },
  { name: '503 with seconds', busy: (response) => void response.writeHead(503, { 'retry-after': `${seconds}` }) },
  {
    name: '429 with a date',
    busy: (response, now) => void response.writeHead(429, { 'date': date(now), 'retry-after': date(now + 2000) })
  },
  {
    name: '429 with seconds, the wall clock moved by a day',
    jump: day,
    busy: (response) => void response.writeHead(429, { 'retry-after': `${seconds}` })
  },
  {
    name: '429 with a date, the wall clock moved by a day',
    jump: day,
    busy: (response, now) => void response.writeHead(429, { 'date': date(now), 'retry-after': date(now + 2000) })
  },
  {
    name: '429 with a date and no Date header, the wall clock moved by a day',
    jump: day,
    busy(response, now) {
      response.sendDate = false
      response.writeHead(429, { 'retry-after': date(now + 2000) })
    }
  },
  {
    name: '429 with seconds, resending not allowed',
    retryBusy: false,
    busy: (response) => void response.writeHead(429, { 'retry-after': `${seconds}` })
  },
  { name: '429 without a wait', busy: (response) => void response.writeHead(429) }
]

/** Serves until `work` has ended. */
async function besideService<T>(
  answer: (response: ServerResponse, body: string) => void,
  work: (baseUrl: string) => Promise<T>
): Promise<T> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => answer(response, body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

interface BatchOrder {
  readonly baseUrl: string
  readonly rows: number
  readonly retryBusy: boolean
  readonly atOnce: number
  readonly clock: Clock
}

/** Runs one batch and records every request; returns them with the batch's end. */
const runBatch = ({ baseUrl, rows, retryBusy, atOnce, clock }: BatchOrder) =>
  inProofFolder(async (folder) => {
    const sent: Sent[] = []
    const ground: Ground = await openGround({
      folder,
      baseUrl,
      clock,
      settings: { retryBusy, spendGuardMinutes: 0 },
      announce: () => undefined,
      send: async (order) => {
        const begun = performance.now()
        const ending = await sendVerification(order)
        const ended = performance.now()
        sent.push({
          row: JSON.stringify(order.body),
          begun,
          ended,
          status: ending.reply?.status,
          asked: askedWait(ending, Date.now()) ?? 0
        })
        return ending
      }
    })
    try {
      const id = await makeApplicantBatch(
        ground,
        Array.from({ length: rows }, (_, index) => `RETRY-${index}`),
        { atOnce }
      )
      const started = await ground.batches.start(id)
      if (!started.ok) throw new Error(sentencesOf(started.failure).what)
      await ground.batches.ended(id)
      const end = await ground.batches.show(id)
      if (!end.ok) throw new Error(sentencesOf(end.failure).what)
      return { sent, end: end.value }
    } finally {
      await ground.close()
    }
  })

/** Requests that began after another one had been asked to wait, and before that wait was over. */
function earlySends(sent: readonly Sent[]): number {
  const holds = sent.filter(({ asked }) => asked > 0).map(({ ended, asked }) => [ended, ended + asked] as const)
  // A timer may end a millisecond early, since it counts whole ones.
  return sent.filter(({ begun }) => holds.some(([from, to]) => begun > from && begun < to - 2)).length
}

const mostTries = (sent: readonly Sent[]): number =>
  Math.max(...Object.values(Object.groupBy(sent, ({ row }) => row)).map((tries) => tries?.length ?? 0))

async function storm(
  { name, busy, jump = 0, retryBusy = true }: Storm,
  rows: number,
  faults: string[]
): Promise<(string | number)[]> {
  let ahead = 0
  let answers = 0
  let refused = 0
  const { sent, end } = await besideService(
    (response) => {
      answers += 1
      if (answers % 30 === 0) {
        refused += 1
        ahead = ahead === 0 ? jump : ahead > 0 ? -jump : 0
        busy(response, Date.now())
        response.end('{"message":"busy"}')
        return
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"message":"valid"}')
    },
    (baseUrl) =>
      runBatch({
        baseUrl,
        rows,
        retryBusy,
        atOnce: 4,
        clock: { now: () => Date.now() + ahead, monotonic: () => performance.now() }
      })
  )
  const early = earlySends(sent)
  const tries = mostTries(sent)
  const again = sent.length - rows
  if (early > 0) faults.push(`${name}: ${early} requests were sent before the service allowed it`)
  if (tries > (retryBusy ? maxTries : 1)) faults.push(`${name}: a row was sent ${tries} times`)
  if (retryBusy && again !== refused) faults.push(`${name}: ${refused} rows were refused and ${again} resent`)
  if (refused === 0) faults.push(`${name}: the service refused nothing, so nothing was tried`)
  if (end.state !== 'finished') faults.push(`${name}: the batch is ${end.state} (${end.reason?.code ?? 'no reason'})`)
  return [name, sent.length, refused, again, tries, early]
}

const longWaits = ['1e12', `${maxAskedWait / 1000 + 1}`, '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'] as const

/** A wait that no batch waits for: the batch stops, and only requests that had already begun are sent. */
async function longWait(wait: string, faults: string[]): Promise<(string | number)[]> {
  const name = `Retry-After: ${wait.length > 40 ? `${wait.slice(0, 6)}… (${wait.length} digits)` : wait}`
  const { sent, end } = await besideService(
    (response) => void response.writeHead(429, { 'retry-after': wait }).end('{"message":"busy"}'),
    (baseUrl) =>
      runBatch({
        baseUrl,
        rows: 100,
        retryBusy: true,
        atOnce: 4,
        clock: { now: () => Date.now(), monotonic: () => performance.now() }
      })
  )
  const early = earlySends(sent)
  if (early > 0) faults.push(`${name}: ${early} requests were sent after the service had asked to wait`)
  if (end.state !== 'stopped' || end.reason?.code !== 'batch-asked-to-wait')
    faults.push(`${name}: the batch is ${end.state} (${end.reason?.code ?? 'no reason'})`)
  return [name, sent.length, sent.length, 0, mostTries(sent), early]
}

/** A service that is always busy and does not say for how long: at most five attempts a row, and the batch stops. */
async function alwaysBusy(faults: string[]): Promise<(string | number)[]> {
  const name = '429 to everything'
  const { sent, end } = await besideService(
    (response) => void response.writeHead(429).end('{"message":"busy"}'),
    (baseUrl) =>
      runBatch({
        baseUrl,
        rows: 100,
        retryBusy: true,
        atOnce: 4,
        clock: { now: () => Date.now(), monotonic: () => performance.now() }
      })
  )
  const tries = mostTries(sent)
  if (tries > maxTries) faults.push(`${name}: a row was sent ${tries} times`)
  if (end.state !== 'stopped' || end.reason?.code !== 'batch-stopped')
    faults.push(`${name}: the batch is ${end.state} (${end.reason?.code ?? 'no reason'})`)
  return [name, sent.length, sent.length, sent.length - new Set(sent.map(({ row }) => row)).size, tries, 0]
}

/** Runs batches against busy services. Errors: early and needless requests, and wrong ends of a batch. */
export async function proveRetries({ sized, progress }: SectionRun): Promise<Measured> {
  const faults: string[] = []
  const rows: (string | number)[][] = []
  for (const each of storms) {
    rows.push(await storm(each, sized(600, 60), faults))
    progress(each.name)
  }
  for (const wait of longWaits) rows.push(await longWait(wait, faults))
  rows.push(await alwaysBusy(faults))
  return {
    table: {
      columns: [
        'the service answers',
        'requests',
        'refused as busy',
        'resent',
        'most attempts of a row',
        'sent too early'
      ],
      rows
    },
    faults
  }
}
