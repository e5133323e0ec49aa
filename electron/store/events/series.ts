/**
 * Series of events: those of a person, of a record and of a batch, and all decisions and all verifications. Each event of
 * a listed kind says in its links which one of its series it is and which event is before it, so that a pack can prove
 * that none is left out.
 * docs/evidence-format.md, "Completeness".
 */
import type { EventLink } from '#kit/hashing/values.ts'
import { linkedKinds, type EventKind } from '#contract/evidence/event-kinds.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** A pack must prove each value by itself, and that no event is left out. */
export const seriesTables = `
  -- The last event of each series, its place, and the event before it; those of a record follow from its row.
  CREATE TABLE subject_series (subject INTEGER PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL, before INTEGER NOT NULL) STRICT;
  CREATE TABLE batch_series (batch TEXT PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL,
    before INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE kind_series (kind TEXT PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL,
    before INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

/** Kinds whose events are each a series of the whole audit trail. */
const countedKinds: ReadonlySet<EventKind> = new Set<EventKind>(['decision.made', 'record.begun'])

/** Where an event stands in its series; what does not apply is absent. */
export interface Place {
  readonly kind: EventKind
  readonly subject: number | null
  /** Its place among the events of its record. */
  readonly ofRecord?: EventLink
  /** ID of its batch. */
  readonly batch?: string
}

/** The place after some events of one record. */
export const linkAfter = (events: readonly number[]): EventLink => [events.length + 1, events.at(-1) ?? 0]

export class Series {
  private readonly ofSubject: Heads<number>
  private readonly ofBatch: Heads<string>
  private readonly ofKind: Heads<EventKind>

  constructor(history: Db) {
    this.ofSubject = new Heads(history, 'subject')
    this.ofBatch = new Heads(history, 'batch')
    this.ofKind = new Heads(history, 'kind')
  }

  /** Adds event `seq` to its series and returns its links as canonical JSON. Within a transaction. */
  add(seq: number, { kind, subject, ofRecord, batch }: Place): string {
    if (!linkedKinds.has(kind)) return '{}'
    const links: string[] = []
    if (countedKinds.has(kind)) links.push(`"all":${this.ofKind.add(kind, seq)}`)
    if (batch !== undefined) links.push(`"batch":${this.ofBatch.add(batch, seq)}`)
    if (ofRecord) links.push(`"record":[${ofRecord[0]},${ofRecord[1]}]`)
    if (subject !== null) links.push(`"subject":${this.ofSubject.add(subject, seq)}`)
    return `{${links.join(',')}}`
  }

  /** The number of events of a person. */
  countOfSubject(subject: number): number {
    return this.ofSubject.count(subject)
  }

  /** The number of events of a batch. */
  countOfBatch(batch: string): number {
    return this.ofBatch.count(batch)
  }
}

/** The last event of each series of one kind. */
class Heads<Id extends number | string> {
  private readonly next
  private readonly counted

  constructor(history: Db, of: 'subject' | 'batch' | 'kind') {
    this.next = history
      .prepare(
        `INSERT INTO ${of}_series VALUES (?, 1, ?, 0)
         ON CONFLICT (${of}) DO UPDATE SET count = count + 1, before = last, last = excluded.last RETURNING count, before`
      )
      .raw()
    this.counted = history.prepare(`SELECT count FROM ${of}_series WHERE ${of} = ?`).pluck()
  }

  count(id: Id): number {
    return (this.counted.get(id) as number | undefined) ?? 0
  }

  /** Adds an event; returns its place as JSON. */
  add(id: Id, seq: number): string {
    const [count, before] = this.next.get(id, seq) as [number, number]
    return `[${count},${before}]`
  }
}
