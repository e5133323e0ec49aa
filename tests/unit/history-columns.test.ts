/** The columns for filters and counts: complete for each query, however much of them had been read before. */
import { expect, it } from 'vitest'
import type { Engine } from '#store/engine/engine.ts'
import { RecordColumns } from '#store/projections/columns.ts'
import { needsColumns } from '#store/search/queries.ts'
import { add, inFolder, intentOf, lost, opened } from '../service/history-fixtures.ts'

const records = 30

function filled(engine: Engine): void {
  for (let n = 0; n < records; n += 1)
    add(engine, { applicant: `APP-${n}`, startedAt: 1_760_000_000_000 + n * 1000 }, n % 3 === 0 ? lost : undefined)
}

it('counts what is committed while they are read, once each', () => {
  const engine = opened()
  filled(engine)
  const columns = new RecordColumns(engine.dbs.history)
  expect(columns.isWhole).toBe(false)
  expect(columns.last).toBe(records)
  expect(columns.step(10)).toBe(true)
  // One that was read, one that was not, and a new one.
  for (const id of engine.dbs.history
    .prepare('SELECT lower(hex(id)) FROM record WHERE seq IN (1, 28)')
    .pluck()
    .all() as string[]) {
    const dashed = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    expect(
      engine.commit([
        (writer) => writer.resolve(dashed, 'processed', '', { at: 1_760_000_100_000, operator: 'tester' })
      ])[0]
    ).toMatchObject({ ok: true })
  }
  const row = (seq: number) =>
    engine.dbs.history
      .prepare(`SELECT seq, started_at, operation, connection, state, status, resolved, took FROM record WHERE seq = ?`)
      .get(seq) as Parameters<RecordColumns['set']>[0]
  columns.set(row(1))
  columns.set(row(28))
  engine.commit([(writer) => writer.begin(intentOf())])
  columns.set(row(records + 1))
  expect(columns.last).toBe(records + 1)
  const { unresolved, last, state, startedAt } = columns.all()
  const fresh = new RecordColumns(engine.dbs.history).all()
  expect({ unresolved, last }).toEqual({ unresolved: 8, last: records + 1 })
  expect([fresh.unresolved, fresh.last]).toEqual([8, records + 1])
  for (let seq = 1; seq <= last; seq += 1)
    expect([state[seq], startedAt[seq]], `${seq}`).toEqual([fresh.state[seq], fresh.startedAt[seq]])
})

it('counts without a filter what it counts with one that drops nothing', () => {
  const engine = opened()
  filled(engine)
  engine.commit([(writer) => writer.begin(intentOf({ operation: 'get-applicant-details' }))])
  const all = engine.queries.counts({})
  expect(all).toMatchObject({ total: records + 1, states: { answered: 20, unknown: 10, open: 1 } })
  expect(all).toEqual(engine.queries.counts({ from: 0 }))
  engine.close()
})

it('answers the first page of a history that was just opened without them', () =>
  inFolder((folder) => {
    const before = opened(folder)
    filled(before)
    before.close()
    const engine = opened(folder)
    const page = { filter: {}, limit: 20 }
    expect(needsColumns(page)).toBe(false)
    const first = engine.queries.page(page)
    expect(first.records.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => records - n))
    expect(first).toMatchObject({ older: true, newer: false })
    expect(engine.queries.page({ filter: { search: 'APP-29' }, limit: 5 }).records.map(({ seq }) => seq)).toEqual([
      records
    ])
    expect(engine.columns.isWhole).toBe(false)
    // Every user of them gets them complete.
    expect(engine.queries.counts({})).toMatchObject({ total: records, unresolved: 10 })
    expect(engine.columns.isWhole).toBe(true)
    engine.close()
  }))

it.each([
  [{ filter: {}, limit: 1 }, false],
  [{ filter: { search: 'blurred', unresolved: false }, limit: 1 }, false],
  [{ filter: { search: 'AB' }, limit: 1 }, true],
  [{ filter: { states: ['unknown' as const] }, limit: 1 }, true],
  [{ filter: { from: 0 }, limit: 1 }, true],
  [{ filter: {}, limit: 1, at: 5 }, true]
])('knows which pages need them: %j', (query, needed) => {
  expect(needsColumns(query)).toBe(needed)
})
