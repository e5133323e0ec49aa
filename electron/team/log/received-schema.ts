/** The file of what was received from a team: its schema, and how it is opened. */
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import { closeQuietly, isPlain, openEncrypted, type Db } from '#wire/sqlite/files.ts'
import { migrate, type Migration } from '#wire/sqlite/migrate.ts'
import { erasureTables } from '../erasures/schema.ts'
import { keyIsFaulty, stillPublished, subjectStates } from '#team/storage/states.ts'
import { onReceived, receivedFile } from '../storage/on-received.ts'
import { rebuildDerived } from './derived.ts'
import { findingTables } from './findings.ts'
import { lossTables } from './losses.ts'
import { orderTable } from './waiting.ts'

/**
 * A first catch-up commits thousands of events at once: a checkpoint after each would write most pages twice, and most of
 * a commit is the encryption of its pages, which AEGIS-256 does in a third of the time. A file of a version before the
 * first release has the history's cipher, and keeps it.
 */
const tuning = { cipher: 'aegis', synchronous: 'FULL', cacheMiB: 16, checkpointPages: 4000 } as const

/** A file of the team's own: it does not exist where there is none. */
export const teamFolder = (dataFolder: string): string => join(dataFolder, ownFolders.team)

/** "by" admitted a member, and is null for who created the team; "role_by" gave the present role later. From the signed list, as it was last verified. */
const admissionTable =
  'CREATE TABLE admission (installation TEXT PRIMARY KEY, "by" TEXT, role_by TEXT) STRICT, WITHOUT ROWID'

/** What no database can give again. */
const proofTables = `
  -- The last event of this installation that the database had.
  CREATE TABLE shared (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  -- What is wrong now, or was proven.
  CREATE TABLE finding (
    installation TEXT NOT NULL, code TEXT NOT NULL, failure TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (installation, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE fork (installation TEXT PRIMARY KEY, proof TEXT NOT NULL) STRICT, WITHOUT ROWID;`

/** What was received, and what was said about it. */
const receivedTables = `
  -- The highest verified event of each installation, and how many since the last anchor, without anchors.
  CREATE TABLE installation (
    ref INTEGER PRIMARY KEY CHECK (ref < 8192), id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, hash BLOB NOT NULL, epoch INTEGER NOT NULL, unanchored INTEGER NOT NULL
  ) STRICT;
  -- "place" is 2^40 times the installation's ref, plus the event's number: one tree, each installation in order.
  -- "content" is opened, but its sealed parts are under their subjects' keys.
  CREATE TABLE event (place INTEGER PRIMARY KEY, hash BLOB NOT NULL, epoch INTEGER NOT NULL, sig BLOB, content BLOB NOT NULL) STRICT;
  -- The highest event of "of" that "by" has anchored; "checked" is one of anchorStates.
  CREATE TABLE anchored (
    "by" TEXT NOT NULL, "of" TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY ("of", "by")
  ) STRICT, WITHOUT ROWID;
  -- Members and former members with their last role, as they were last verified. "identity" is the public key that they sign with.
  CREATE TABLE member (installation TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL, removed INTEGER NOT NULL, identity TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- A subject as its installation numbers it: an applicant, a check without one, or a message. "key" and "applicant"
  -- arrive after its events, and go with an erasure. "state" is one of subjectStates.
  -- "witness" is its first event with a sealed part, which the key must open, and "naming" 1 if that can name the
  -- applicant: the first of those is taken, even if others came before. "who" is a keyed digest of the applicant;
  -- "epoch" that of the vault key which wraps it; "asked" when the database was last asked for it; "fault" is one
  -- of keyFaultStates.
  CREATE TABLE subject (
    ref INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB, applicant TEXT, state INTEGER NOT NULL,
    witness INTEGER, naming INTEGER NOT NULL DEFAULT 0, who BLOB, epoch INTEGER NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 0, fault INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (ref, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subject_awaited ON subject (asked, ref, number) WHERE state = ${subjectStates.awaited} AND witness IS NOT NULL;
  CREATE INDEX subject_fault ON subject (ref, fault) WHERE state = ${subjectStates.awaited} AND ${keyIsFaulty};
  CREATE INDEX subject_applicant ON subject (applicant) WHERE applicant IS NOT NULL;
  CREATE INDEX subject_who ON subject (who) WHERE who IS NOT NULL;
  CREATE INDEX subject_epoch ON subject (epoch, ref, number) WHERE state = ${subjectStates.here};
  -- Subjects of this installation whose keys the database was given, and the epoch of the key that wraps them. "state" is
  -- one of publishedStates.
  CREATE TABLE published (subject INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, who BLOB, state INTEGER NOT NULL) STRICT;
  CREATE INDEX published_epoch ON published (epoch, subject) WHERE ${stillPublished};
  CREATE INDEX published_who ON published (who) WHERE who IS NOT NULL;
  -- The last event of this installation whose subject, and those of all events before, were looked at.
  CREATE TABLE published_until (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL) STRICT;
  -- Keys to delete in the database: "ref" is 0 for subjects of this installation. "told" is 1 once an event says so;
  -- until "after", somebody else may say it.
  CREATE TABLE to_erase (ref INTEGER NOT NULL, number INTEGER NOT NULL, told INTEGER NOT NULL, after INTEGER NOT NULL, PRIMARY KEY (ref, number)) STRICT, WITHOUT ROWID;
  -- Subjects whose keys a colleague deleted for the team: whoever they belong to.
  CREATE TABLE withdrawn (installation TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (installation, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE digest_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT;
  INSERT INTO digest_key VALUES (1, randomblob(32));${erasureTables}
`

