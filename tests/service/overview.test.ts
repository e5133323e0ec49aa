/**
 * The overview compared with a plain count of all records, after random sequences of what changes them: verifications,
 * resolutions, erasures, restores, and openings with and without the index.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstOperation, operationIds } from '#contract/verification/operations.ts'
import {
  ageLimits,
  overviewPeriodSchema,
  timeTolerance,
  type OverviewFigures,
  type OverviewPeriod,
  type ResponseTimes
} from '#contract/history/overview.ts'
import type { RecordEnding, RecordSummary } from '#contract/history/records.ts'
import { OverviewReader } from '#store/overview/overview.ts'
import { RecordColumns } from '#store/projections/columns.ts'
import { classOfTime, responseTimes, timeClasses } from '#store/projections/response-times.ts'
import { add, answer, connectionNamed, inFolder, intentOf, lost, opened, unsent } from './history-fixtures.ts'
import { openWorkspace, store, value, type Workspace } from './support/erasure-workspace.ts'

const start = 1_760_000_000_000
const day = 86_400_000
const connections = ['a', 'b', 'c'].map((letter) =>
  connectionNamed(letter.toUpperCase(), `00000000-0000-4000-8000-00000000000${letter}`)
)
const applicants = ['APP-1', 'APP-2', 'APP-3', 'APP-4'] as const
const by = { at: start + 41 * day, operator: 'tester' }

const endings: Readonly<
  Record<'answered' | 'invalid-response' | 'lost' | 'unsent', (took: number, status: number) => RecordEnding>
> = {
  'answered': (took, status) => ({ ...answer('Accepted', status), took }),
  'invalid-response': (took) => ({
    ...answer('', 502, '<p>A gateway</p>'),
    took,
    outcome: 'invalid-response',
    message: undefined
  }),
  'lost': () => lost,
  'unsent': () => unsent
}
const begin = {
  operation: fc.constantFrom(...operationIds),
  connection: fc.constantFrom(...connections),
  applicant: fc.constantFrom(...applicants),
  // Not in the order of the events: clocks are set back.
  startedAt: fc.integer({ min: start, max: start + 40 * day })
}
type Done = { readonly ending: keyof typeof endings; readonly took: number; readonly status: number }
const done: { readonly [Name in keyof Done]: fc.Arbitrary<Done[Name]> } = {
  ending: fc.constantFrom('answered', 'answered', 'answered', 'invalid-response', 'lost', 'lost', 'unsent'),
  took: fc.double({ min: 0.2, max: 120_000, noNaN: true }),
  status: fc.constantFrom(200, 200, 404, 429, 503)
}
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('verified' as const),
      all: fc.array(fc.record({ ...begin, ...done }), { minLength: 1, maxLength: 8 })
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('begun' as const), ...begin }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('ended' as const), ...done }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('resolved' as const),
      which: fc.nat(),
      as: fc.constantFrom('processed' as const, 'not-processed' as const)
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('due' as const), applicantId: begin.applicant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('erased' as const), applicantId: begin.applicant }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'backed up' as const,
        'restored' as const,
        'opened again' as const,
        'indexed again' as const
      )
    })
  }
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Bars of any length, in local time that is not whole hours from UTC and changes at any moment. */
const period: fc.Arbitrary<OverviewPeriod> = fc
  .record({
    edges: fc.uniqueArray(fc.integer({ min: start - day, max: start + 41 * day }), { minLength: 2, maxLength: 60 }),
    changes: fc.uniqueArray(fc.integer({ min: start, max: start + 40 * day }), { maxLength: 3 }),
    minutes: fc.array(fc.constantFrom(0, 60, 345, 330, -210, 630, 660, -600), { minLength: 4, maxLength: 4 })
  })
  .map(({ edges, changes, minutes }) => ({
    edges: edges.sort((a, b) => a - b),
    offsets: [0, ...changes.sort((a, b) => a - b)].map((from, index) => ({ from, minutes: minutes[index] ?? 0 }))
  }))

