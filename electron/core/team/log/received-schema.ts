/** The file of what was received from a team: its schema, and how it is opened. */
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { closeQuietly, failureOf, isPlain, openEncrypted, type Db } from '#core/history/storage/files.ts'
import { migrate, type Migration } from '#core/history/storage/migrate.ts'

export const receivedFile = 'received.db'
/** A file of the team's own: it does not exist where there is none. */
export const teamFolder = (dataFolder: string): string => join(dataFolder, 'team')

const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'events of others, heads, anchors, findings',
    why: 'What was verified once must be known when the database says something else.',
    up: (db) =>
      db.exec(`
        -- The highest verified event of each installation, and how many since the last anchor, without anchors.
        CREATE TABLE installation (
          ref INTEGER PRIMARY KEY CHECK (ref < 8192), id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, hash BLOB NOT NULL, epoch INTEGER NOT NULL, unanchored INTEGER NOT NULL
        ) STRICT;
        -- "place" is 2^40 times the installation's ref, plus the event's number: one tree, each installation in order.
        -- "content" is opened, but its sealed parts are under their subjects' keys.
        CREATE TABLE event (place INTEGER PRIMARY KEY, hash BLOB NOT NULL, epoch INTEGER NOT NULL, sig BLOB, content BLOB NOT NULL) STRICT;
        -- The highest event of "of" that "by" has anchored; "checked" is 1 once the event here is the same, -1 if it is another.
        CREATE TABLE anchored (
          "by" TEXT NOT NULL, "of" TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL, checked INTEGER NOT NULL, PRIMARY KEY ("of", "by")
        ) STRICT, WITHOUT ROWID;
        -- The last event of this installation that the database had.
        CREATE TABLE shared (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
        -- What is wrong now, or was proven.
        CREATE TABLE finding (
          installation TEXT NOT NULL, code TEXT NOT NULL, failure TEXT NOT NULL, first_at INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (installation, code)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fork (installation TEXT PRIMARY KEY, proof TEXT NOT NULL) STRICT, WITHOUT ROWID;
      `)
  }
]

const tuning = { synchronous: 'FULL', cacheMiB: 16 } as const

/** Runs an operation on the file; expected errors become `team-store-unusable`, bugs are rethrown. */
export function onReceived<T>(work: () => T): Result<T, Failure> {
  try {
    return ok(work())
  } catch (error) {
    const cause = failureOf(error, receivedFile)
    if (!cause) throw error
    return { ok: false, failure: failure('team-store-unusable', { cause }) }
  }
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
  if (!db) return failed('team-store-unusable', { cause: failure('history-damaged', { reason: 'unencrypted', file: receivedFile }) })
  const migrated = onReceived(() => migrate(db, migrations))
  if (migrated.ok && migrated.value.ok) return ok(db)
  closeQuietly(db)
  return migrated.ok ? failed('team-store-unusable', { reason: 'newer' }) : migrated
}
