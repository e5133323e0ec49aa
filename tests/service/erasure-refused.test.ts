/** An erasure that stops after the index and before destroying anything: the record becomes searchable again. */
import { expect, test } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import type { Engine } from '#store/engine/engine.ts'
import { add, answer, inFolder, opened } from './history-fixtures.ts'

const person = 'APP-VANISHING-7781'
const order = { cause: 'request', reason: 'asked for by letter', at: 1, operator: 'tester' } as const

function prepared(folder: string): {
  readonly engine: Engine
  readonly id: string
  readonly subjects: readonly number[]
} {
  const engine = opened(folder)
  const id = add(engine, { applicant: person }, answer('Vanishing Person was accepted'))
  add(engine, { applicant: 'APP-OTHER' })
  engine.indexer.drain()
  const scope = engine.erasure.scope(person)
  if (!scope.ok) throw new Error(sentencesOf(scope.failure).what)
  return { engine, id, subjects: scope.value.people }
}
const found = (engine: Engine): readonly (readonly string[])[] =>
  [person, 'Vanishing Person'].map((search) =>
    engine.queries.page({ filter: { search }, limit: 10 }).records.map(({ id }) => id)
  )
const rows = (engine: Engine): number =>
  engine.dbs.search.prepare('SELECT count(*) FROM answered').pluck().get() as number
const sound = (engine: Engine): boolean =>
  engine.dbs.search.prepare(`INSERT INTO trigram(trigram) VALUES ('integrity-check')`).run().changes >= 0

/** From now on SQLite reports a full disk for a file as soon as it has to grow. */
const fill = (engine: Engine, name: 'history' | 'search'): void => {
  const pages = engine.dbs[name].pragma('page_count', { simple: true })
  engine.dbs[name].pragma(`max_page_count=${String(pages)}`)
}
const long = 'x'.repeat(200_000)

test('at once, if the disk of the evidence is full', () =>
  inFolder((folder) => {
    const { engine, id, subjects } = prepared(folder)
    fill(engine, 'history')
    const intent = engine.erasure.intend({ ...order, subjects })
    if (!intent.ok) throw new Error(sentencesOf(intent.failure).what)
    expect(engine.erasure.erase({ ...order, reason: long, subjects, intent: intent.value })).toMatchObject({
      ok: false,
      failure: { code: 'disk-full' }
    })
    expect(found(engine)).toEqual([[id], [id]])
    expect([rows(engine), sound(engine)]).toEqual([2, true])
    expect(engine.erasure.abandon(intent.value)).toMatchObject({ ok: true })
    expect(engine.erasure.intended()).toEqual([])
    expect(found(engine)).toEqual([[id], [id]])
    engine.close()
  }))

test('at the next opening, if the index could not be written either, and the erasure is not resumed', () =>
  inFolder((folder) => {
    const { engine, id, subjects } = prepared(folder)
    const intent = engine.erasure.intend({ ...order, subjects })
    if (!intent.ok) throw new Error(sentencesOf(intent.failure).what)
    fill(engine, 'history')
    const { search } = engine.dbs
    const run = search.prepare.bind(search)
    // The index cannot be restored while the disk is full.
    search.prepare = ((sql: string) => {
      if (sql.startsWith('INSERT INTO trigram (rowid'))
        throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' })
      return run(sql)
    }) as typeof search.prepare
    expect(engine.erasure.erase({ ...order, reason: long, subjects, intent: intent.value })).toMatchObject({
      ok: false
    })
    expect(engine.erasure.abandon(intent.value)).toMatchObject({ ok: false, failure: { code: 'disk-full' } })
    expect(found(engine)).toEqual([[], []])
    engine.close()

    for (let opening = 0; opening < 2; opening += 1) {
      const again = opened(folder)
      expect(again.erasure.intended()).toEqual([])
      expect(found(again)).toEqual([[id], [id]])
      expect([rows(again), sound(again)]).toEqual([2, true])
      expect(again.dbs.subjects.prepare('SELECT count(*) FROM erasure').pluck().get()).toBe(0)
      again.close()
    }
  }))
