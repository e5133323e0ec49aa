/**
 * Series of events: those of a person, of a record and of a batch. Each event of a listed kind says in its links which
 * one of its series it is and which event is before it, so that a pack can prove that none is left out.
 * docs/evidence-format.md, "Completeness".
 */
import type { EventLink } from '#core/hashing/values.ts'
import type { EventKind } from '#core/history/api/events.ts'
import { EarlierEvents } from './earlier-events.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { Migration } from '#core/history/storage/migrate.ts'

export const linksMigration: Migration = {
  version: 5,
  name: 'values and series of events',
  why: 'A pack must prove each value by itself, and that no event is left out.',
  up: (db) =>
    db.exec(`
      -- Both NULL for events of version 0.1. "links" is canonical JSON; "digests" is the salt of "plain" (16 bytes), the
      -- digest of its values (32) and, with a sealed part, the digest of that part's values (32).
      ALTER TABLE event ADD COLUMN links TEXT;
      ALTER TABLE event ADD COLUMN digests BLOB;
      -- The last event of version 0.1.
      CREATE TABLE series_start (one INTEGER PRIMARY KEY CHECK (one = 1), after INTEGER NOT NULL) STRICT;
      INSERT INTO series_start SELECT 1, coalesce(max(seq), 0) FROM event;
      -- The last event of each series and its place; that of a record follows from its row.
      CREATE TABLE subject_series (subject INTEGER PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;
      CREATE TABLE batch_series (batch TEXT PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    `)
}

/** Kinds of events that are part of series. */
export const linkedKinds: ReadonlySet<EventKind> = new Set<EventKind>([
  'record.begun', 'record.ended', 'record.settled', 'batch.made', 'batch.changed', 'batch.resolved', 'decision.made',
  'note.made', 'tags.changed', 'due.changed', 'link.made', 'link.removed', 'pack.made'
])

/** Where an event stands in its series; what does not apply is absent. */
export interface Place {
  readonly kind: EventKind
  readonly subject: number | null
  /** Its place among the events of its record. */
  readonly ofRecord?: EventLink
  /** ID of its batch. */
  readonly batch?: string
}

interface SeriesHead {
  readonly count: number
  readonly last: number
}

/** The place after some events of one record. */
export const linkAfter = (events: readonly number[]): EventLink => [events.length + 1, events.at(-1) ?? 0]

export class Series {
  private readonly earlier: EarlierEvents
  private readonly ofSubject
  private readonly ofBatch
  private readonly setSubject
  private readonly setBatch

  constructor(history: Db) {
    this.earlier = new EarlierEvents(history)
    this.ofSubject = history.prepare('SELECT count, last FROM subject_series WHERE subject = ?')
    this.ofBatch = history.prepare('SELECT count, last FROM batch_series WHERE batch = ?')
    this.setSubject = history.prepare('INSERT INTO subject_series VALUES (?, ?, ?) ON CONFLICT (subject) DO UPDATE SET count = excluded.count, last = excluded.last')
    this.setBatch = history.prepare('INSERT INTO batch_series VALUES (?, ?, ?) ON CONFLICT (batch) DO UPDATE SET count = excluded.count, last = excluded.last')
  }

  /** Adds event `seq` to its series and returns its links as canonical JSON. Within a transaction. */
  add(seq: number, { kind, subject, ofRecord, batch }: Place): string {
    if (!linkedKinds.has(kind)) return '{}'
    const links: string[] = []
    if (batch !== undefined) {
      const [n, before] = this.afterBatch(batch)
      this.setBatch.run(batch, n, seq)
      links.push(`"batch":[${n},${before}]`)
    }
    if (ofRecord) links.push(`"record":[${ofRecord[0]},${ofRecord[1]}]`)
    if (subject !== null) {
      const [n, before] = this.afterSubject(subject)
      this.setSubject.run(subject, n, seq)
      links.push(`"subject":[${n},${before}]`)
    }
    return `{${links.join(',')}}`
  }

  /** The place of a person's next event. */
  afterSubject(subject: number): EventLink {
    return next((this.ofSubject.get(subject) as SeriesHead | undefined) ?? headOf(this.earlier.ofSubject(subject)))
  }

  /** The place of a batch's next event. */
  afterBatch(batch: string): EventLink {
    return next((this.ofBatch.get(batch) as SeriesHead | undefined) ?? headOf(this.earlier.ofBatch(batch)))
  }
}

const next = ({ count, last }: SeriesHead): EventLink => [count + 1, last]
const headOf = (events: readonly number[]): SeriesHead => ({ count: events.length, last: events.at(-1) ?? 0 })
