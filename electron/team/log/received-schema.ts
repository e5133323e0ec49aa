/** The file of what was received from a team: its schema, and how it is opened. */
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { ownFolders } from '#wire/files/own-names.ts'
import { closeQuietly, isPlain, openEncrypted, type Db } from '#wire/sqlite/files.ts'
import { prepare, type Schema } from '#wire/sqlite/schema.ts'
import { keyIsFaulty, stillPublished, subjectStates } from '#team/storage/states.ts'
import { onReceived, receivedFile } from '../storage/on-received.ts'
import { derivedTables } from './derived.ts'
import { findingTables } from './findings.ts'
import { lossTables } from './losses.ts'
import { orderTable } from './waiting.ts'

/** Tables of erasures, and of what was said about them, in the file of received events. */
const erasureTables = `
        -- Events that erase, of colleagues and, with "ref" 0, of this installation: when they arrived or were shared, and the
        -- epoch that they are sealed in. "told" is 1 once an event here says that it was carried out.
        CREATE TABLE erasure (
          ref INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL,
            epoch INTEGER NOT NULL, told INTEGER NOT NULL, PRIMARY KEY (ref, seq)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX erasure_epoch ON erasure (epoch, at);
        CREATE INDEX erasure_untold ON erasure (ref, seq) WHERE told = 0;
        -- "by" says that it carried out the erasures of "of" up to an event. It counts if that event is one that erases, and has
        -- this hash. "at" is by the clock of "by".
        CREATE TABLE acknowledgement ("of" TEXT NOT NULL, "by" TEXT NOT NULL, seq INTEGER NOT NULL,
          hash TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY ("of", "by", seq)) STRICT, WITHOUT ROWID;
        CREATE INDEX acknowledgement_by ON acknowledgement ("by");
        -- Subjects that their own installation has erased.
        CREATE TABLE erased_at_owner (installation TEXT NOT NULL, number INTEGER NOT NULL,
          PRIMARY KEY (installation, number)) STRICT, WITHOUT ROWID;
        -- The last whole exchange, and when the current epoch was first seen here.
        CREATE TABLE last_exchange (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL) STRICT;
        CREATE TABLE epoch_seen (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;`

/**
 * A first catch-up commits thousands of events at once: a checkpoint after each would write most pages twice, and most of
 * a commit is the encryption of its pages, which AEGIS-256 does in a third of the time.
 */
const tuning = { cipher: 'aegis', synchronous: 'FULL', cacheMiB: 16, checkpointPages: 4000 } as const

/** A file of the team's own: it does not exist where there is none. */
export const teamFolder = (dataFolder: string): string => join(dataFolder, ownFolders.team)

/** "by" admitted a member, and is null for who created the team; "role_by" gave the present role later; "approving" says which of its events approve, as JSON, if its role has changed. From the signed list, as it was last verified. */
const admissionTable =
  'CREATE TABLE admission (installation TEXT PRIMARY KEY, "by" TEXT, role_by TEXT, approving TEXT) STRICT, WITHOUT ROWID'

/** What no database can give again. */
const proofTables = `
  -- The last event of this installation that the database had.
  CREATE TABLE shared (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
  -- What is wrong now, or was proven. "ended" is 1 once a finding that lasts was not found any more: if it is found again, that is another one.
  CREATE TABLE finding (
    installation TEXT NOT NULL, code TEXT NOT NULL, failure TEXT NOT NULL, first_at INTEGER NOT NULL,
      last_at INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (installation, code)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE fork (installation TEXT PRIMARY KEY, proof TEXT NOT NULL) STRICT, WITHOUT ROWID;`

/** What was received, and what was said about it. */
const receivedTables = `
  -- The highest verified event of each installation, and how many since the last anchor, without anchors.
  CREATE TABLE installation (
    ref INTEGER PRIMARY KEY CHECK (ref < 8192), id TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, hash BLOB NOT NULL,
      epoch INTEGER NOT NULL, unanchored INTEGER NOT NULL
  ) STRICT;
  -- "place" is 2^40 times the installation's ref, plus the event's number: one tree, each installation in order.
  -- "content" is opened, but its sealed parts are under their subjects' keys.
  CREATE TABLE event (place INTEGER PRIMARY KEY, hash BLOB NOT NULL, epoch INTEGER NOT NULL, sig BLOB, content BLOB NOT NULL) STRICT;
  -- The highest event of "of" that "by" has anchored; "checked" is one of anchorStates.
  CREATE TABLE anchored (
    "by" TEXT NOT NULL, "of" TEXT NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL, at INTEGER NOT NULL,
      checked INTEGER NOT NULL, PRIMARY KEY ("of", "by")
  ) STRICT, WITHOUT ROWID;
  -- Members and former members with their last role, as they were last verified. "identity" is the public key that they sign with.
  CREATE TABLE member (installation TEXT PRIMARY KEY, name TEXT NOT NULL, role TEXT NOT NULL,
    removed INTEGER NOT NULL, identity TEXT NOT NULL) STRICT, WITHOUT ROWID;
  -- A subject as its installation numbers it: an applicant, a check without one, or a message. "key" and "applicant"
  -- arrive after its events, and go with an erasure. "state" is one of subjectStates.
  -- "witness" is its first event with a sealed part, which the key must open, and "naming" 1 if that can name the
  -- applicant: the first of those is taken, even if others came before. "who" is a keyed digest of the applicant;
  -- "epoch" that of the vault key which wraps it; "asked" when the database was last asked for it; "fault" is one
  -- of keyFaultStates. "likeness" is the ID as people see it, for the search.
  CREATE TABLE subject (
    ref INTEGER NOT NULL, number INTEGER NOT NULL, key BLOB, applicant TEXT, likeness TEXT, state INTEGER NOT NULL,
    witness INTEGER, naming INTEGER NOT NULL DEFAULT 0, who BLOB, epoch INTEGER NOT NULL DEFAULT 0,
      asked INTEGER NOT NULL DEFAULT 0, fault INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (ref, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX subject_awaited ON subject (asked, ref, number) WHERE state = ${subjectStates.awaited} AND witness IS NOT NULL;
  CREATE INDEX subject_fault ON subject (ref, fault) WHERE state = ${subjectStates.awaited} AND ${keyIsFaulty};
  CREATE INDEX subject_applicant ON subject (applicant) WHERE applicant IS NOT NULL;
  CREATE INDEX subject_likeness ON subject (likeness) WHERE likeness IS NOT NULL;
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
  CREATE TABLE to_erase (ref INTEGER NOT NULL, number INTEGER NOT NULL, told INTEGER NOT NULL,
    after INTEGER NOT NULL, PRIMARY KEY (ref, number)) STRICT, WITHOUT ROWID;
  -- Subjects whose keys a colleague deleted for the team: whoever they belong to.
  CREATE TABLE withdrawn (installation TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (installation, number)) STRICT, WITHOUT ROWID;
  CREATE TABLE digest_key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL) STRICT;
  INSERT INTO digest_key VALUES (1, randomblob(32));${erasureTables}
`

const schema: Schema = {
  version: 1,
  tables: [proofTables, receivedTables, orderTable, findingTables, admissionTable, lossTables, derivedTables].join(
    ';\n'
  )
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
  const prepared = onReceived(() => prepare(db, schema))
  if (prepared.ok && prepared.value.ok) return ok(db)
  closeQuietly(db)
  return prepared.ok ? failed('team-store-unusable', { reason: 'newer' }) : prepared
}
