/**
 * What a thread keeps in memory beside the history: it is loaded in slices when it is first needed, and then follows the events, so that only
 * what an event names is read again.
 */
import type { Db } from '#wire/sqlite/files.ts'

export interface NewEvent {
  readonly seq: number
  readonly kind: string
  readonly subject: number | null
  readonly record: number | null
}
export interface News {
  readonly events: readonly NewEvent[]
  /** Applicants that events are about, also those to whom a record that they name is linked. */
  readonly subjects: ReadonlySet<number>
  readonly records: ReadonlySet<number>
}
export interface Kept {
  /** Reads up to `followedAtOnce` applicants after this one; returns the last of them, or undefined if there are no more. */
  load(after: number): number | undefined
  /** Reads again what events name. */
  follow(news: News): void
  /** Drops everything. After an erasure, nothing of the person may stay in memory. */
  drop(): void
}

/** Applicants or events that are read at a time. */
export const followedAtOnce = 200

export class Follower {
  private readonly kept: Kept
  private readonly head
  private readonly newer
  private readonly linkOf
  /** The last event that is taken into account; undefined before the first load. */
  private known: number | undefined
  /** The applicant to continue loading after; undefined if all are loaded. */
  private after: number | undefined

  constructor(history: Db, kept: Kept) {
    this.kept = kept
    this.head = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
    this.newer = history.prepare('SELECT seq, kind, subject, record FROM event WHERE seq > ? ORDER BY seq LIMIT ?')
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
  }

  /** Whether everything was loaded; events may have come since. */
  get isLoaded(): boolean {
    return this.known !== undefined && this.after === undefined
  }

  /** Drops everything; the next call loads it again. */
  forget(): void {
    this.known = undefined
    this.kept.drop()
  }

  /** Brings everything up to date, for some milliseconds; true if it is. */
  warm(milliseconds: number): boolean {
    const until = performance.now() + milliseconds
    for (;;) {
      if (this.known === undefined) {
        this.known = this.head.get() as number
        this.after = 0
      }
      if (this.after !== undefined) this.after = this.kept.load(this.after)
      else if (!this.follow(this.known)) return true
      if (performance.now() >= until) return false
    }
  }

  /** Takes the next events into account; true if there may be more to do. */
  private follow(known: number): boolean {
    const events = this.newer.all(known, followedAtOnce) as NewEvent[]
    const last = events.at(-1)
    if (!last) return false
    if (events.some(({ kind }) => kind === 'subject.erased')) {
      this.forget()
      return true
    }
    this.known = last.seq
    const records = new Set(events.flatMap(({ record }) => record ?? []))
    const linked = [...records].flatMap((record) => (this.linkOf.get(record) as number | undefined) ?? [])
    // A message is no applicant.
    const named = events.flatMap(({ kind, subject }) => (kind === 'message.interpreted' ? [] : (subject ?? [])))
    this.kept.follow({ events, records, subjects: new Set([...named, ...linked]) })
    return events.length === followedAtOnce
  }
}
