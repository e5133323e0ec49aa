/** An erasure interrupted by a kill is done completely or not at all, and never without its event. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Engine } from '#store/engine/engine.ts'
import { add, answer, inFolder, opened, testKey } from './history-fixtures.ts'

const person = 'APP-VANISHING-7781'
const victim = fileURLToPath(new URL('./support/erasure-victim.ts', import.meta.url))

function erasedBy(folder: string, file: string, statement: string, nth: number): string | number | null {
  const { signal, status, stderr } = spawnSync(
    process.execPath,
    [victim, folder, testKey, person, file, statement, String(nth)],
    { encoding: 'utf8' }
  )
  if (status !== null && status !== 0) throw new Error(stderr)
  return signal ?? status
}
function prepared(folder: string): string {
  const engine = opened(folder)
  for (let n = 0; n < 5; n += 1) add(engine, { applicant: `APP-${n}` })
  const id = add(engine, { applicant: person }, answer('Vanishing Person was accepted'))
  engine.indexer.drain()
  engine.close()
  return id
}
/** What exists of the applicant and of the erasure. */
function state(engine: Engine, id: string) {
  const record = engine.queries.record(id)
  const rows = (db: 'history' | 'subjects', sql: string): number => engine.dbs[db].prepare(sql).pluck().get() as number
  return {
    erased: record.ok && record.value.erased === true,
    named: rows('subjects', `SELECT count(*) FROM subject WHERE applicant = '${person}'`),
    listed: rows('history', 'SELECT count(*) FROM reply_body'),
    found: engine.queries.page({ filter: { search: person }, limit: 10 }).records.length,
    inProgress: rows('subjects', 'SELECT count(*) FROM erasure'),
    receipts: engine.erasure.receipts(),
    whole: engine.verify().intact && engine.integrity() === 'ok'
  }
}

test.each([
  // Only the intent is on disk.
  ['subjects.db', 'BEGIN IMMEDIATE', 2],
  // The index entries are removed; the keys are about to be destroyed.
  ['subjects.db', 'COMMIT', 2]
] as const)(
  'killed before %s runs %s for the %i. time: still to be done, and done from its intent',
  (file, statement, nth) =>
    inFolder((folder) => {
      const id = prepared(folder)
      expect(erasedBy(folder, file, statement, nth)).toBe('SIGKILL')
      const engine = opened(folder)
      expect(state(engine, id)).toMatchObject({
        erased: false,
        named: 1,
        listed: 6,
        inProgress: 1,
        receipts: [],
        whole: true
      })
      const [intent, ...more] = engine.erasure.intended()
      expect(more).toEqual([])
      if (!intent) throw new Error('no intent')
      expect(intent).toMatchObject({ cause: 'request', reason: 'asked for by letter', operator: 'tester' })
      const { id: named, ...decided } = intent
      expect(engine.erasure.erase({ ...decided, intent: named })).toMatchObject({ ok: true, value: { id: named } })
      expect(state(engine, id)).toMatchObject({
        erased: true,
        named: 0,
        listed: 5,
        found: 0,
        inProgress: 1,
        receipts: [{ id: named, records: 1, copiesPending: true }],
        whole: true
      })
      engine.close()
    })
)

/** Clears copies as the console does at opening. */
function clear(engine: Engine): void {
  for (const { id, digests } of engine.erasure.uncleared()) {
    expect(digests).toHaveLength(2)
    expect(
      engine.erasure.cleared(id, {
        at: 1_770_000_000_001,
        operator: 'tester',
        backupsRewritten: 2,
        copiesNotReached: [],
        documentsNotDeleted: 0
      })
    ).toMatchObject({ ok: true })
  }
}
const noted = (engine: Engine, kind: string): number =>
  engine.dbs.history.prepare('SELECT count(*) FROM event WHERE kind = ?').pluck().get(kind) as number

test.each([
  // The keys are destroyed and their file is committed; the event is not.
  ['history.db', 'COMMIT', 2],
  // Both are committed, but the row does not show it yet.
  ['subjects.db', 'BEGIN IMMEDIATE', 3],
  // The copies have to be cleared, or were, without a record of it.
  ['subjects.db', 'BEGIN IMMEDIATE', 4],
  ['history.db', 'COMMIT', 4],
  // It was recorded, but the row does not show it yet.
  ['subjects.db', 'BEGIN IMMEDIATE', 5]
] as const)('killed before %s runs %s for the %i. time: finished at the next opening, once', (file, statement, nth) =>
  inFolder((folder) => {
    const id = prepared(folder)
    expect(erasedBy(folder, file, statement, nth)).toBe('SIGKILL')
    for (let opening = 0; opening < 2; opening += 1) {
      const engine = opened(folder)
      const gone = { erased: true, named: 0, listed: 5, found: 0, whole: true }
      const receipt = { cause: 'request', records: 1, by: 'tester', at: 1_770_000_000_000 }
      const pending = { inProgress: 1, receipts: [{ ...receipt, copiesPending: true }] }
      if (opening === 0) expect(state(engine, id)).toMatchObject({ ...gone, ...pending })
      clear(engine)
      const after = state(engine, id)
      expect(after).toMatchObject({ ...gone, inProgress: 0, receipts: [{ ...receipt, backupsRewritten: 2 }] })
      expect(after.receipts[0]?.copiesPending).toBeUndefined()
      expect([noted(engine, 'subject.erased'), noted(engine, 'copies.cleared')]).toEqual([1, 1])
      engine.close()
    }
  })
)

test('killed while being finished, it is finished at the next opening', () =>
  inFolder((folder) => {
    const id = prepared(folder)
    expect(erasedBy(folder, 'history.db', 'COMMIT', 2)).toBe('SIGKILL')
    // The process opens the history first: it dies there at the event, and then after it.
    expect(erasedBy(folder, 'history.db', 'COMMIT', 1)).toBe('SIGKILL')
    expect(erasedBy(folder, 'subjects.db', 'BEGIN IMMEDIATE', 2)).toBe('SIGKILL')
    const engine = opened(folder)
    clear(engine)
    const { receipts, ...rest } = state(engine, id)
    expect(receipts).toHaveLength(1)
    expect(rest).toMatchObject({ erased: true, named: 0, listed: 5, inProgress: 0, whole: true })
    engine.close()
  }))