const countBy = <T>(all: readonly T[], of: (one: T) => string | number | undefined): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const one of all) {
    const key = of(one)
    if (key !== undefined) counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

/** The exact median and 95th percentile, by nearest rank; within the tolerance of what was found. */
function expectTimes(found: ResponseTimes | undefined, records: readonly RecordSummary[]): void {
  const times = records
    .flatMap(({ state, took }) => (state === 'answered' && took !== undefined ? [took] : []))
    .sort((a, b) => a - b)
  expect(found?.count ?? 0).toBe(times.length)
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95]
  ] as const) {
    const exact = times[Math.ceil(times.length * share) - 1]
    if (exact === undefined || !found) continue
    expect(Math.abs(found[name] - exact) / exact, `${name} ${found[name]} of ${exact}`).toBeLessThanOrEqual(
      timeTolerance + 1e-9
    )
  }
}

const firstOf = (all: readonly RecordSummary[]): number => Math.min(...all.map(({ startedAt }) => startedAt))

function expectFigures(figures: OverviewFigures, all: readonly RecordSummary[], asked: OverviewPeriod): void {
  const { edges } = asked
  const within = (from: number, until: number) => all.filter(({ startedAt }) => startedAt >= from && startedAt < until)
  const records = within(edges[0] ?? 0, edges.at(-1) ?? 0)
  expect(figures.total).toBe(records.length)
  expect(figures.firstAt).toBe(all.length === 0 ? undefined : firstOf(all))
  expect(figures.states).toEqual(countBy(records, ({ state }) => state))
  expect(figures.statuses).toEqual(countBy(records, ({ status }) => status))
  expect(figures.unresolved).toBe(records.filter(({ state, resolved }) => state === 'unknown' && !resolved).length)
  expectTimes(figures.times, records)
  expect(figures.bars.map(({ from, until }) => [from, until])).toEqual(
    edges.slice(1).map((until, index) => [edges[index], until])
  )
  for (const bar of figures.bars) {
    const inside = within(bar.from, bar.until)
    expect(bar.states).toEqual(countBy(inside, ({ state }) => state))
    expectTimes(bar.times, inside)
  }
  expect(Object.fromEntries(figures.operations.map(({ id, count }) => [id, count]))).toEqual(
    countBy(records, ({ operation }) => operation)
  )
  for (const { id, times } of figures.operations)
    expectTimes(
      times,
      records.filter(({ operation }) => operation === id)
    )
  expect(Object.fromEntries(figures.connections.map(({ id, count }) => [id, count]))).toEqual(
    countBy(records, ({ connection }) => connection.id)
  )
  for (const { id, states } of figures.connections)
    expect(states).toEqual(
      countBy(
        records.filter(({ connection }) => connection.id === id),
        ({ state }) => state
      )
    )
}

async function allRecords(one: Workspace): Promise<RecordSummary[]> {
  const records: RecordSummary[] = []
  for (let before: number | undefined; ; before = records.at(-1)?.seq) {
    const page = await value(store(one).page({ filter: {}, limit: 200, ...(before !== undefined && { before }) }))
    records.push(...page.records)
    if (!page.older) return records
  }
}

/** Compares everything with a full count. */
async function compare(one: Workspace, asked: OverviewPeriod): Promise<void> {
  await expect
    .poll(async () => (await value(store(one).overview.show(asked))).kind, { timeout: 60_000 })
    .toBe('counted')
  const figures = await value(store(one).overview.show(asked))
  expectFigures(figures as OverviewFigures, await allRecords(one), asked)

  const now = start + 41 * day
  const { items } = await value(store(one).queue.page({ filter: { kinds: ['unresolved'] }, limit: 200 }, now))
  const { ages } = await value(store(one).overview.waiting(now))
  expect(ages).toHaveLength(ageLimits.length + 1)
  for (const { from = -Infinity, until = Infinity, unresolved } of ages)
    expect(unresolved).toBe(items.filter(({ since }) => since >= from && since < until).length)
}

