/** The history's rows: the store's answer compared with bare SQL for the same answer, alternately. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { HistoryFilter, HistoryPageQuery } from '#contract/history/queries.ts'
import { startOf } from '#store/projections/columns.ts'
import type { Engine } from '#store/engine/engine.ts'
import { openEngine } from '#store/engine/opening.ts'
import { fileNames, type Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { folded } from '#kit/text/folding.ts'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured } from '../../figures/section.ts'
import type { BenchRun } from '../bench-run.ts'
import { sideBySide } from '../side-by-side.ts'

/**
 * Milliseconds at the 95th percentile; and the ratio to bare SQL, which is meaningless for answers under a millisecond.
 */
const aims = { p95: 50, ratio: { atMost: 1.5, orBelow: 1 } }
const fullScan = 'full scan'

const limit = 50
const day = 86_400_000

/** The index holds folded texts. */
const matchOf = (text: string): string => `"${folded(text)}"`

/** The records of a page in one statement: projection and sealed events. */
const pageSql = (where: string): string => `
  SELECT r.*, b.sealed AS asked, e.sealed AS answered FROM record r JOIN event b ON b.seq = r.begun
  LEFT JOIN event e ON e.seq = r.ended WHERE ${where} ORDER BY r.seq DESC LIMIT ${limit + 1}`

const searches = {
  'in nearly every record': ['https', 'example.com', 'message', 'files.example.com/20'],
  'in many records': ['accepted', 'Validation successful', 'Passport is valid', 'blurred'],
  'in few records': ['APP-00012', '502 Bad Gateway'],
  'in none': ['zzzqqq', 'nobody at all', 'APP-99999999'],
  'common trigrams that never meet': [
    'Document is valid',
    'Document matches the',
    'found in the document',
    'Applicant has expired'
  ]
}

/** Found in the details by bare SQL, and by the store in every record of these applicants. */
const namesOfApplicants = ['Okafor', 'Mirjam Haddad', 'leila', 'Zebulon']
const moreIsFound = 'all records of an applicant'

/** Filters of the history, and the same as conditions of SQL. */
function filtersOf(
  ops: ReturnType<typeof operationRefs>,
  first: number,
  last: number
): readonly [HistoryFilter, string][] {
  return [
    [{ states: ['unknown'] }, 'state = 4'],
    [{ statuses: [503] }, 'status = 503'],
    [{ statuses: [400, 404], states: ['answered'] }, 'status IN (400, 404) AND state = 1'],
    [
      { operations: ['validate-passport'], statuses: [500] },
      `operation = ${ops.get('validate-passport')} AND status = 500`
    ],
    [
      { connections: ['00000000-0000-4000-8000-000000000004'], states: ['not-sent'] },
      `connection IN (SELECT ref FROM connection WHERE id = '00000000-0000-4000-8000-000000000004') AND state = 3`
    ],
    [
      { from: first + 100.5 * day, until: first + 101.5 * day },
      `started_at >= ${first + 100.5 * day} AND started_at < ${first + 101.5 * day}`
    ],
    [
      { unresolved: true, from: last - 400 * day },
      `state = 4 AND resolved IS NULL AND started_at >= ${last - 400 * day}`
    ],
    [{ states: ['open'], statuses: [503] }, 'state = 0 AND status = 503']
  ]
}

type Answers = (text: string) => () => unknown
const inPairs = (texts: readonly string[], ours: Answers, bare: Answers) =>
  texts.map((text): [() => unknown, () => unknown] => [ours(text), bare(text)])

