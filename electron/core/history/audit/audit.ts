/** Reads the audit trail for display, and appends to it. */
import type { AuditEvent, AuditGroup, AuditPage, AuditQuery } from '#contract/audit.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { AuditNote } from '#core/history/api/audit-notes.ts'
import { groupOf, isUnnamed, kindsOf, wordsOf } from '#core/audit/words.ts'
import { uuidBytes, uuidText } from '#core/history/storage/bytes.ts'
import type { Dictionary } from '#core/history/projections/dictionary.ts'
import type { EventRow } from '#core/history/events/events.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { Subjects } from '#core/history/storage/subjects.ts'
import type { Writer } from '#core/history/records/writer.ts'

/** The kinds excluded from the partial index, whose condition repeats them; they are found by scanning. */
const checks = `('record.begun', 'record.ended')`
const columns = 'seq, at, kind, subject, record, plain, sealed, hash'

export class Audit {
  private readonly subjects: Subjects
  private readonly dictionary: Dictionary
  private readonly newest
  private readonly newestChecks
  private readonly newestOf
  private readonly atTime
  private readonly last
  private readonly idOfRecord
  private readonly recordOf
  private readonly linkOf

  constructor(history: Db, subjects: Subjects, dictionary: Dictionary) {
    this.subjects = subjects
    this.dictionary = dictionary
    this.newest = history.prepare(`SELECT ${columns} FROM event WHERE seq < ? ORDER BY seq DESC LIMIT ?`)
    this.newestChecks = history.prepare(`SELECT ${columns} FROM event WHERE kind IN ${checks} AND seq < ? ORDER BY seq DESC LIMIT ?`)
    this.newestOf = history.prepare(`SELECT ${columns} FROM event WHERE kind = ? AND kind NOT IN ${checks} AND seq < ? ORDER BY seq DESC LIMIT ?`)
    this.atTime = history.prepare('SELECT at FROM event WHERE seq = ?').pluck()
    this.last = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
    this.idOfRecord = history.prepare('SELECT id FROM record WHERE seq = ?').pluck()
    this.recordOf = history.prepare('SELECT seq, subject FROM record WHERE id = ?')
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
  }

  /**
   * Appends an event that does not belong to a record. A view of something that no longer exists is recorded without
   * a number.
   */
  note(writer: Writer, note: AuditNote): Result<{ readonly seq: number }, Failure> {
    const { kind, at, operator, plain, about } = note
    const bytes = about && 'recordId' in about ? uuidBytes(about.recordId) : undefined
    const record = bytes && (this.recordOf.get(bytes) as { readonly seq: number; readonly subject: number } | undefined)
    const subject = about && 'applicantId' in about ? this.subjects.ofApplicant(about.applicantId) : record?.subject
    const seq = writer.append({
      at: Math.trunc(at),
      kind,
      subject: subject ?? null,
      record: record?.seq ?? null,
      plain: { ...plain, operator }
    })
    return ok({ seq })
  }

  page({ groups, limit, before, at }: AuditQuery): AuditPage {
    const jump = at === undefined ? undefined : this.newestAt(at) + 1
    const rows = this.rows(groups, before ?? jump ?? Number.MAX_SAFE_INTEGER, limit + 1)
    return { events: rows.slice(0, limit).map((row) => this.event(row)), older: rows.length > limit }
  }

  /** The newest event at or before a time. Events are almost in the order of their times, so binary search finds it. */
  private newestAt(at: number): number {
    let low = 0
    let high = this.last.get() as number
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.atTime.get(middle) as number) <= at) low = middle
      else high = middle - 1
    }
    return low
  }

  private rows(groups: readonly AuditGroup[] | undefined, before: number, limit: number): EventRow[] {
    if (!groups?.length) return this.newest.all(before, limit) as EventRow[]
    const rows = kindsOf(groups)
      .filter((kind) => !checks.includes(`'${kind}'`))
      .flatMap((kind) => this.newestOf.all(kind, before, limit) as EventRow[])
    if (groups.includes('checks')) rows.push(...(this.newestChecks.all(before, limit) as EventRow[]))
    return rows.sort((a, b) => b.seq - a.seq).slice(0, limit)
  }

  private event({ seq, at, kind, subject, record, plain: json, sealed, hash }: EventRow): AuditEvent {
    const plain = JSON.parse(json) as Readonly<Record<string, unknown>>
    const id = record === null ? undefined : (this.idOfRecord.get(record) as Buffer | undefined)
    const linked = record === null ? undefined : (this.linkOf.get(record) as number | undefined)
    const applicant = subject === null ? undefined : this.subjects.applicantOf(subject)
    return {
      seq,
      at,
      kind,
      group: groupOf(kind),
      words: wordsOf(kind, plain, { connection: (ref) => this.connectionName(ref) }),
      operator: typeof plain['operator'] === 'string' ? plain['operator'] : undefined,
      ...(isUnnamed(kind, plain) && { unnamed: true }),
      recordId: id && uuidText(id),
      applicantId: applicant ?? (linked === undefined ? undefined : this.subjects.applicantOf(linked)),
      erased: sealed !== null && subject !== null && this.subjects.key(subject) === undefined,
      hash: hash.toString('hex')
    }
  }

  private connectionName(ref: unknown): string {
    const name = typeof ref === 'number' ? this.dictionary.connections.get(ref)?.name : undefined
    return name === undefined ? 'a connection' : `“${name}”`
  }
}

/** `event-missing`, with the number of events. */
export const eventMissing = (size: number): { readonly ok: false; readonly failure: Failure } =>
  failed('event-missing', { size })
