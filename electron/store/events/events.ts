/** Reads single events and opens their sealed payload if its key still exists. */
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'

export interface StoredEvent<Plain = Readonly<Record<string, unknown>>, Sealed = object> {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: Plain
  /** Undefined if there is none or its key was destroyed. */
  readonly sealed: Sealed | undefined
  readonly erased: boolean
  readonly hash: Buffer
}

export interface EventRow {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly subject: number | null
  readonly record: number | null
  readonly plain: string
  readonly sealed: Buffer | null
  readonly hash: Buffer
}

export class Events {
  private readonly bySeq
  private readonly subjects: Subjects

  constructor(history: Db, subjects: Subjects) {
    this.subjects = subjects
    this.bySeq = history.prepare('SELECT seq, at, kind, subject, record, plain, sealed, hash FROM event WHERE seq = ?')
  }

  /** Throws DamageError if there is no such event, because callers have its number from a projection. */
  get<Plain = Readonly<Record<string, unknown>>, Sealed = object>(seq: number): StoredEvent<Plain, Sealed> {
    const row = this.bySeq.get(seq) as EventRow | undefined
    if (!row) throw new DamageError({ reason: 'event-missing', number: seq })
    return this.open(row)
  }

  open<Plain = Readonly<Record<string, unknown>>, Sealed = object>(row: EventRow): StoredEvent<Plain, Sealed> {
    const { sealed, subject, plain } = row
    const key = sealed && subject !== null ? this.subjects.key(subject) : undefined
    const opened = sealed && key ? unseal(key, row.kind, sealed) : undefined
    if (key && !opened) throw new DamageError({ reason: 'event-sealed', number: row.seq })
    return {
      ...row,
      plain: JSON.parse(plain) as Plain,
      sealed: opened && (JSON.parse(opened.payload) as Sealed),
      erased: sealed !== null && !key
    }
  }
}
