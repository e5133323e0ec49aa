/** The overview's figures of random periods compared with bare SQL for the same answer, alternately. */
import type { OverviewPeriod } from '#contract/history/overview.ts'
import { startOf } from '#store/projections/columns.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openEngine } from '#store/engine/opening.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { sideBySide } from '../side-by-side.ts'

/** Milliseconds at the 95th percentile. */
const aim = 50
const hour = 3_600_000
const day = 24 * hour
const within = 'started_at >= ? AND started_at < ?'

/** The statements that the same figures need. SQLite has no percentiles: the times are returned in order. */
const statements = [
  `SELECT operation, connection, state, status, resolved IS NULL, count(*) FROM record WHERE ${within} GROUP BY 1, 2, 3, 4, 5`,
  `SELECT started_at / ${hour} AS hour, state, count(*) FROM record WHERE ${within} GROUP BY 1, 2`,
  `SELECT operation, started_at / ${hour}, took FROM record WHERE ${within} AND state = 1 AND took IS NOT NULL ORDER BY operation, took`
]

/** Periods of a day to the whole history, at any place in it, in bars of an hour to a month. */
function periods(first: number, last: number, count: number): OverviewPeriod[] {
  let state = 1
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return Array.from({ length: count }, () => {
    const length = Math.min(last - first, Math.max(day, (last - first) * random() ** 2))
    const from = Math.floor((first + (last - first - length) * random()) / hour) * hour
    const bar = Math.max(hour, Math.ceil(length / 90 / hour) * hour)
    const edges = Array.from({ length: Math.ceil(length / bar) + 1 }, (_, index) => from + index * bar)
    return {
      edges,
      offsets: [
        { from: 0, minutes: 60 },
        { from: from + Math.floor(length / 2), minutes: 120 }
      ]
    }
  })
}

function rows(engine: Engine, count: number, progress: (text: string) => void): Row[] {
  const columns = engine.columns.all()
  const [first, last] = [startOf(columns, 1), startOf(columns, columns.last) + 1]
  const prepared = statements.map((sql) => engine.dbs.history.prepare(sql).raw())
  const bare = ({ edges }: OverviewPeriod): unknown =>
    prepared.map((statement) => statement.all(edges[0], edges.at(-1)))
  const row = (name: string, asked: readonly OverviewPeriod[], rounds: number): Row => {
    const { ours, beside } = sideBySide(
      asked.map((period) => [() => engine.overview.show(period), () => bare(period)]),
      rounds
    )
    progress(name)
    return rowOf({
      name,
      unit: 'ms',
      samples: ours,
      beside: { what: 'bare SQL', samples: beside, cannotWin: 'full scan' },
      aims: { p95: aim }
    })
  }
  const whole: OverviewPeriod = {
    edges: Array.from({ length: 105 }, (_, index) => Math.floor(first + ((last - first) * index) / 104)),
    offsets: [{ from: 0, minutes: 0 }]
  }
  const measured = [row('a random period', periods(first, last, count), 3), row('the whole history', [whole], 10)]
  const now = last + day
  while (engine.decisions.figures({ period: whole, before: { from: 0, until: 0 } }, now, Infinity).kind !== 'counted');
  const asked = periods(first, last, count)
  const { ours, beside } = sideBySide(
    asked.map((period) => [
      () => engine.decisions.figures({ period, before: { from: 0, until: period.edges[0] ?? 0 } }, now, Infinity),
      () =>
        engine.dbs.history
          .prepare('SELECT state, due < ?, count(*) FROM applicant WHERE first_at < ? GROUP BY 1, 2')
          .all(now, period.edges.at(-1))
    ]),
    3
  )
  progress('decisions and backlog of a random period')
  return [
    ...measured,
    rowOf({
      name: 'decisions and backlog of a random period',
      unit: 'ms',
      samples: ours,
      beside: { what: 'bare SQL, one moment of the backlog', samples: beside, cannotWin: 'full scan' },
      aims: { p95: aim }
    })
  ]
}

export async function measureOverview({ sized, history, progress }: BenchRun): Promise<Measured> {
  const { folder, masterKey } = await history(sized(1_000_000, 1000))
  const opened = openEngine({ folder, masterKey, now: Date.now() })
  if (!opened.ok) throw new Error(opened.failure.code)
  const { engine } = opened.value
  try {
    return {
      rows: rows(engine, sized(60, 6), progress),
      notes: [`The history holds ${engine.records.toLocaleString('en')} records.`]
    }
  } finally {
    engine.close()
  }
}
