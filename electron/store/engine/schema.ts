/** Schemas of the three files. Reasons for three files: docs/decisions/0002-history-files.md. */
import { applicantTables, messageTables } from '../applicants/schema.ts'
import { batchTables } from '../batches/schema.ts'
import { wantedTables } from '../batches/wanted.ts'
import { intentTables } from '../erasure/intents.ts'
import { seriesTables } from '../events/series.ts'
import { codeOfState } from '../projections/columns.ts'
import { nameTables } from '../projections/names.ts'
import type { Schema } from '#wire/sqlite/schema.ts'
import type { FileName } from '#wire/sqlite/files.ts'
import { copyTables } from '../records/document-copies.ts'
import { restoredTables } from '../records/restored.ts'
import { takenTables } from '../storage/subjects.ts'

/** The evidence: everything that happened, in order and chained, and a projection for lists and filters. */
const eventTables = `
  -- Append-only. "plain" holds no personal data; "sealed" holds all of it, under its subject's key.
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    subject INTEGER,
    record INTEGER,
    plain TEXT NOT NULL,
    sealed BLOB,
    hash BLOB NOT NULL,
    -- Its place in its series, as canonical JSON.
    links TEXT NOT NULL,
    -- The salt of "plain" (16 bytes), the digest of its values (32) and, with a sealed part, that of the values in it (32).
    digests BLOB NOT NULL
  ) STRICT;
  CREATE TRIGGER event_never_changes BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
  CREATE TRIGGER event_never_goes BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;

  -- Projections of events: each can be made again from them.
  CREATE TABLE connection (
    ref INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    snapshot TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE operation (ref INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE operator (ref INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE record (
    seq INTEGER PRIMARY KEY,
    id BLOB NOT NULL UNIQUE,
    subject INTEGER NOT NULL,
    operation INTEGER NOT NULL REFERENCES operation(ref),
    connection INTEGER NOT NULL REFERENCES connection(ref),
    operator INTEGER NOT NULL REFERENCES operator(ref),
    state INTEGER NOT NULL,
    status INTEGER,
    started_at INTEGER NOT NULL,
    took REAL,
    begun INTEGER NOT NULL,
    ended INTEGER,
    resolved INTEGER,
    batch TEXT,
    rerun_of BLOB,
    message INTEGER
  ) STRICT;
  CREATE INDEX record_open ON record(seq) WHERE state = ${codeOfState('open')};
  CREATE INDEX record_subject ON record(subject, seq);
  CREATE INDEX record_batch ON record(batch, seq) WHERE batch IS NOT NULL;

  -- Bodies apart from events: a list of records must not read them.
  CREATE TABLE reply_body (record INTEGER PRIMARY KEY, sealed BLOB NOT NULL) STRICT;
`

/** One key for each applicant, in a file of its own: destroying a row is the erasure of that person. */
const subjectTables = `
  -- AUTOINCREMENT: the number of an erased subject is never given to another.
  CREATE TABLE subject (
    ref INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL,
    applicant TEXT,
    -- The ID as people see it: finds those that look alike. Goes with the row.
    likeness TEXT
  ) STRICT;
  CREATE UNIQUE INDEX subject_applicant ON subject(applicant) WHERE applicant IS NOT NULL;
  CREATE INDEX subject_likeness ON subject(likeness) WHERE likeness IS NOT NULL;

  -- A head of the chain that was once durable: history.db must still contain it.
  CREATE TABLE anchor (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT;
`

/** Derived from the other two files and never backed up, so that a forgotten text is forgotten. */
const searchTables = `
  -- Of folded texts, and without a copy of them; the rowid is four times the record's seq, plus the part (0 asked, 1 answered). A note about an
  -- applicant has one below 0: see note-texts.ts.
  CREATE VIRTUAL TABLE trigram USING fts5(part, content='', columnsize=0, detail=full, tokenize='trigram case_sensitive 1');
  INSERT INTO trigram(trigram, rank) VALUES ('secure-delete', 1);
  -- Likewise, each two neighbours in runs of Chinese, Japanese and Korean. Characters that SQLite does not know are letters, too.
  CREATE VIRTUAL TABLE pair USING fts5(
    part, content='', columnsize=0, detail=none, tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co Cn'"
  );
  INSERT INTO pair(pair, rank) VALUES ('secure-delete', 1);
  CREATE TABLE answered (digest BLOB NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (digest, record)) STRICT, WITHOUT ROWID;
  -- The last event that is indexed.
  CREATE TABLE watermark (one INTEGER PRIMARY KEY CHECK (one = 1), event INTEGER NOT NULL) STRICT;
  INSERT INTO watermark VALUES (1, 0);
`

export const schemas: Readonly<Record<FileName, Schema>> = {
  history: {
    version: 1,
    tables: [eventTables, batchTables, applicantTables, nameTables, seriesTables, copyTables, wantedTables].join('')
  },
  subjects: { version: 1, tables: [subjectTables, messageTables, intentTables, takenTables, restoredTables].join('') },
  search: { version: 1, tables: searchTables }
}
