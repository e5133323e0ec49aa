/** Files of received events in the forms that they had before: read anew, or begun anew with what nobody can send again. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { openEncrypted, type Db, type Tuning } from '#wire/sqlite/files.ts'
import { openReceived, teamFolder } from '#team/log/received-schema.ts'
import { Received } from '#exchange/log/received.ts'
import { receive } from '#exchange/log/receive.ts'
import { receivedFile } from '#team/storage/on-received.ts'
import type { TeamHost } from '#team/thread/thread.ts'
import { openTeam } from '#exchange/worker/session.ts'
import { testKey } from '../service/history-fixtures.ts'
import { at, hashText, installed, keys, membersOf, shown, team, valueOf } from './support/team-log.ts'

/** Version 1 as it was at first: before keys, entries and erasures. */
const firstForm = `
  CREATE TABLE installation (ref INTEGER PRIMARY KEY CHECK (ref < 8192), id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, hash BLOB NOT NULL, epoch INTEGER NOT NULL, unanchored INTEGER NOT NULL) STRICT;
  CREATE TABLE event (place INTEGER PRIMARY KEY, hash BLOB NOT NULL, epoch INTEGER NOT NULL, sig BLOB, content BLOB NOT NULL) STRICT;
  CREATE TABLE anchored ("by" TEXT NOT NULL, "of" TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY ("of", "by")) STRICT, WITHOUT ROWID;
  CREATE TABLE shared (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  CREATE TABLE finding (installation TEXT NOT NULL, code TEXT NOT NULL, failure TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (installation, code)) STRICT, WITHOUT ROWID;
  CREATE TABLE fork (installation TEXT PRIMARY KEY, proof TEXT NOT NULL) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;`
/** What versions 2 to 4 added. */
const later =
  'DROP TABLE batch_event; DROP TABLE waiting; DROP TABLE claim_event; DROP TABLE claim_order; DROP TABLE acknowledged; ALTER TABLE finding DROP COLUMN ended; PRAGMA user_version = 1'

let folder: string
beforeEach(() => {
  folder = teamFolder(mkdtempSync(join(tmpdir(), 'veridesk-received-')))
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
const opened = (): Db => valueOf(openReceived(folder, testKey))
const derived = [
  'entry',
  'check_end',
  'newest_evidence',
  'open_unknown',
  'connection',
  'batch_event',
  'waiting',
  'claim_event'
]
const rowsOf = (db: Db): Readonly<Record<string, unknown[]>> =>
  Object.fromEntries(derived.map((name) => [name, db.prepare(`SELECT * FROM ${name}`).all()]))
/** Changes a file without opening it as one of this version. */
function changed(sql: string, encryption: Pick<Tuning, 'cipher'> = { cipher: 'aegis' }): void {
  const db = openEncrypted(folder, receivedFile, testKey, { ...encryption, synchronous: 'FULL', cacheMiB: 1 })
  db.exec(sql)
  db.close()
}

const historyCipher = {}

/** An installation with events of every kind that something follows from. */
function busy() {
  const one = installed()
  const operator = 'Ada Lovelace'
  const batchId = '01234567-89ab-4cde-8f01-23456789abcd'
  one.events.append({ kind: 'connection.noted', subject: 0, plain: { operator, ref: 1 } })
  one.events.append({ kind: 'record.begun', record: 1, plain: { operator, batchId, batchRow: 4 } })
  one.events.append({ kind: 'record.ended', record: 1, plain: { operator, outcome: 'unknown' } })
  one.events.append({ kind: 'decision.made', plain: { operator, decision: 'escalate' } })
  one.events.append({ kind: 'assignee.changed', plain: { operator } })
  return one
}
const received = (store: Received, one: ReturnType<typeof busy>) =>
  receive(shown(one), { store, team, installation: one.installation, keys, members: membersOf(one) }, at)

describe('a file of an earlier version', () => {
  it.each([
    ['1, as it was at last', later],
    [
      '2, which knew nothing of what had arrived before it',
      'DELETE FROM batch_event; DROP TABLE waiting; DROP TABLE claim_event; DROP TABLE claim_order; DROP TABLE acknowledged; ALTER TABLE finding DROP COLUMN ended; PRAGMA user_version = 2'
    ],
    [
      '4, with what nothing follows from',
      'DELETE FROM waiting; INSERT INTO open_unknown VALUES (9, 9); PRAGMA user_version = 4'
    ]
  ])('%s, has everything that follows from its events', (_, sql) => {
    const [one, db] = [busy(), opened()]
    received(new Received(db), one)
    const before = rowsOf(db)
    for (const name of derived) expect([name, before[name]?.length]).not.toEqual([name, 0])
    const subjects = db.prepare('SELECT * FROM subject').all()
    db.close()
    // None of them had what version 7 added.
    changed(`DROP TABLE admission; ${sql}`)
    const again = opened()
    expect(rowsOf(again)).toEqual(before)
    expect(again.prepare('SELECT * FROM subject').all()).toEqual(subjects)
    expect(new Received(again).head(one.installation).seq).toBe(5)
    again.close()
  })

  it('1, as it was at first, is begun anew: what was proven stays, and the rest is received again', () => {
    const one = busy()
    const lost = failure('team-events-rolled-back', { installation: one.installation, found: 1, expected: 2 })
    changed(
      `${firstForm}
      INSERT INTO installation VALUES (1, '${one.installation}', 1, x'${hashText('ab')}', 1, 1);
      INSERT INTO shared VALUES (1, 7, '${hashText('cd')}');
      INSERT INTO fork VALUES ('${one.installation}', '{"format":"veridesk-fork"}');
      INSERT INTO finding VALUES ('${one.installation}', '${lost.code}', '${JSON.stringify(lost)}', ${at}, ${at})`,
      historyCipher
    )
    const db = opened()
    const store = new Received(db)
    expect(store.forkOf(one.installation)).toBe('{"format":"veridesk-fork"}')
    expect(store.findings.all()).toMatchObject([{ failure: lost, firstAt: at }])
    expect(store.shared).toEqual({ seq: 7, hash: hashText('cd') })
    expect(store.heads()).toEqual([])
    const other = busy()
    expect(received(store, other)).toMatchObject({ events: 5 })
    db.close()
    // Once, and not with every start.
    const again = opened()
    expect(new Received(again).head(other.installation).seq).toBe(5)
    again.close()
    // It keeps its cipher, which was the history's at first: with it alone, another one would not open.
    changed('', historyCipher)
  })
})

describe('a file that cannot be used', () => {
  it('because it is of a later version, is left alone', () => {
    opened().close()
    changed('PRAGMA user_version = 99')
    expect(openReceived(folder, testKey)).toMatchObject({
      ok: false,
      failure: { code: 'team-store-unusable', details: { reason: 'newer' } }
    })
  })

  it('because what is read first is damaged, ends in a failure', () => {
    const db = opened()
    const root = db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'digest_key'`).pluck().get() as number
    const bytes = db.pragma('page_size', { simple: true }) as number
    db.close()
    const file = openSync(join(folder, receivedFile), 'r+')
    writeSync(file, Buffer.alloc(bytes, 7), 0, bytes, (root - 1) * bytes)
    closeSync(file)
    const place = { folder, key: testKey, team, installation: 'ab'.repeat(16), server: 'db', operator: 'tester' }
    expect(openTeam(place, {} as TeamHost)).toMatchObject({
      ok: false,
      failure: { code: 'team-store-unusable', cause: { code: 'history-damaged' } }
    })
    // It is closed, so that it can be opened again.
    opened().close()
  })
})
