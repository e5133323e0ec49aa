/** Batches beside a bare undici pool that journals nothing, against the same service in a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { credentials } from '#contract/credentials.ts'
import { operationOf } from '#contract/operations.ts'
import { defaultSettings } from '#contract/settings.ts'
import { readBody } from '#core/client/body.ts'
import { postOnce } from '#core/client/http.ts'
import { createLinePool, openLine } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore } from '#core/client/trust.ts'
import { practiceCredentials } from '#practice/service.ts'
import { systemClock } from '../../electron/node/ports.ts'
import { makeApplicantBatch, openGround } from '../batch-ground.ts'

const atOnce = 8
const { path } = operationOf('get-applicant-details')
const practice = fileURLToPath(new URL('../../practice/main.ts', import.meta.url))
const headers = { ...Object.fromEntries(credentials.map(({ id, header }) => [header, practiceCredentials[id]])), 'content-type': 'application/json' }
const idsOf = (count: number, prefix: string): string[] => Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

interface Service {
  readonly baseUrl: string
  readonly process: ChildProcess
}
function startService(latency: number): Promise<Service> {
  const process_ = spawn(process.execPath, [practice, '--port', '0', '--latency', String(latency)], { stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    process_.once('exit', () => reject(new Error('the practice service did not start')))
    process_.stdout.on('data', (part: Buffer) => {
      const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(part.toString())?.[0]
      if (baseUrl) resolve({ baseUrl, process: process_ })
    })
  })
}

/** Milliseconds for all ids over a bare pool; each reply is read to its end. */
async function bare(baseUrl: string, ids: readonly string[]): Promise<number> {
  const pool = new Pool(baseUrl, { connections: atOnce, pipelining: 1 })
  let next = 0
  const from = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = ids[next]; id !== undefined; id = ids[next]) {
        next += 1
        const reply = await pool.request({ path, method: 'POST', headers, body: JSON.stringify({ applicant_id: id }) })
        if (reply.statusCode !== 200) throw new Error(`status ${reply.statusCode}`)
        JSON.parse(await reply.body.text())
      }
    })
  )
  const took = performance.now() - from
  await pool.close()
  return took
}

/** Milliseconds for all ids through the console's own client, with nothing written down: what the journal costs is beyond it. */
async function clientAlone(baseUrl: string, ids: readonly string[]): Promise<number> {
  const trust = await createTrustStore().trust('')
  if (!trust.ok) throw new Error(trust.failure.what)
  const lines = createLinePool(() => performance.now())
  const order = {
    origin: baseUrl, path, credentials: practiceCredentials, limits: defaultSettings, lines, clock: systemClock, trust: trust.value,
    route: { hops: [{ kind: 'direct' }] }, signal: new AbortController().signal, onPhase: () => undefined
  } as const
  let next = 0
  const from = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = ids[next]; id !== undefined; id = ids[next]) {
        next += 1
        const ending = await sendVerification({ ...order, body: { applicant_id: id } })
        if (ending.outcome !== 'answered') throw new Error(`${ending.outcome}`)
      }
    })
  )
  const took = performance.now() - from
  lines.close()
  return took
}

interface Measured {
  readonly took: number
  /** Largest resident memory while it ran, in bytes. */
  readonly memory: number
  /** Milliseconds by which the event loop of the core was late, at its 99th percentile. */
  readonly loopP99: number
}

/** Milliseconds for all ids with axios and nothing else: the least that a client made with it can take. */
async function axiosAlone(baseUrl: string, ids: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(baseUrl)
  const stop = new AbortController().signal
  let next = 0
  const from = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      const line = openLine(connect({ host: hostname, port: Number(port), noDelay: true }), false, true)
      for (let id = ids[next]; id !== undefined; id = ids[next]) {
        next += 1
        const reply = await postOnce({ url: `${baseUrl}${path}`, headers, body: JSON.stringify({ applicant_id: id }), line, stop })
        if (!reply.ok || reply.value.statusCode !== 200) throw new Error('no answer')
        JSON.parse(Buffer.from((await readBody(reply.value, defaultSettings.maxReplyBytes, stop)).bytes).toString('utf8'))
      }
      line.close()
    })
  )
  return performance.now() - from
}