/** What happened in a sequence; a sequence in which nothing was erased or restored proves less. */
async function perform(
  one: Workspace,
  dataFolder: string,
  steps: readonly Step[],
  asked: OverviewPeriod,
  seen: Map<string, number>
): Promise<void> {
  const open: string[] = []
  const unknown: string[] = []
  const finish = async (id: string, { ending, took, status }: Done): Promise<boolean> => {
    const finished = await store(one).finish(id, endings[ending](took, status))
    if (finished.ok && ending === 'lost') unknown.push(id)
    return finished.ok
  }
  let backup: string | undefined
  for (const each of steps) {
    let took = true
    if (each.kind === 'verified') {
      await Promise.all(
        each.all.map(async (check) => finish((await value(store(one).begin(intentOf(check)))).id, check))
      )
    } else if (each.kind === 'begun') {
      open.push((await value(store(one).begin(intentOf(each)))).id)
    } else if (each.kind === 'ended') {
      const id = open.pop()
      took = id !== undefined && (await finish(id, each))
    } else if (each.kind === 'resolved') {
      const id = unknown.splice(each.which % Math.max(1, unknown.length), 1)[0]
      took = id !== undefined && (await store(one).resolve(id, each.as, '', by)).ok
    } else if (each.kind === 'due') {
      took = (await store(one).applicants.due({ applicantId: each.applicantId, due: by.at }, by)).ok
    } else if (each.kind === 'erased') {
      took = (await one.retention.erase(each.applicantId, each.applicantId, 'asked for by letter')).ok
    } else if (each.kind === 'backed up') {
      backup = (await value(one.backups.make())).id
    } else if (each.kind === 'restored') {
      took = backup !== undefined
      if (backup !== undefined) await value(one.backups.restore(backup))
    } else {
      await one.current.whileClosed(async () => {
        const files = readdirSync(join(dataFolder, 'history')).filter((name) => name.startsWith('search.db'))
        if (each.kind === 'indexed again') for (const name of files) rmSync(join(dataFolder, 'history', name))
      })
    }
    if (took) seen.set(each.kind, (seen.get(each.kind) ?? 0) + 1)
    if (took && ['erased', 'restored', 'opened again', 'indexed again'].includes(each.kind)) await compare(one, asked)
  }
  await compare(one, asked)
}

