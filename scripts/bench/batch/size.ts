/**
 * Whether the cost of a row is independent of the number of rows before it, and the memory that a batch of 100,000 rows
 * uses.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { inChild, startService, type Service } from '../child.ts'
import { withCopy, type SeededHistory } from '../seeded-histories.ts'
import type { BatchRun, BatchRunOrder, Stretch } from './size-child.ts'

/**
 * Maximum extra memory in MB and ratio of a row's cost compared with a thousand rows, and maximum event loop delay in
 * milliseconds.
 */
const aims = { memory: 150, cost: 1.2, late: 50 }
/** Rows that a process sends elsewhere before the measurement, since code is slow when it first runs. */
const warm = 2000
/** Stretches at the end of a large batch: some contain more merging of the index than others. */
const lastStretches = 10
/** Small batches for each large one: each takes a second, and half as long again while the machine does other work. */
const smallRounds = 3

async function inNewHistory<T>(work: (history: SeededHistory) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-bench-rows-'))
  try {
    return await work({ folder, masterKey: randomBytes(32).toString('hex') })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const batchOf = (
  service: Service,
  history: SeededHistory,
  order: Pick<BatchRunOrder, 'rows' | 'stretch' | 'stretches' | 'warm'>
): Promise<BatchRun> =>
  inChild<BatchRun>(new URL('./size-child.ts', import.meta.url), {
    ...history,
    baseUrl: service.baseUrl,
    ...order
  } satisfies BatchRunOrder)

/**
 * Batches of a thousand and of 100,000 rows, in an empty history and in one with a million records, each in a separate
 * process.
 */
export async function measureSize({ sized, progress, history }: BenchRun): Promise<Measured> {
  const [many, few, records, rounds] = [sized(100_000, 2000), sized(1000, 500), sized(1_000_000, 2000), sized(3, 1)]
  const stretches = Math.min(lastStretches, many / few)
  const seeded = await history(records)
  const service = await startService(0)
  const of = { few: [] as BatchRun[], many: [] as BatchRun[], first: [] as Stretch[], onTop: [] as Stretch[] }
  try {
    await withCopy(seeded, async (large) => {
      for (let round = 0; round < rounds; round += 1) {
        of.few.push(
          await inNewHistory((empty) => batchOf(service, empty, { rows: few, stretch: few, stretches: 1, warm: 0 }))
        )
        for (let small = 0; small < smallRounds; small += 1) {
          const order = { rows: few, stretch: few, stretches: 1, warm }
          of.first.push(...(await inNewHistory((empty) => batchOf(service, empty, order))).lastStretches)
          of.onTop.push(...(await batchOf(service, large, order)).lastStretches)
        }
        of.many.push(
          await inNewHistory((empty) => batchOf(service, empty, { rows: many, stretch: few, stretches, warm: 0 }))
        )
        progress(`round ${round + 1}`)
      }
    })
  } finally {
    service.process.kill()
  }
  const words = (count: number): string => count.toLocaleString('en')
  const last = of.many.flatMap((run) => run.lastStretches)
  /** Wall clock, which the target applies to, and processor time, which other work on the machine affects less. */
  const costs = (what: string, stretches: readonly Stretch[]): Row[] => {
    const one = (name: string, time: (stretch: Stretch) => number, cost: { readonly ratio?: number }): Row =>
      rowOf({
        name,
        unit: 'ms',
        samples: stretches.map(time),
        beside: { what: `the first ${words(few)} in an empty history`, samples: of.first.map(time) },
        aims: cost
      })
    return [one(what, ({ wall }) => wall, { ratio: aims.cost }), one(`${what}, processor time`, ({ cpu }) => cpu, {})]
  }
  return {
    rows: [
      ...costs(`${words(few)} of the last ${words(stretches * few)} of ${words(many)} rows`, last),
      ...costs(`${words(few)} rows in a history of ${words(records)} records`, of.onTop),
      rowOf({
        name: `most memory, ${words(many)} rows`,
        unit: 'MB',
        samples: of.many.map(({ memory }) => memory),
        beside: { what: `${words(few)} rows`, samples: of.few.map(({ memory }) => memory) },
        aims: { difference: aims.memory }
      }),
      rowOf({
        name: `event loop late at its 99th percentile, ${words(many)} rows`,
        unit: 'ms',
        samples: of.many.map(({ late }) => late),
        aims: { largest: aims.late }
      }),
      ...[of.few, of.many].map((runs, index) => {
        const rows = index === 0 ? few : many
        return rowOf({
          name: `rows a second, batch of ${words(rows)}`,
          unit: 'a second',
          samples: runs.map(({ took }) => (rows * 1000) / took)
        })
      })
    ]
  }
}
