/**
 * What follows from received events alone, in tables of its own: which are shown, how each check ended, what waits,
 * and which belong to shared batches.
 */
import type { Db } from '#wire/sqlite/files.ts'
import { BatchEvents } from './batch-events.ts'
import type { SharedEvent } from './content.ts'
import { codeOfEntry, Entries } from './entries.ts'
import { recipeTable, SharedRecipes } from './shared-recipes.ts'
import { TakenOver } from './taken-over.ts'
import { Twins } from './twins.ts'
import { WaitingEntries, waitingTables } from './waiting.ts'

export const derivedTables = `
  -- Events that are shown: "kind" is the number of its kind (codeOfEntry). A verification has the number of its record, and
  -- the subject of the applicant that it is linked to. Pages of several kinds are merged from those of each.
  CREATE TABLE entry (place INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind INTEGER NOT NULL, ref INTEGER NOT NULL,
    subject INTEGER, record INTEGER) STRICT;
  CREATE INDEX entry_kind ON entry (kind, at, place);
  CREATE INDEX entry_ref ON entry (ref, kind, at, place);
  CREATE INDEX entry_subject ON entry (ref, subject, at, place) WHERE subject IS NOT NULL;
  CREATE INDEX entry_decision ON entry (ref, subject, place) WHERE kind = ${codeOfEntry('decision')};
  -- Requests for approval, and answers.
  CREATE INDEX entry_approval ON entry (ref, subject, place)
    WHERE kind IN (${codeOfEntry('approval-asked')}, ${codeOfEntry('approval-answered')});
  -- Answers that whoever asked has kept as void, by the installation that gave them: it alone knows what it knew then.
  CREATE TABLE void_answer (ref INTEGER NOT NULL, installation TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (ref, installation, seq)) STRICT, WITHOUT ROWID;
  -- How a verification went on: numbers of events, and its own subject, whatever it is linked to. "evidence" is the event
  -- that made it evidence.
  CREATE TABLE check_end (
    ref INTEGER NOT NULL, record INTEGER NOT NULL, begun INTEGER NOT NULL, subject INTEGER NOT NULL,
      ended INTEGER, resolved INTEGER, evidence INTEGER, PRIMARY KEY (ref, record)
  ) STRICT, WITHOUT ROWID;
  -- The last event of a subject that is evidence or a decision.
  CREATE TABLE newest_evidence (ref INTEGER NOT NULL, subject INTEGER NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (ref, subject)) STRICT, WITHOUT ROWID;
  -- Of these, the ones whose outcome is unknown and that nobody has resolved.
  CREATE TABLE open_unknown (ref INTEGER NOT NULL, record INTEGER NOT NULL, PRIMARY KEY (ref, record)) STRICT, WITHOUT ROWID;
  -- Where an installation recorded what a connection is.
  CREATE TABLE connection (ref INTEGER NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (ref, number)) STRICT, WITHOUT ROWID;
  -- Where it recorded what a version of a checklist asks.
  CREATE TABLE checklist (ref INTEGER NOT NULL, number INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (ref, number)) STRICT, WITHOUT ROWID;
  -- Of each installation: "kind" 0 is where a batch was shared (row 0), 1 where one of its rows was, 2 the number of the
  -- record of the last attempt to send a row, 3 the event by which it has taken a part (row: the part, from 1), 4 the event
  -- by which it has started or ended its run last (row 0).
  CREATE TABLE batch_event (
    batch TEXT NOT NULL, ref INTEGER NOT NULL, row INTEGER NOT NULL, kind INTEGER NOT NULL,
      value INTEGER NOT NULL, PRIMARY KEY (batch, kind, row, ref)
  ) STRICT, WITHOUT ROWID;
  -- Rows that somebody has begun, and of which it was not looked at whether somebody else has, too.
  CREATE TABLE attempt_arrived (batch TEXT NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (batch, row)) STRICT, WITHOUT ROWID;
  -- Rows that two installations have sent, each with its record.
  CREATE TABLE sent_twice (
    batch TEXT NOT NULL, row INTEGER NOT NULL, installation TEXT NOT NULL, record TEXT NOT NULL,
      other TEXT NOT NULL, other_record TEXT NOT NULL, PRIMARY KEY (batch, row)
  ) STRICT, WITHOUT ROWID;${recipeTable}${waitingTables}`

/** Statements on the file. Throws SQLite's errors. */
export class Derived {
  private readonly entries: Entries
  private readonly batches: BatchEvents
  private readonly recipes: SharedRecipes
  private readonly waiting: WaitingEntries
  private readonly taken: TakenOver
  private readonly twins: Twins

  constructor(db: Db, twins = new Twins(db)) {
    this.twins = twins
    this.entries = new Entries(db)
    this.batches = new BatchEvents(db)
    this.recipes = new SharedRecipes(db)
    this.waiting = new WaitingEntries(db)
    this.taken = new TakenOver(db, twins)
  }

  /** A verified event was added; within the same transaction. @param ref Of its installation in the file. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    this.twins.onAdded(seq)
    this.entries.onAdded(ref, seq, event)
    this.batches.onAdded(ref, seq, event)
    this.recipes.onAdded(ref, event)
    this.waiting.onAdded(ref, seq, event)
    this.taken.onAdded(ref, seq, event)
  }
}