describe('the figures of any period', () => {
  test('are those of a plain count after any sequence of changes', { timeout: 600_000 }, async () => {
    const seen = new Map<string, number>()
    // A sequence in which each of them has an effect, and others at random.
    const fixed: Step[] = [
      {
        kind: 'verified',
        all: Array.from({ length: 12 }, (_, n) => ({
          operation: operationIds[n % operationIds.length]!,
          connection: connections[n % 3]!,
          applicant: applicants[n % 4]!,
          startedAt: start + n * 3 * day,
          ending: n % 3 === 0 ? ('lost' as const) : ('answered' as const),
          took: 40 * (n + 1),
          status: 200
        }))
      },
      { kind: 'backed up' },
      { kind: 'resolved', which: 1, as: 'processed' },
      { kind: 'due', applicantId: 'APP-2' },
      { kind: 'erased', applicantId: 'APP-1' },
      { kind: 'begun', operation: firstOperation, connection: connections[0]!, applicant: 'APP-3', startedAt: start },
      { kind: 'ended', ending: 'answered', took: 90, status: 404 },
      { kind: 'opened again' },
      { kind: 'restored' },
      { kind: 'indexed again' }
    ]
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 14 }), period, async (steps, asked) => {
        expect(overviewPeriodSchema.safeParse(asked).success).toBe(true)
        const dataFolder = mkdtempSync(join(tmpdir(), 'veridesk-overview-'))
        const one = await openWorkspace(dataFolder)
        try {
          await perform(one, dataFolder, steps, asked, seen)
        } finally {
          await one.current.close()
          rmSync(dataFolder, { recursive: true, force: true })
        }
      }),
      {
        numRuns: 8,
        endOnFailure: true,
        examples: [
          [
            fixed,
            { edges: Array.from({ length: 42 }, (_, n) => start + n * day), offsets: [{ from: 0, minutes: 345 }] }
          ]
        ]
      }
    )
    for (const kind of [
      'verified',
      'begun',
      'ended',
      'resolved',
      'due',
      'erased',
      'backed up',
      'restored',
      'opened again',
      'indexed again'
    ])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(0)
  })

  test('are those of a plain count, kept up to date and read anew', () => {
    const change = fc.record({ begun: fc.record(begin), done: fc.option(fc.record(done)), resolve: fc.boolean() })
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.array(period, { minLength: 4, maxLength: 4 }),
        (changes, asked) => {
          const engine = opened()
          engine.columns.all()
          for (const { begun, done: ending, resolve } of changes) {
            const id = add(engine, begun, ending ? endings[ending.ending](ending.took, ending.status) : null)
            if (resolve) engine.commit([(writer) => writer.resolve(id, 'processed', '', by)])
          }
          const records = engine.queries.page({ filter: {}, limit: 200 }).records
          const anew = new RecordColumns(engine.dbs.history)
          anew.all()
          const read = new OverviewReader({
            history: engine.dbs.history,
            columns: anew,
            dictionary: engine.writer.dictionary,
            batches: engine.batches.read
          })
          for (const each of asked) {
            const figures = engine.overview.show(each)
            if (figures.kind !== 'counted') throw new Error('still counting')
            expectFigures(figures, records, each)
            const { id } = connections[0]!
            const narrowed = engine.overview.show(each, id)
            if (narrowed.kind !== 'counted') throw new Error('still counting')
            const ofOne = records.filter(({ connection }) => connection.id === id)
            const { firstAt: _, ...figuresOfOne } = narrowed
            expectFigures(ofOne.length === 0 ? figuresOfOne : { ...figuresOfOne, firstAt: firstOf(ofOne) }, ofOne, each)
            expect(read.show(each)).toEqual(figures)
          }
        }
      ),
      { numRuns: 30 }
    )
  })

  test('say how far the counting is until all records have been read', () =>
    inFolder((folder) => {
      const before = opened(folder)
      for (let n = 0; n < 30; n += 1)
        add(before, { applicant: `APP-${n}`, startedAt: start + n * 1000 }, n % 3 === 0 ? lost : undefined)
      before.close()
      const engine = opened(folder)
      const asked = { edges: [start, start + 15_000, start + day], offsets: [{ from: 0, minutes: 0 }] }
      expect(engine.overview.show(asked)).toEqual({ kind: 'counting', counted: 0, of: 30 })
      engine.columns.step(10)
      expect(engine.overview.show(asked)).toEqual({ kind: 'counting', counted: 10, of: 30 })
      // What is written meanwhile is counted once.
      add(engine, { startedAt: start + 40_000 })
      while (engine.columns.step(10));
      expect(engine.overview.show(asked)).toMatchObject({
        kind: 'counted',
        total: 31,
        bars: [{ states: { answered: 10, unknown: 5 } }, { states: { answered: 11, unknown: 5 } }]
      })
      engine.close()
    }))
})

describe('response times', () => {
  test('are within the tolerance from a tenth of a millisecond to a week', () => {
    fc.assert(
      fc.property(fc.double({ min: Math.log(0.1), max: Math.log(7 * day), noNaN: true }), (log) => {
        const ms = Math.exp(log)
        const counts = new Uint32Array(timeClasses)
        counts[classOfTime(ms)] = 1
        const found = responseTimes(counts)
        expect(found?.count).toBe(1)
        expect(Math.abs((found?.median ?? 0) - ms) / ms).toBeLessThanOrEqual(timeTolerance + 1e-9)
      }),
      { numRuns: 2000 }
    )
    expect([classOfTime(null), classOfTime(0), classOfTime(1e300)]).toEqual([0, 1, timeClasses - 1])
    expect(responseTimes(new Uint32Array(timeClasses))).toBeUndefined()
  })
})
