/**
 * Documents that were noted with a record after its verification. Each is an event of the record, sealed with the key
 * of its subject: an erasure takes it away.
 */
import type { KeptDocument, SeenDocument } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Hand } from '#wire/history/applicants.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Events } from '../events/events.ts'
import { uuidBytes } from '#kit/bytes.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from './writer.ts'

interface NotedPlain {
  readonly operator: string
  readonly field: string
}

export class DocumentNotes {
  private readonly subjects: Subjects
  private readonly events: Events
  private readonly recordOf
  private readonly notesOf

  constructor(history: Db, subjects: Subjects, events: Events) {
    this.subjects = subjects
    this.events = events
    this.recordOf = history.prepare('SELECT seq, subject FROM record WHERE id = ?')
    this.notesOf = history
      .prepare(`SELECT seq FROM event WHERE kind = 'document.noted' AND ${inAuditTrail} AND record = ? ORDER BY seq`)
      .pluck()
  }

  note(
    writer: Writer,
    recordId: string,
    field: string,
    document: SeenDocument,
    { at, operator }: Hand
  ): Result<null, Failure> {
    const record = this.find(recordId)
    const key = record && this.subjects.key(record.subject)
    if (!key) return failed('record-missing')
    const plain: NotedPlain = { operator, field }
    writer.append(
      { at: Math.trunc(at), kind: 'document.noted', subject: record.subject, record: record.seq, plain },
      { key, payload: document }
    )
    return ok(null)
  }

  /** The documents of a record by field: the newest note of each, unless a check saw it before the verification. */
  kept(
    recordId: string,
    checked: Readonly<Record<string, KeptDocument>> | undefined
  ): Readonly<Record<string, KeptDocument>> | undefined {
    const record = this.find(recordId)
    const noted = (record ? (this.notesOf.all(record.seq) as number[]) : []).flatMap((seq) => {
      const { plain, sealed } = this.events.get<NotedPlain, SeenDocument>(seq)
      return sealed ? [[plain.field, { ...sealed, noted: true as const }] as const] : []
    })
    return noted.length === 0 ? checked : { ...Object.fromEntries(noted), ...checked }
  }

  private find(recordId: string): { readonly seq: number; readonly subject: number } | undefined {
    const bytes = uuidBytes(recordId)
    return bytes && (this.recordOf.get(bytes) as { readonly seq: number; readonly subject: number } | undefined)
  }
}
