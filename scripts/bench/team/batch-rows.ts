/**
 * Ten million rows of a shared batch at one database: leases and intents by the product's own statements, in the order of
 * electron/core/team/batches/run.ts. No request is sent and no record is kept, so only the database is measured.
 */
import type { Held } from '#team/thread/batch-ports.ts'
import { randomUUID } from 'node:crypto'
import { batchTables, plansAnew, type BatchTables } from '#exchange/batches/database.ts'
import { createFigures } from '#exchange/batches/figures.ts'
import { chunkRowsFor, leaseRule, rowsOf } from '#core/team/batches/rules.ts'
import { startTeamDatabase } from '../../../tests/service/support/postgres.ts'
import { valueOf } from '../../../tests/service/support/team-installation.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { largeTeamSettings } from './people.ts'
import { withRoles } from './simulated.ts'

/** `atOnce`: intents that one installation asks for together. `deaths`: one part of so many is not finished by who leased it first. */
const sizes = { rows: 10_000_000, installations: 200, atOnce: 10, deaths: 500, looks: 20, page: 500 } as const

/** Milliseconds before an installation looks again, while others have the rest. */
const pause = 2000

interface Batch {
  readonly id: string
  readonly rows: number
  readonly chunkRows: number
}

/** What all installations have done so far. */
interface Tally {
  readonly batch: Batch
  /** How often each row might be sent. */
  readonly granted: Uint8Array
  readonly take: Tenths
  readonly intend: Tenths
  chunks: number
  deaths: number
}

/** Milliseconds, while the first and the last tenth of the parts were leased. */
interface Tenths {
  readonly first: number[]
  readonly last: number[]
}

interface Line {
  readonly tables: BatchTables
  close(): Promise<void>
}

async function timed<T>(tally: Tally, { first, last }: Tenths, work: Promise<T>): Promise<T> {
  const parts = Math.ceil(tally.batch.rows / tally.batch.chunkRows)
  const from = performance.now()
  const value = await work
  const took = performance.now() - from
  if (tally.chunks <= parts / 10) first.push(took)
  else if (tally.chunks > (parts * 9) / 10) last.push(took)
  return value
}

/** Asks for the intents of a part, in groups. @param until The last row that is asked for. */
async function intendRows({ tables }: Line, held: Held, tally: Tally, atOnce: number, until: number): Promise<void> {
  const { from, to } = rowsOf(held.n, tally.batch)
  for (let row = from; row <= Math.min(to, until); row += atOnce) {
    const attempts = Array.from({ length: Math.min(atOnce, to - row + 1) }, (_, index) => ({
      row: row + index,
      attempt: randomUUID()
    }))
    const may = valueOf(await timed(tally, tally.intend, tables.intend(tally.batch.id, held, attempts)))
    if (may === 'ended') return
    attempts.forEach((attempt, index) => {
      if (may[index]) tally.granted[attempt.row] = (tally.granted[attempt.row] ?? 0) + 1
    })
  }
}

/** One installation, until the whole batch is done. Who dies in the middle of a part starts again, and gives back what it held or leaves it to its lease. */
async function runRows(
  open: () => Promise<Line>,
  tally: Tally,
  { atOnce, deaths }: { readonly atOnce: number; readonly deaths: number }
): Promise<void> {
  const { batch } = tally
  let line = await open()
  for (;;) {
    const held = valueOf(await timed(tally, tally.take, line.tables.take(batch.id, leaseRule.seconds)))
    if (!held) {
      if (valueOf(await line.tables.isOver(batch.id))) break
      await new Promise((resolve) => setTimeout(resolve, pause))
      continue
    }
    tally.chunks += 1
    if (tally.chunks % deaths === 0) {
      tally.deaths += 1
      await intendRows(line, held, tally, atOnce, rowsOf(held.n, batch).from + batch.chunkRows / 2)
      await line.close()
      line = await open()
      if (tally.deaths % 2 === 0)
        for (const mine of valueOf(await line.tables.mine(batch.id)))
          valueOf(await line.tables.leave(batch.id, mine, false))
      continue
    }
    await intendRows(line, held, tally, atOnce, batch.rows)
    valueOf(await line.tables.leave(batch.id, held, true))
  }
  await line.close()
}

/** Milliseconds of one question, asked again and again. */
async function asked(ask: (index: number) => Promise<unknown>): Promise<number[]> {
  const samples: number[] = []
  for (let index = 0; index < sizes.looks; index += 1) {
    const from = performance.now()
    await ask(index)
    samples.push(performance.now() - from)
  }
  return samples
}

