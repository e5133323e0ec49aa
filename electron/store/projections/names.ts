/**
 * Who applicants are, by the newest answer with their details. Sealed under the applicant's key like the answer itself, so
 * that an erasure takes it from here and from every copy. Follows new answers, and is derived anew if an organisation
 * maps other fields. A details answer names its applicant, so links do not matter.
 */
import { namesIn, type ApplicantNames, type NameFields } from '#contract/applicants/names.ts'
import { detailsOperation } from '#contract/verification/operations.ts'
import { seal, unseal } from '#kit/sealing/seal.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import { codeOfState } from './columns.ts'
import { containsOwnValue, type RecordValues } from './own-values.ts'

export const nameTables = `
  -- One row for each applicant with an answer of details; "event" ended its record.
  CREATE TABLE applicant_name (
    subject INTEGER PRIMARY KEY,
    record INTEGER NOT NULL,
    event INTEGER NOT NULL,
    sealed BLOB NOT NULL
  ) STRICT;
  CREATE INDEX applicant_name_event ON applicant_name(event);
  -- The fields that the names are read from, as JSON. "reached": the last record that was read with them, until all were.
  CREATE TABLE applicant_name_fields (one INTEGER PRIMARY KEY CHECK (one = 1), fields TEXT NOT NULL, reached INTEGER) STRICT;
  INSERT INTO applicant_name_fields VALUES (1, '{"name":[],"birthDate":[],"country":[]}', NULL);
`

const purpose = 'applicant.names'
/** A longer answer is no applicant's details, and takes time to read. */
const longestBody = 256 * 1024
/** Records that are looked at in one step of deriving the names anew. */
const recordsPerStep = 500

/** Whether an answer has details: the service's own word for success. */
export const hasDetails = (operation: string | undefined, status: number | undefined): boolean =>
  operation === detailsOperation && status !== undefined && status >= 200 && status <= 299

function parsed(body: string): unknown {
  if (body.length > longestBody) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

export class NamesProjection {
  /** Incremented when rows other than by a new answer have changed. */
  version = 0
  private fields: NameFields
  private readonly subjects: Subjects
  private readonly insert
  private readonly sealedOf
  private readonly newer
  private readonly newest
  private readonly stateOf
  private readonly setState
  private readonly answered
  private readonly lastRecord

  constructor(history: Db, subjects: Subjects) {
    this.subjects = subjects
    this.insert = history.prepare(
      `INSERT INTO applicant_name VALUES (?, ?, ?, ?) ON CONFLICT (subject) DO UPDATE
       SET record = excluded.record, event = excluded.event, sealed = excluded.sealed WHERE excluded.record >= record`
    )
    this.sealedOf = history.prepare('SELECT sealed FROM applicant_name WHERE subject = ?').pluck()
    this.newer = history.prepare(
      'SELECT subject, event, sealed FROM applicant_name WHERE event > ? ORDER BY event LIMIT ?'
    )
    this.newest = history.prepare('SELECT coalesce(max(event), 0) FROM applicant_name').pluck()
    this.stateOf = history.prepare('SELECT fields, reached FROM applicant_name_fields')
    this.setState = history.prepare('UPDATE applicant_name_fields SET fields = ?, reached = ?')
    this.answered = history.prepare(
      `SELECT r.seq, r.subject, r.status, r.ended FROM record r JOIN operation o ON o.ref = r.operation
       WHERE r.seq > ? AND r.seq <= ? AND r.state = ${codeOfState('answered')} AND o.id = '${detailsOperation}' ORDER BY r.seq`
    )
    this.lastRecord = history.prepare('SELECT coalesce(max(seq), 0) FROM record').pluck()
    this.fields = this.state().fields
  }

  private state(): { readonly fields: NameFields; readonly reached: number | null } {
    const { fields, reached } = this.stateOf.get() as { fields: string; reached: number | null }
    return { fields: JSON.parse(fields) as NameFields, reached }
  }

  /** After a transaction was rolled back. */
  reload(): void {
    this.fields = this.state().fields
  }

  /** An answer with details has been recorded. */
  onDetails(subject: number, record: number, event: number, body: string): void {
    const key = this.subjects.key(subject)
    if (!key || this.subjects.applicantOf(subject) === undefined) return
    const { sealed } = seal(key, purpose, JSON.stringify(namesIn(parsed(body), this.fields)))
    this.insert.run(subject, record, event, sealed)
  }

  private opened(subject: number, sealed: Buffer): ApplicantNames | undefined {
    const key = this.subjects.key(subject)
    const found = key && unseal(key, purpose, sealed)
    return found && (JSON.parse(found.payload) as ApplicantNames)
  }

  /** Undefined if no answer with details is here, or the applicant was erased. */
  of(subject: number): ApplicantNames | undefined {
    const sealed = this.sealedOf.get(subject) as Buffer | undefined
    return sealed && this.opened(subject, sealed)
  }

  /** The name of an applicant by its ID, as a part of an item; nothing if there is none. */
  named(applicantId: string | undefined): Pick<ApplicantNames, 'name'> {
    const subject = applicantId === undefined ? undefined : this.subjects.ofApplicant(applicantId)
    const name = subject === undefined ? undefined : this.of(subject)?.name
    return name === undefined ? {} : { name }
  }

  /** The event of the newest name; 0 if there is none. */
  lastEvent(): number {
    return this.newest.get() as number
  }

  /** Whether a message to a record of the subject contains a value of it. */
  isOwn(message: string, subject: number, values: Pick<RecordValues, 'sent' | 'body'>): boolean {
    const applicantId = this.subjects.applicantOf(subject)
    return containsOwnValue(message, { ...values, applicantId, names: this.of(subject) }, this.fields)
  }

  /** Those of later events, in their order. */
  after(
    event: number,
    limit: number
  ): readonly { readonly subject: number; readonly event: number; readonly names: ApplicantNames }[] {
    const rows = this.newer.all(event, limit) as { subject: number; event: number; sealed: Buffer }[]
    return rows.map((row) => ({
      subject: row.subject,
      event: row.event,
      names: this.opened(row.subject, row.sealed) ?? {}
    }))
  }

  /** Takes other fields from now on. `derive` reads what is there again. Within a transaction. */
  map(fields: NameFields): void {
    if (JSON.stringify(this.fields) === JSON.stringify(fields)) return
    this.setState.run(JSON.stringify(fields), 0)
    this.fields = fields
  }

  /** Whether all names are read from these fields. */
  areFrom(fields: NameFields): boolean {
    return JSON.stringify(this.fields) === JSON.stringify(fields) && this.state().reached === null
  }

  /**
   * Derives the names of the next records; true if there may be more. Within a transaction.
   *
   * @param bodyOf The body that a record was answered with, if it can be read.
   */
  derive(bodyOf: (record: number) => string | undefined): boolean {
    const { reached } = this.state()
    if (reached === null) return false
    const until = reached + recordsPerStep
    const rows = this.answered.all(reached, until) as {
      seq: number
      subject: number
      status: number | null
      ended: number
    }[]
    for (const { seq, subject, status, ended } of rows) {
      if (!hasDetails(detailsOperation, status ?? undefined) || !this.subjects.key(subject)) continue
      const body = bodyOf(seq)
      if (body !== undefined) this.onDetails(subject, seq, ended, body)
    }
    const isDone = until >= (this.lastRecord.get() as number)
    this.setState.run(JSON.stringify(this.fields), isDone ? null : until)
    this.version += 1
    return !isDone
  }
}
