/**
 * A backup during normal work: pages are read and records written meanwhile, and it contains one moment of both
 * files.
 */
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3-multiple-ciphers'
import { expect, test } from 'vitest'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { checkCopy, rewriteCopy } from '#store/copies/copies.ts'
import { masterKeyAccount, openHistory } from '#core/history/open.ts'
import { derivedKey } from '#kit/sealing/seal.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import { connect } from '#wire/rpc.ts'
import { processLine } from '../../electron/hosts/node/workers.ts'
import { seed } from '../../scripts/seed.ts'
import { add, answer, clock, inFolder, intentOf, opened, secretsInMemory, testKey } from './history-fixtures.ts'
import { launchWorkers } from './support/workers.ts'

const keyOf = (name: string): string => derivedKey(Buffer.from(testKey, 'hex'), name).toString('hex')
function ask(path: string, sql: string): unknown {
  const db = new Database(path, { readonly: true, fileMustExist: true })
  try {
    db.pragma(`cipher='sqlcipher'`)
    db.pragma(`key="x'${keyOf(path.replace(/^.*[\\/]/, ''))}'"`)
    return db.prepare(sql).pluck().get()
  } finally {
    db.close()
  }
}
function seeded(folder: string, records: number): void {
  const engine = opened(folder)
  seed(engine, records, 1_760_000_000_000)
  engine.close()
}

test(
  'records are written and pages read during a backup, which ends between two groups of writes',
  { timeout: 60_000 },
  () =>
    inFolder(async (root) => {
      const folder = join(root, 'history')
      seeded(folder, 4000)
      const secrets = secretsInMemory(new Map([[masterKeyAccount, testKey]]))
      const history = await openHistory({ folder, secrets, launch: launchWorkers, clock })
      if (!history.ok) throw new Error(sentencesOf(history.failure).what)
      const { store } = history.value
      const to = join(root, 'backup')
      mkdirSync(to)
      let over = false
      const making = store.backup.make(to).finally(() => (over = true))
      let beside = 0
      while (!over) {
        const begun = await store.begin(intentOf({ applicant: `APP-BESIDE-${beside}` }))
        if (!begun.ok) throw new Error(sentencesOf(begun.failure).what)
        const [ended, page] = await Promise.all([
          store.finish(begun.value.id, answer()),
          store.page({ filter: {}, limit: 50 })
        ])
        expect(ended.ok && page.ok && page.value.records.some(({ id }) => id === begun.value.id)).toBe(true)
        if (!over) beside += 1
      }
      const made = await making
      if (!made.ok) throw new Error(sentencesOf(made.failure).what)
      // A second process has to start for it, which takes far longer than a few writes on any machine.
      expect(beside).toBeGreaterThan(2)
      expect(existsSync(join(to, 'snapshot'))).toBe(false)
      expect(made.value.records).toBeGreaterThanOrEqual(4000)
      expect(made.value.records).toBeLessThanOrEqual(4000 + beside)
      expect(checkCopy(to, testKey)).toEqual(made)
      // What was written meanwhile is intact, and the log does not grow without limit.
      expect(await store.verifyChain()).toMatchObject({ ok: true, value: { intact: true } })
      for (let n = 0; n < 600; n += 1) await store.begin(intentOf({ applicant: `APP-AFTER-${n}` }))
      expect(statSync(join(folder, 'history.db-wal')).size).toBeLessThan(6 * 1024 * 1024)
      await store.close()
    })
)

test('both files are copied at the same moment, whatever is written in the meantime', { timeout: 30_000 }, () =>
  inFolder(async (root) => {
    const folder = join(root, 'history')
    seeded(folder, 4000)
    const engine = opened(folder)
    const [still, to] = [join(root, 'still'), join(root, 'backup')]
    for (const each of [still, to]) mkdirSync(each)
    const head = engine.last
    const taking = engine.snapshots.take(folder, still)
    expect(engine.snapshots.busy).toBe(true)
    // The first is in the log before any byte is copied, the others while copying.
    let meanwhile = 0
    const settled = taking.then(() => true)
    do {
      add(engine, { applicant: `APP-LATER-${(meanwhile += 1)}` })
    } while (!(await Promise.race([settled, new Promise<boolean>((next) => setImmediate(() => next(false)))])))
    expect(await taking).toEqual({ ok: true, value: null })
    expect(engine.snapshots.busy).toBe(false)
    expect(engine.records).toBe(4000 + meanwhile)

    const made = rewriteCopy(still, to, testKey)
    expect(made).toMatchObject({ ok: true, value: { records: 4000, events: head.seq, head: head.hash } })
    expect(ask(join(to, 'subjects.db'), `SELECT count(*) FROM subject WHERE applicant LIKE 'APP-LATER-%'`)).toBe(0)
    const newest = ask(join(to, 'history.db'), 'SELECT max(subject) FROM record') as number
    expect(
      ask(join(to, 'subjects.db'), `SELECT seq FROM sqlite_sequence WHERE name = 'subject'`)
    ).toBeGreaterThanOrEqual(newest)
    for (const name of ['history.db', 'subjects.db'])
      expect(readFileSync(join(still, name)).includes('SQLite format 3')).toBe(false)

    // The lock on the files persists after copying: no other process can open them.
    const other = connect<HistoryWorker>(processLine(new URL('../../electron/store/worker/worker.ts', import.meta.url)))
    expect(await other.api.open({ folder, masterKey: testKey, now: 1 })).toMatchObject({
      failure: { code: 'history-busy' }
    })
    other.end()
    engine.close()
    expect(opened(folder).verify()).toMatchObject({ intact: true })
  })
)

test('closing the history ends the backup, loses nothing, and releases the files', { timeout: 30_000 }, () =>
  inFolder(async (root) => {
    const folder = join(root, 'history')
    seeded(folder, 4000)
    const engine = opened(folder)
    const still = join(root, 'still')
    mkdirSync(still)
    const taking = engine.snapshots.take(folder, still)
    expect(await engine.snapshots.take(folder, still)).toMatchObject({ failure: { code: 'backup-failed' } })
    add(engine, { applicant: 'APP-LAST' })
    await engine.snapshots.stop()
    expect(await taking).toMatchObject({ ok: false, failure: { code: 'backup-failed' } })
    engine.close()
    const other = connect<HistoryWorker>(processLine(new URL('../../electron/store/worker/worker.ts', import.meta.url)))
    expect(await other.api.open({ folder, masterKey: testKey, now: 1 })).toMatchObject({
      ok: true,
      value: { records: 4001 }
    })
    await other.api.close()
    other.end()
  })
)