function historyRows(engine: Engine, rounds: number, progress: (text: string) => void): Row[] {
  const {
    queries,
    dbs: { history, search, subjects }
  } = engine
  const columns = engine.columns.all()
  const rows: Row[] = []
  const first = startOf(columns, 1)
  const last = startOf(columns, columns.last)
  const keyOf = subjects.prepare('SELECT key FROM subject WHERE ref = ?').pluck()
  /** Runs the statement and opens the sealed rows, so that both sides give the same answer. */
  const opening = (statement: ReturnType<Db['prepare']>): { all(...values: unknown[]): unknown } => ({
    all: (...values) =>
      (statement.all(...values) as { subject: number; asked: Buffer; answered: Buffer | null }[]).map((row) => {
        const key = keyOf.get(row.subject) as Buffer
        const asked = JSON.parse(unseal(key, 'record.begun', row.asked)?.payload ?? '{}') as unknown
        const answered =
          row.answered && (JSON.parse(unseal(key, 'record.ended', row.answered)?.payload ?? '{}') as unknown)
        return [row, asked, answered]
      })
  })
  const records = opening(history.prepare(pageSql('r.seq <= ?')))
  const onePage = (query: Omit<HistoryPageQuery, 'limit'>): unknown => queries.page({ limit, ...query })
  const add = (
    work: string,
    variants: readonly [ours: () => unknown, bare: () => unknown][],
    bareSql: readonly string[] = [],
    cannotWin = bareSql.some((sql) => looksThroughAll(history, sql)) ? fullScan : undefined
  ): void => {
    const { ours, beside } = sideBySide(variants, rounds)
    rows.push(
      rowOf({
        name: work,
        unit: 'ms',
        samples: ours,
        beside: { what: 'bare SQL', samples: beside, ...(cannotWin !== undefined && { cannotWin }) },
        aims: cannotWin === undefined ? aims : { p95: aims.p95 }
      })
    )
    progress(work)
  }
  const seqs = Array.from({ length: 8 }, (_, n) => Math.max(1, Math.floor((columns.last * (n + 1)) / 8)))

  add('first page', [[() => onePage({ filter: {} }), () => records.all(columns.last)]])
  add(
    'a page anywhere, the last one included',
    [...seqs, limit + 1].map((seq) => [() => onePage({ filter: {}, before: seq }), () => records.all(seq - 1)])
  )
  const byTime = opening(history.prepare(pageSql('r.started_at <= ?')))
  add(
    'jump to a date',
    seqs.map((seq) => [
      () => onePage({ filter: {}, at: startOf(columns, seq) }),
      () => byTime.all(startOf(columns, seq))
    ]),
    [pageSql('r.started_at <= ?')]
  )

  const filters = filtersOf(operationRefs(history), first, last)
  const filtered = new Map(filters.map(([, where]) => [where, opening(history.prepare(pageSql(where)))]))
  const opened = (where: string): unknown => filtered.get(where)?.all()
  add(
    'a filter’s first page',
    filters.map(([filter, where]) => [() => onePage({ filter }), () => opened(where)]),
    filters.map(([, where]) => pageSql(where))
  )
  add(
    'a filter’s counts, every facet',
    filters.map(([filter, where]) => [() => queries.counts(filter), facets(history, where)]),
    filters.map(([, where]) => facetSql(where))
  )
  add('counts of everything', [[() => queries.counts({}), facets(history, '1')]], [facetSql('1')])

  const found = search
    .prepare(`SELECT DISTINCT rowid / 4 FROM trigram WHERE trigram MATCH ? ORDER BY rowid DESC LIMIT ${limit + 1}`)
    .pluck()
  const bySeqs = opening(history.prepare(pageSql('r.seq IN (SELECT value FROM json_each(?))')))
  const bareSearch = (text: string, where?: string) => {
    const fits = where ? history.prepare(`SELECT 1 FROM record WHERE seq = ? AND ${where}`).pluck() : undefined
    const all = search.prepare('SELECT rowid / 4 FROM trigram WHERE trigram MATCH ? ORDER BY rowid DESC').pluck()
    return (): unknown => {
      if (!fits) return bySeqs.all(JSON.stringify(found.all(matchOf(text))))
      const hits: number[] = []
      for (const seq of all.iterate(matchOf(text)) as IterableIterator<number>)
        if (fits.get(seq) && hits.push(seq) > limit) break
      return bySeqs.all(JSON.stringify(hits))
    }
  }
  for (const [what, texts] of Object.entries(searches)) {
    add(
      `search, ${what}: page`,
      texts.map((text) => [() => onePage({ filter: { search: text } }), bareSearch(text)])
    )
  }
  const below = search
    .prepare(
      `SELECT DISTINCT rowid / 4 FROM trigram WHERE trigram MATCH ? AND rowid < CAST(? AS INTEGER) ORDER BY rowid DESC LIMIT ${limit + 1}`
    )
    .pluck()
  const bareBelow = (text: string, seq: number): unknown =>
    bySeqs.all(JSON.stringify(below.all(matchOf(text), seq * 4)))
  for (const text of ['https', 'accepted'])
    add(
      `search “${text}”, a page anywhere`,
      seqs.map((seq) => [() => onePage({ filter: { search: text }, before: seq }), () => bareBelow(text, seq)])
    )
  const counting = search
    .prepare('SELECT rowid / 4 FROM trigram WHERE trigram MATCH ? ORDER BY rowid DESC LIMIT 10001')
    .pluck()
  const byFacet = history.prepare(
    'SELECT operation, connection, state, status, count(*) FROM record WHERE seq IN (SELECT value FROM json_each(?)) GROUP BY 1, 2, 3, 4'
  )
  for (const [what, texts] of Object.entries(searches)) {
    add(
      `search, ${what}: counts`,
      texts.map((text) => [
        () => queries.counts({ search: text }),
        () => byFacet.all(JSON.stringify(counting.all(matchOf(text))))
      ])
    )
  }
  const searchFor = (text: string) => () => onePage({ filter: { search: text } })
  add('search for a name: page', inPairs(namesOfApplicants, searchFor, bareSearch), [], moreIsFound)
  const combined: readonly [string, HistoryFilter, string][] = [
    ['https', { statuses: [503] }, 'status = 503'],
    [
      'accepted',
      { connections: ['00000000-0000-4000-8000-000000000004'] },
      `connection IN (SELECT ref FROM connection WHERE id = '00000000-0000-4000-8000-000000000004')`
    ],
    [
      'example',
      { from: first + 30 * day, until: first + 31 * day },
      `started_at >= ${first + 30 * day} AND started_at < ${first + 31 * day}`
    ],
    ['blurred', { states: ['answered'] }, 'state = 1'],
    ['nginx', { statuses: [200] }, 'status = 200']
  ]
  add(
    'search with a filter or a period: page',
    combined.map(([text, filter, where]) => [
      () => onePage({ filter: { ...filter, search: text } }),
      bareSearch(text, where)
    ])
  )
  return rows
}

