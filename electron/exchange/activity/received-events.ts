/** Reads received events, and opens their sealed parts with the keys that have arrived. */
import type { z } from 'zod'
import { jsonOf } from '#kit/hashing/json.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { recordedValues } from '#kit/hashing/values.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { readContent, type SharedEvent } from '#team/log/content.ts'
import { placeOf } from '#team/log/places.ts'

/** A subject of an installation. */
export interface ReceivedSubject {
  readonly key: Buffer | null
  readonly applicant: string | null
  /** Why its data is not shown. */
  readonly closed?: 'awaited' | 'erased'
}

export interface ReceivedEvent extends SharedEvent {
  readonly ref: number
  readonly seq: number
  readonly hash: Buffer
}

export interface SubjectPlace {
  readonly ref: number
  readonly number: number
}

const states = { known: 1, erased: 2 } as const
/** Subjects of one installation that are one applicant: one, unless a member breaks the rules. */
const mostOfOne = 4
export const subjectsStatement = `SELECT i.ref, s.number FROM installation i CROSS JOIN subject s ON s.ref = i.ref AND s.number IN (
    SELECT number FROM subject WHERE applicant = ? AND ref = i.ref ORDER BY number DESC LIMIT ${mostOfOne}
  ) WHERE s.state = ${states.known}`

export class ReceivedEvents {
  /** Bytes that were read since it was set. */
  bytes = 0
  private readonly byPlace
  private readonly bySubject
  private readonly byApplicant

  constructor(db: Db) {
    this.byPlace = db.prepare('SELECT hash, content FROM event WHERE place = ?')
    this.bySubject = db.prepare('SELECT key, applicant, state FROM subject WHERE ref = ? AND number = ?')
    this.byApplicant = db.prepare(subjectsStatement)
  }

  /** Undefined if there is no such event. */
  get(ref: number, seq: number): ReceivedEvent | undefined {
    const row = this.byPlace.get(placeOf(ref, seq)) as { readonly hash: Buffer; readonly content: Buffer } | undefined
    if (!row) return undefined
    this.bytes += row.content.length
    const event = readContent(row.content)
    return event && event !== 'newer' ? { ...event, ref, seq, hash: row.hash } : undefined
  }

  subject(ref: number, number: number): ReceivedSubject {
    const row = this.bySubject.get(ref, number) as
      | { readonly key: Buffer | null; readonly applicant: string | null; readonly state: number }
      | undefined
    if (row?.state === states.known) return { key: row.key, applicant: row.applicant }
    return { key: null, applicant: null, closed: row?.state === states.erased ? 'erased' : 'awaited' }
  }

  /** The subjects that are an applicant, in all installations. */
  subjectsOf(applicantId: string): readonly SubjectPlace[] {
    return this.byApplicant.all(applicantId) as SubjectPlace[]
  }

  /** The plain part, if it has the form. */
  plain<T extends z.ZodType>({ plain }: SharedEvent, form: T): z.output<T> | undefined {
    return plain ? formed(jsonOf(plain.text), form) : undefined
  }

  /** The sealed part, if the key opens it, its values are those that the event's hash covers, and it has the form. */
  sealed<T extends z.ZodType>(
    { kind, sealed, values: [, digest] }: SharedEvent,
    key: Buffer | null,
    form: T
  ): z.output<T> | undefined {
    const opened = sealed && key ? unseal(key, kind, sealed) : undefined
    return opened && digest !== null ? formed(recordedValues(opened.salt, opened.payload, digest), form) : undefined
  }
}

function formed<T extends z.ZodType>(values: unknown, form: T): z.output<T> | undefined {
  const read = form.safeParse(values)
  return read.success ? read.data : undefined
}
