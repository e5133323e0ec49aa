/**
 * Installations that begin with the same event: one that joined again under a new number, or a copy of a data folder. The
 * hash of an event covers all before it, so up to an event that is the same in both, so is everything else.
 */
import type { Db } from '#wire/sqlite/files.ts'
import { mostEvents } from './database.ts'
import { placeOf } from './places.ts'

/** Statements on the file. Throws SQLite's errors. */
export class Twins {
  private readonly sameFirst
  private readonly hashAt
  /** Those with the same first event, by the ref of one. */
  private readonly known = new Map<number, readonly number[]>()

  constructor(db: Db) {
    this.sameFirst = db
      .prepare(
        `SELECT i.ref FROM installation i JOIN event e ON e.place = i.ref * ${mostEvents} + 1 WHERE i.ref <> ?
          AND e.hash = (SELECT hash FROM event WHERE place = ?)`
      )
      .pluck()
    this.hashAt = db.prepare('SELECT hash FROM event WHERE place = ?').pluck()
  }

  /** A verified event was added: the first one of an installation may be that of another one. */
  onAdded(seq: number): void {
    if (seq === 1) this.known.clear()
  }

  /** Other installations whose event with this number is the same one, by ref. */
  at(ref: number, seq: number): readonly number[] {
    const known = this.known.get(ref) ?? (this.sameFirst.all(ref, placeOf(ref, 1)) as number[])
    this.known.set(ref, known)
    if (known.length === 0) return known
    const ours = this.hashAt.get(placeOf(ref, seq)) as Buffer | undefined
    return ours ? known.filter((twin) => (this.hashAt.get(placeOf(twin, seq)) as Buffer | undefined)?.equals(ours)) : []
  }
}