const prepared = (db: Db, sql: string): (() => unknown) => {
  const statement = db.prepare(sql)
  return () => statement.all()
}

const facetSql = (where: string): string =>
  `SELECT operation, connection, state, status, count(*) FROM record WHERE ${where} GROUP BY 1, 2, 3, 4`
const facets = (db: Db, where: string): (() => unknown) => prepared(db, facetSql(where))

/** Whether SQLite scans every record for the answer: it then cannot be faster than a store with an index. */
function looksThroughAll(db: Db, sql: string): boolean {
  const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from(sql.matchAll(/\?/g), () => 0)) as {
    readonly detail: string
  }[]
  return plan.some(({ detail }) => /^SCAN (?:r|record)\b/.test(detail))
}

const operationRefs = (db: Db): Map<string, number> =>
  new Map(
    (db.prepare('SELECT id, ref FROM operation').all() as { id: string; ref: number }[]).map(({ id, ref }) => [id, ref])
  )

/** Pages, searches, filters, counts and jumps in a history with a million records. */
export async function measureAnswers({ sized, history, progress }: BenchRun): Promise<Measured> {
  const { folder, masterKey } = await history(sized(1_000_000, 1000))
  const opened = openEngine({ folder, masterKey, now: Date.now() })
  if (!opened.ok) throw new Error(opened.failure.code)
  const { engine } = opened.value
  try {
    const sizes = Object.values(fileNames).map(
      (name) => `${name} ${Math.round(statSync(join(folder, name)).size / 1e6).toLocaleString('en')} MB`
    )
    return {
      rows: historyRows(engine, sized(20, 3), progress),
      notes: [`The history holds ${engine.records.toLocaleString('en')} records: ${sizes.join(', ')}.`]
    }
  } finally {
    engine.close()
  }
}
