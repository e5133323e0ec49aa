/** The work queue and a case of a large history: the store's answers compared with bare SQL for the least of the same, alternately. */
import type { QueueFilter, QueueQuery } from '#contract/applicants/queue.ts'
import { startOf } from '#store/projections/columns.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openEngine } from '#store/engine/opening.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { sideBySide } from '../side-by-side.ts'
import { withCopy } from '../seeded-histories.ts'

/** Milliseconds at the 95th percentile: of the queue’s answers, which go through all that waits, and of a case. */
const aims = { queue: 200, case: 50 }
const limit = 100
const day = 86_400_000

/** States that wait, counted as in the file. */
const waiting = 'state IN (0, 3, 4)'

function queueRows(engine: Engine, rounds: number, now: number, progress: (text: string) => void): Row[] {
  const { queue, dbs } = engine
  const ask = (query: Partial<QueueQuery>): unknown => queue.page({ limit, ...query }, now)
  const from = performance.now()
  ask({})
  const loading = performance.now() - from
  progress('the queue is loaded')
  const byDue = dbs.history.prepare(
    `SELECT subject, due, first_at FROM applicant WHERE ${waiting} ORDER BY due IS NULL, due, first_at LIMIT ${limit}`
  )
  const counts = dbs.history.prepare(`SELECT state, due < ?, count(*) FROM applicant WHERE ${waiting} GROUP BY 1, 2`)
  const bare = (): unknown => [byDue.all(), counts.all(now)]
  let asked = 0
  const row = (name: string, queries: readonly Partial<QueueQuery>[]): Row => {
    const { ours, beside } = sideBySide(
      queries.map(({ filter, ...query }) => [
        // Another question each time: the last answer is kept.
        () => ask({ ...query, filter: { ...filter, until: now + (asked += 1) } }),
        bare
      ]),
      rounds
    )
    progress(name)
    return rowOf({
      name,
      unit: 'ms',
      samples: ours,
      beside: {
        what: 'bare SQL, without names, messages and counts of every filter',
        samples: beside,
        cannotWin: 'full scan'
      },
      aims: { p95: aims.queue }
    })
  }
  const filters: readonly QueueFilter[] = [
    { due: ['overdue'] },
    { kinds: ['open'] },
    { assignees: [''] },
    { operations: ['validate-passport'] },
    { meanings: ['unreviewed'] },
    { from: now - 30 * day }
  ]
  const searches = ['okafor', 'APP-0001', 'Document is blurred', 'zzzqqq']
  return [
    rowOf({
      name: 'the queue, read for its first page',
      unit: 'ms',
      samples: [loading]
    }),
    row(
      'a page of the queue anywhere, with the counts of every filter',
      [0, 500, 1000, 2500].map((offset) => ({ offset }))
    ),
    row(
      'a filter of the queue: its page and counts',
      filters.map((filter) => ({ filter }))
    ),
    row(
      'a search in the queue: its page and counts',
      searches.map((search) => ({ filter: { search } }))
    )
  ]
}

function caseRow(engine: Engine, rounds: number, now: number): Row {
  const ids = engine.queue
    .page({ limit }, now)
    .items.flatMap((item) => (item.kind === 'unresolved' ? [] : [item.applicant.id]))
  const { read } = engine.applicants
  const records = engine.dbs.history.prepare(
    `SELECT r.*, b.sealed AS asked, e.sealed AS answered FROM record r JOIN event b ON b.seq = r.begun
     LEFT JOIN event e ON e.seq = r.ended WHERE r.subject = ? ORDER BY r.seq DESC`
  )
  const { ours, beside } = sideBySide(
    ids.map((applicantId) => [
      () => [read.show(applicantId), read.answers(applicantId), read.timeline({ applicantId, limit: 50 })],
      () => records.all(read.find(applicantId)?.subject)
    ]),
    rounds
  )
  return rowOf({
    name: 'a case: the person, the standing answers and the timeline',
    unit: 'ms',
    samples: ours,
    beside: { what: 'bare SQL, nothing opened', samples: beside, cannotWin: 'records alone' },
    aims: { p95: aims.case }
  })
}

/** From a decision to the queue’s next page. */
function decisionRow(engine: Engine, times: number, now: number): Row {
  const samples: number[] = []
  const { read } = engine.applicants
  for (let time = 0; time < times; time += 1) {
    const [item] = engine.queue.page({ limit: 1, filter: { kinds: ['open'] } }, now).items
    if (!item || item.kind === 'unresolved') break
    const shown = read.show(item.applicant.id)
    if (!shown.ok) throw new Error(shown.failure.code)
    const { id: applicantId, evidence } = shown.value
    const begun = performance.now()
    const [made] = engine.commit([
      (writer) =>
        engine.applicants.decide(
          writer,
          { applicantId, decision: 'approve', reasons: [], note: '', evidence },
          { at: now, operator: 'tester' }
        )
    ])
    engine.queue.page({ limit }, now)
    samples.push(performance.now() - begun)
    if (!made?.ok) throw new Error(made?.failure.code)
  }
  return rowOf({
    name: 'a decision, synced to disk, and the queue’s page after it',
    unit: 'ms',
    samples,
    aims: { p95: aims.queue }
  })
}

export async function measureQueue({ sized, history, progress }: BenchRun): Promise<Measured> {
  return withCopy(await history(sized(1_000_000, 1000)), async ({ folder, masterKey }) => {
    const opened = openEngine({ folder, masterKey, now: Date.now() })
    if (!opened.ok) throw new Error(opened.failure.code)
    const { engine } = opened.value
    try {
      const columns = engine.columns.all()
      const now = startOf(columns, columns.last) + day
      const rounds = sized(20, 3)
      const rows = [
        ...queueRows(engine, rounds, now, progress),
        caseRow(engine, rounds, now),
        decisionRow(engine, sized(100, 5), now)
      ]
      const { total } = engine.queue.page({ limit: 1, filter: { until: now } }, now)
      return {
        rows,
        notes: [
          `The history holds ${engine.records.toLocaleString('en')} records; ${total.toLocaleString('en')} applicants and unknown outcomes wait.`
        ]
      }
    } finally {
      engine.close()
    }
  })
}
