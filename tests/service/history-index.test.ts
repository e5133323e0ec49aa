/** What the index does not contain yet, at the end of a run and after a run that ended without closing its files. */
import { describe, expect, it } from 'vitest'
import type { Engine } from '#store/engine/engine.ts'
import { canonicalCheck, canonicalDocument } from '#wire/history/record-payloads.ts'
import { type Db } from '#wire/sqlite/files.ts'
import { add, inFolder, intentOf, lost, opened } from './history-fixtures.ts'

const file = 'a'.repeat(64)
const { operation, connection, input } = intentOf()
const check = canonicalCheck(operation, connection.id, input)

/** Ends a run as a crash would: the files are released, and nothing is finished first. */
const crash = (engine: Engine): void => {
  for (const db of Object.values(engine.dbs)) db.close()
}

/** A record with a document that a check saw before the request. */
function addChecked(engine: Engine): void {
  const [begun] = engine.commit([
    (writer) =>
      writer.begin({
        ...intentOf({ applicant: 'APP-CHECKED' }),
        documents: { document_url: { type: 'jpeg', bytes: 1, sha256: file, at: 1 } }
      })
  ])
  expect(begun?.ok).toBe(true)
}

describe('a history that is closed', () => {
  it('indexes what waits, so that the next run begins with nothing to catch up', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      for (let n = 0; n < 20; n += 1) add(engine, { applicant: `APP-${n}` })
      expect(engine.behind).toBeGreaterThan(0)
      engine.close()
      const next = opened(folder)
      expect(next.behind).toBe(0)
      expect(next.queries.counts({ search: 'APP-7' }).total).toBe(1)
      next.close()
    }))
})

describe('after a run that ended without closing', () => {
  it('the latest answer and the documents seen are found without indexing first', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      add(engine)
      add(engine, { applicant: 'APP-OTHER' })
      add(engine)
      add(engine, {}, lost)
      addChecked(engine)
      crash(engine)
      const next = opened(folder)
      const { indexer, behind } = next
      expect(indexer.latestAnswered(check)).toBe(3)
      expect(indexer.latestAnswered(check, 3)).toBe(1)
      expect(indexer.latestAnswered(check, 1)).toBeUndefined()
      expect(indexer.recordsOf(canonicalDocument(connection.id, file), 5)).toEqual([5])
      expect(next.behind).toBe(behind)
      indexer.drain()
      expect(indexer.latestAnswered(check)).toBe(3)
      expect(indexer.recordsOf(canonicalDocument(connection.id, file), 5)).toEqual([5])
      next.close()
    }))

  it('answers of this run and of the one before are both found, the later one first', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      add(engine)
      crash(engine)
      const next = opened(folder)
      add(next)
      expect(next.indexer.latestAnswered(check)).toBe(2)
      expect(next.indexer.latestAnswered(check, 2)).toBe(1)
      next.close()
    }))
})

const cipherOf = (db: Db): unknown =>
  Object.values((db.pragma('cipher') as Readonly<Record<string, unknown>>[])[0] ?? {})[0]
const mergedAtOnce = (engine: Engine): unknown =>
  engine.dbs.search.prepare("SELECT v FROM trigram_config WHERE k = 'automerge'").pluck().get()

describe('a new index', () => {
  it('has a cheaper cipher; the evidence has the one that other tools open', () =>
    inFolder((folder) => {
      const engine = opened(folder)
      expect(Object.fromEntries(Object.entries(engine.dbs).map(([name, db]) => [name, cipherOf(db)]))).toEqual({
        history: 'sqlcipher',
        subjects: 'sqlcipher',
        search: 'aegis'
      })
      expect(mergedAtOnce(engine)).toBe(8)
      engine.close()
    }))
})
