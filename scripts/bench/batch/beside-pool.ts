/** Batches compared with a bare undici pool without a journal, against the same service in a separate process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { credentials } from '#contract/connections/credentials.ts'
import { operationOf } from '#contract/verification/operations.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import { createTrustStore } from '#wire/trust.ts'
import { practiceCredentials } from '#practice/service.ts'
import { systemClock } from '../../../electron/hosts/node/ports.ts'
import { makeApplicantBatch, openGround } from '../../batch-ground.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { startService } from '../child.ts'

const atOnce = 8
const { path } = operationOf('get-applicant-details')
const headers = {
  ...Object.fromEntries(credentials.map(({ id, header }) => [header, practiceCredentials[id]])),
  'content-type': 'application/json'
}
const idsOf = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`)

/** Milliseconds for all IDs over a bare pool; each response is read to its end. */
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

/**
 * Milliseconds for all IDs through the console's own client without recording: the rest of a batch's time is the
 * journal.
 */
async function clientAlone(baseUrl: string, ids: readonly string[]): Promise<number> {
  const trust = await createTrustStore().trust('')
  if (!trust.ok) throw new Error(trust.failure.code)
  const lines = createLinePool(() => performance.now())
  const order = {
    origin: baseUrl,
    path,
    credentials: practiceCredentials,
    limits: defaultSettings,
    lines,
    clock: systemClock,
    trust: trust.value,
    route: { hops: [{ kind: 'direct' }] },
    signal: new AbortController().signal,
    onPhase: () => undefined
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

/** Milliseconds for a whole batch, from start until its last outcome is on disk, in a separate history. */
async function ours(baseUrl: string, ids: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-batch-'))
  const ground = await openGround({ folder, baseUrl, announce: () => undefined })
  try {
    const id = await makeApplicantBatch(ground, ids, { atOnce })
    const from = performance.now()
    const started = await ground.batches.start(id)
    if (!started.ok) throw new Error(started.failure.code)
    await ground.batches.ended(id)
    const took = performance.now() - from
    const end = await ground.batches.show(id)
    if (!end.ok || end.value.counts.answered !== ids.length) throw new Error('not every row was answered')
    return took
  } finally {
    await ground.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const sides = { ours, client: clientAlone, bare } as const
type Side = keyof typeof sides

/** Milliseconds of each side, measured alternately in each round. */
async function besideAtLatency(
  latency: number,
  rows: number,
  rounds: number,
  progress: (text: string) => void
): Promise<Readonly<Record<Side, readonly number[]>>> {
  const service = await startService(latency)
  const times: Record<Side, number[]> = { ours: [], client: [], bare: [] }
  try {
    for (const side of Object.values(sides)) await side(service.baseUrl, idsOf(200, 'WARM'))
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, side] of Object.entries(sides))
        times[name as Side].push(await side(service.baseUrl, idsOf(rows, `${name}-${round}`)))
      progress(`${latency} ms service, round ${round + 1}`)
    }
    return times
  } finally {
    service.process.kill()
  }
}

/** Maximum ratios of a batch's time: to a bare pool's at 20 ms, to the client's without a journal at 0 ms. */
const aims = { slow: 1.15, quick: 3 }

/** Compares a batch of 2,000 rows with the same requests without recording. */
export async function measureBesidePool({ sized, progress }: BenchRun): Promise<Measured> {
  const [rows, rounds] = [sized(2000, 100), sized(5, 2)]
  const [slow, quick] = [
    await besideAtLatency(20, rows, rounds, progress),
    await besideAtLatency(0, rows, rounds, progress)
  ]
  const count = rows.toLocaleString('en')
  return {
    rows: [
      rowOf({
        name: `${count} rows, 20 ms service`,
        unit: 'ms',
        samples: slow.ours,
        beside: { what: 'bare pool', samples: slow.bare },
        aims: { ratio: aims.slow }
      }),
      rowOf({
        name: `${count} rows, 0 ms service`,
        unit: 'ms',
        samples: quick.ours,
        beside: { what: 'its client without a journal', samples: quick.client },
        aims: { ratio: aims.quick }
      }),
      rowOf({
        name: `${count} rows, 0 ms service`,
        unit: 'ms',
        samples: quick.ours,
        beside: { what: 'bare pool, for orientation', samples: quick.bare }
      })
    ]
  }
}