const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'events of others, heads, anchors, findings',
    why: 'What was verified once must be known when the database says something else.',
    up: (db) => db.exec(proofTables + receivedTables)
  },
  { version: 2, name: 'shared batches', why: 'Its table follows from events: version 5.', up: () => undefined },
  {
    version: 3,
    name: 'what waits at colleagues, and claims',
    why: 'The queue of a team must not read a million events.',
    up: (db) => db.exec(orderTable)
  },
  {
    version: 4,
    name: 'acknowledged findings',
    why: 'A supervisor who has dealt with a finding lets shared batches go on, and the finding stays.',
    up: (db) => db.exec(findingTables)
  },
  {
    version: 5,
    name: 'one form',
    why: 'Version 1 had several forms before the first release, and version 2 knew nothing of what had arrived before it.',
    up: (db) => {
      if (!hasForm(db)) beginAnew(db)
      rebuildDerived(db)
    }
  },
  {
    version: 6,
    name: 'installations that joined again',
    why: 'Their history arrived twice, and was counted twice.',
    up: rebuildDerived
  },
  {
    version: 7,
    name: 'who admitted whom',
    why: 'An approval shows who let its reviewer into the team.',
    up: (db) => db.exec(admissionTable)
  },
  {
    version: 8,
    name: 'who runs which part of a shared batch, and acknowledged losses',
    why: 'The log decides who sends a row; tables of the database alone are never believed.',
    up: (db) => {
      db.exec(lossTables)
      rebuildDerived(db)
    }
  }
]

/** Tables that a file keeps, by name. */
const tablesOf = (db: Db): readonly string[] =>
  db
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
    .pluck()
    .all() as string[]
const columnsOf = (db: Db, table: string): string => JSON.stringify(db.pragma(`table_info(${table})`))

/** Whether a file has the tables of this version that do not follow from events, with the same columns. */
function hasForm(db: Db): boolean {
  const wanted = openEncrypted('', receivedFile, undefined, tuning)
  try {
    wanted.exec(proofTables + receivedTables + orderTable + findingTables)
    return tablesOf(wanted).every((table) => columnsOf(wanted, table) === columnsOf(db, table))
  } finally {
    wanted.close()
  }
}

/** Tables whose rows are nowhere else: forks, findings and who dealt with them, and how far this installation had shared. */
const kept: readonly string[] = ['shared', 'finding', 'fork', 'acknowledged', 'loss', 'loss_member']

/** Everything else is received again. */
function beginAnew(db: Db): void {
  for (const table of tablesOf(db)) if (!kept.includes(table)) db.exec(`DROP TABLE "${table}"`)
  db.exec(receivedTables + orderTable)
}

/**
 * Opens or creates the file, encrypted. Failure: `team-store-unusable`; the file is then unchanged.
 *
 * @param hexKey 64 hex digits; undefined keeps everything in memory.
 */
export function openReceived(folder: string, hexKey: string | undefined): Result<Db, Failure> {
  const opened = onReceived(() => {
    if (hexKey !== undefined && isPlain(join(folder, receivedFile))) return undefined
    return openEncrypted(folder, receivedFile, hexKey, tuning)
  })
  if (!opened.ok) return opened
  const db = opened.value
  if (!db)
    return failed('team-store-unusable', {
      cause: failure('history-damaged', { reason: 'unencrypted', file: receivedFile })
    })
  const migrated = onReceived(() => migrate(db, migrations))
  if (migrated.ok && migrated.value.ok) return ok(db)
  closeQuietly(db)
  return migrated.ok ? failed('team-store-unusable', { reason: 'newer' }) : migrated
}
