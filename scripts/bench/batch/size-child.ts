/** Runs one batch in a history and prints its measurements, in a separate process whose memory is the batch's alone. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sendVerification } from '#core/client/send.ts'
import { makeApplicantBatch, openGround, type GroundOptions } from '../../batch-ground.ts'

export interface BatchRunOrder {
  readonly folder: string
  readonly masterKey: string
  readonly baseUrl: string
  readonly rows: number
  /** Rows of a stretch that is timed separately, and the number of such stretches at the end. */
  readonly stretch: number
  readonly stretches: number
  /** Rows that are sent first, in another history. */
  readonly warm: number
}

/** Milliseconds between the answers to the first and the last row of a stretch: wall clock and processor time. */
export interface Stretch {
  readonly wall: number
  /** Of all threads; other work on the machine affects it little. */
  readonly cpu: number
}

export interface BatchRun {
  /** Milliseconds from start until the last outcome is on disk. */
  readonly took: number
  /** The last rows, in their order. */
  readonly lastStretches: readonly Stretch[]
  /**
   * Peak resident memory of the process in MB since the history was opened, including workers and the reading of the
   * rows.
   */
  readonly memory: number
  /** Event loop delay in milliseconds, 99th percentile. */
  readonly late: number
}

/** Sampling interval of the event loop delay in milliseconds. */
const resolution = 10

async function run(
  options: Pick<GroundOptions, 'folder' | 'baseUrl' | 'masterKey'>,
  { rows, stretch, stretches }: Pick<BatchRunOrder, 'rows' | 'stretch' | 'stretches'>
): Promise<BatchRun> {
  let answered = 0
  const cpuNow = (): number => (process.cpuUsage().user + process.cpuUsage().system) / 1000
  const lastStretches: Stretch[] = []
  let from: Stretch | undefined
  const send: typeof sendVerification = async (order) => {
    const ending = await sendVerification(order)
    answered += 1
    const left = rows - answered
    if (left % stretch === 0 && from)
      lastStretches.push({ wall: performance.now() - from.wall, cpu: cpuNow() - from.cpu })
    if (left % stretch === stretch - 1 && left < stretch * stretches) from = { wall: performance.now(), cpu: cpuNow() }
    return ending
  }
  const ground = await openGround({ ...options, send, announce: () => undefined })
  // Not the peak of the whole process, which is reached while it compiles its own source.
  let memory = process.memoryUsage.rss()
  const sampler = setInterval(() => (memory = Math.max(memory, process.memoryUsage.rss())), 20)
  // No two batches name the same applicant: an earlier one would be recognised as recently answered.
  const prefix = crypto.randomUUID().slice(0, 8)
  const id = await makeApplicantBatch(
    ground,
    Array.from({ length: rows }, (_, index) => `${prefix}-${index}`),
    { atOnce: 8 }
  )
  const loop = monitorEventLoopDelay({ resolution })
  loop.enable()
  const start = performance.now()
  const started = await ground.batches.start(id)
  if (!started.ok) throw new Error(started.failure.code)
  await ground.batches.ended(id)
  const took = performance.now() - start
  loop.disable()
  clearInterval(sampler)
  const end = await ground.batches.show(id)
  if (!end.ok || end.value.counts.answered !== rows) throw new Error('not every row was answered')
  await ground.close()
  return { took, memory: memory / 1e6, lastStretches, late: Math.max(0, loop.percentile(99) / 1e6 - resolution) }
}

const { folder, masterKey, baseUrl, warm, ...order } = JSON.parse(process.argv[2] ?? '') as BatchRunOrder
if (warm > 0) {
  const elsewhere = mkdtempSync(join(tmpdir(), 'veridesk-bench-warm-'))
  await run({ folder: elsewhere, baseUrl }, { rows: warm, stretch: 1, stretches: 1 })
  rmSync(elsewhere, { recursive: true, force: true })
}
console.log(JSON.stringify(await run({ folder, baseUrl, masterKey }, order)))