/** A whole batch, from start to its last ending on the disk, in a history of its own. */
async function ours(baseUrl: string, ids: readonly string[]): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-batch-'))
  const ground = await openGround({ folder, baseUrl, announce: () => undefined })
  try {
    const id = await makeApplicantBatch(ground, ids, { atOnce })
    // What making has left to be collected is not the run's.
    globalThis.gc?.()
    const resolution = 10
    const loop = monitorEventLoopDelay({ resolution })
    loop.enable()
    let memory = process.memoryUsage().rss
    const sampler = setInterval(() => (memory = Math.max(memory, process.memoryUsage().rss)), 100)
    const from = performance.now()
    const started = await ground.batches.start(id)
    if (!started.ok) throw new Error(started.failure.what)
    await ground.batches.ended(id)
    const took = performance.now() - from
    clearInterval(sampler)
    loop.disable()
    const end = await ground.batches.show(id)
    if (!end.ok || end.value.counts.answered !== ids.length) throw new Error('not every row was answered')
    return { took, memory, loopP99: Math.max(0, loop.percentile(99) / 1e6 - resolution) }
  } finally {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const median = (times: number[]): number => times.sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN
const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(2)
const verdict = (met: boolean): string => (met ? 'met' : '**not met**')

async function beside(latency: number, rows: number, rounds: number, aim: number): Promise<string> {
  const service = await startService(latency)
  try {
    await bare(service.baseUrl, idsOf(200, 'WARM'))
    await axiosAlone(service.baseUrl, idsOf(200, 'WARM'))
    await clientAlone(service.baseUrl, idsOf(200, 'WARM'))
    await ours(service.baseUrl, idsOf(200, 'WARM'))
    const times = { bare: [] as number[], axios: [] as number[], client: [] as number[], ours: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      const plain = await bare(service.baseUrl, idsOf(rows, `B${round}`))
      times.axios.push(await axiosAlone(service.baseUrl, idsOf(rows, `A${round}`)))
      times.client.push(await clientAlone(service.baseUrl, idsOf(rows, `C${round}`)))
      const own = await ours(service.baseUrl, idsOf(rows, `O${round}`))
      times.bare.push(plain)
      times.ours.push(own.took)
      process.stderr.write(`${latency} ms: bare ${seconds(plain)} s, ours ${seconds(own.took)} s\n`)
    }
    const [plain, axios, client, own] = [median(times.bare), median(times.axios), median(times.client), median(times.ours)]
    return `| ${rows.toLocaleString('en')} rows, ${latency} ms service | ${seconds(own)} s | ${seconds(client)} s | ${seconds(axios)} s | ${seconds(plain)} s | ${(own / plain).toFixed(2)} | ${aim} | ${verdict(own <= aim * plain)} |`
  } finally {
    service.process.kill()
  }
}

/** The batch rows of the benchmarks' page. */
export async function batchSection({ rounds, many }: { readonly rounds: number; readonly many: number }): Promise<string> {
  const lines = [await beside(20, 2000, rounds, 1.15), await beside(0, 2000, rounds, 3)]
  const service = await startService(0)
  try {
    const few = await ours(service.baseUrl, idsOf(1000, 'FEW'))
    const lots = await ours(service.baseUrl, idsOf(many, 'LOTS'))
    const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
    const more = lots.memory - few.memory
    return [
      '## Batches',
      '',
      `${atOnce} requests at once; every row journalled and synced to disk before its request and after its reply. Beside it a bare undici pool of ${atOnce} connections that journals nothing, in turns in the same run, against the practice service in a process of its own; the console’s client without a journal (deadlines, strict reading of replies); and axios with nothing around it, the least that a client made with it can take. Medians of ${rounds}.`,
      '',
      '| work | Veridesk | its client alone | axios alone | bare pool | ratio to the bare pool | aim | |',
      '|---|--:|--:|--:|--:|--:|--:|---|',
      ...lines,
      '',
      `| 0 ms service | rows a second | most memory | event loop late, p99 | |`,
      '|---|--:|--:|--:|---|',
      `| 1,000 rows | ${Math.round(1000 / (few.took / 1000)).toLocaleString('en')} | ${mebibytes(few.memory)} | ${few.loopP99.toFixed(1)} ms | |`,
      `| ${many.toLocaleString('en')} rows | ${Math.round(many / (lots.took / 1000)).toLocaleString('en')} | ${mebibytes(lots.memory)} (${mebibytes(more)} more; aim 150) | ${lots.loopP99.toFixed(1)} ms (aim 50) | ${verdict(more <= 150 * 2 ** 20 && lots.loopP99 < 50)} |`,
      ''
    ].join('\n')
  } finally {
    service.process.kill()
  }
}