/** Takes about eight minutes in full size. */
export async function measureBatchRows({ sized, progress }: BenchRun): Promise<Measured> {
  const rows = sized(sizes.rows, 2000)
  const batch = { id: randomUUID(), rows, chunkRows: chunkRowsFor(rows) }
  const database = await startTeamDatabase({ settings: largeTeamSettings })
  try {
    const openers = withRoles(database, sized(sizes.installations, 5)).map(({ open }) => async (): Promise<Line> => {
      const line = await open()
      valueOf(await line.query(plansAnew))
      return { tables: batchTables(line, '127.0.0.1'), close: () => line.close() }
    })
    const first = await openers[0]?.()
    if (!first) throw new Error('no installation')
    valueOf(await first.tables.share(batch.id, batch.rows, batch.chunkRows))
    const tally: Tally = {
      batch,
      granted: new Uint8Array(rows + 1),
      take: { first: [], last: [] },
      intend: { first: [], last: [] },
      chunks: 0,
      deaths: 0
    }
    const told = setInterval(
      () => progress(`${tally.chunks} parts of ${Math.ceil(rows / batch.chunkRows)} leased`),
      30_000
    )
    const from = performance.now()
    await Promise.all(openers.map((open) => runRows(open, tally, sizes))).finally(() => clearInterval(told))
    const seconds = (performance.now() - from) / 1000
    const counting = createFigures()
    const figures = await asked(async () => valueOf(await counting(first.tables, batch.id)))
    const page = await asked(async (index) => {
      const start = 1 + Math.floor((index * (rows - sizes.page)) / sizes.looks)
      valueOf(await first.tables.intents(batch.id, start, start + sizes.page - 1))
    })
    await first.close()
    const [intents, bytes] = [
      Number(database.postgres.sql('SELECT count(*) FROM veridesk.intent', 'team')),
      Number(
        database.postgres.sql(
          "SELECT pg_total_relation_size('veridesk.intent') + pg_total_relation_size('veridesk.chunk')",
          'team'
        )
      )
    ]
    const sent = tally.granted.reduce((sum, times) => sum + (times > 0 ? 1 : 0), 0)
    const twice = tally.granted.reduce((sum, times) => sum + (times > 1 ? 1 : 0), 0)
    const name = `${rows.toLocaleString('en')} rows, ${openers.length} simulated installations`
    const duringFirst = 'the first tenth of the batch'
    return {
      rows: [
        rowOf({ name: `${name}: intents stored`, unit: 'a second', samples: [rows / seconds] }),
        rowOf({
          name: `${name}: a part leased, during the last tenth`,
          unit: 'ms',
          samples: tally.take.last,
          beside: { what: duringFirst, samples: tally.take.first }
        }),
        rowOf({
          name: `${name}: ${sizes.atOnce} intents stored, during the last tenth`,
          unit: 'ms',
          samples: tally.intend.last,
          beside: { what: duringFirst, samples: tally.intend.first }
        }),
        rowOf({
          name: `progress of ${rows.toLocaleString('en')} rows by installation, first look`,
          unit: 'ms',
          samples: figures.slice(0, 1)
        }),
        rowOf({
          name: `progress of ${rows.toLocaleString('en')} rows by installation, later looks`,
          unit: 'ms',
          samples: figures.slice(1)
        }),
        rowOf({
          name: `who has the intents of ${sizes.page} of ${rows.toLocaleString('en')} rows`,
          unit: 'ms',
          samples: page
        })
      ],
      notes: [
        `Of ${rows.toLocaleString('en')} rows, ${sent.toLocaleString('en')} might be sent, ${twice.toLocaleString('en')} of them twice. ${tally.deaths.toLocaleString('en')} times an installation died in the middle of a part of ${batch.chunkRows} rows: it gave the part back when it started again, or its lease ended.`,
        `Leases and intents have ${Math.round(bytes / rows).toLocaleString('en')} bytes for each row, with their indexes.`
      ],
      faults: [
        ...(twice > 0 ? [`${twice} rows might be sent twice`] : []),
        ...(sent < rows ? [`${rows - sent} rows were never sent`] : []),
        ...(intents === rows ? [] : [`${intents} intents for ${rows} rows`])
      ]
    }
  } finally {
    await database.end()
  }
}
