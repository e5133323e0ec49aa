/** Reads records: projection, events and body, decrypted with the subject's key. */
import type { OperationId } from '#contract/verification/operations.ts'
import { contextOf } from '#contract/history/record-context.ts'
import type { RecordDetail, RecordSummary } from '#contract/history/records.ts'
import { uuidBytes, uuidText } from '#kit/bytes.ts'
import { states } from '../projections/columns.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import * as payloads from '#wire/history/record-payloads.ts'
import { recordedValues } from '#kit/hashing/values.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'

interface Row {
  readonly seq: number
  readonly id: Buffer
  readonly subject: number
  readonly operation: number
  readonly connection: number
  readonly state: number
  readonly status: number | null
  readonly started_at: number
  readonly took: number | null
  readonly batch: string | null
  readonly rerun_of: Buffer | null
  readonly b_sealed: Buffer
  readonly e_sealed: Buffer | null
  readonly s_sealed: Buffer | null
  readonly s_plain: string | null
  readonly s_at: number | null
}

const columns = `r.seq, r.id, r.subject, r.operation, r.connection, r.state, r.status, r.started_at, r.took, r.batch, r.rerun_of,
  b.sealed AS b_sealed, e.sealed AS e_sealed, s.sealed AS s_sealed, s.plain AS s_plain, s.at AS s_at`
const joins = `FROM record r JOIN event b ON b.seq = r.begun
  LEFT JOIN event e ON e.seq = r.ended LEFT JOIN event s ON s.seq = r.resolved`

/** What makes two verifications, or two documents, the same. */
export interface Identity {
  readonly check: string
  readonly seen: readonly string[]
  /** The code of the record's state. */
  readonly state: number
}

/** What a search reads of a record. */
export interface SearchedRecord {
  readonly summary: RecordSummary
  /** The applicant that the record names. */
  readonly applicantId: string | undefined
  readonly subject: number
  /** Throws DamageError if the answer was changed. */
  answer(): { readonly message: string; readonly body: string }
}

const some = <T>(value: T | null): T | undefined => value ?? undefined

export class Reader {
  private readonly bySeq
  private readonly message
  private readonly seqOf
  private readonly plains
  private readonly bodyOf
  private readonly repliedOf
  private readonly startOf
  private readonly standingOf
  private readonly subjects: Subjects
  private readonly dictionary: Dictionary

  constructor(history: Db, subjects: Subjects, dictionary: Dictionary) {
    this.subjects = subjects
    this.dictionary = dictionary
    this.message = history.prepare('SELECT message FROM record WHERE seq = ?').pluck()
    this.bySeq = history.prepare(`SELECT ${columns} ${joins} WHERE r.seq = ?`)
    this.seqOf = history.prepare('SELECT seq FROM record WHERE id = ?').pluck()
    this.plains = history.prepare('SELECT b.plain AS begun, e.plain AS ended ' + joins + ' WHERE r.seq = ?')
    this.repliedOf = history.prepare(
      'SELECT r.subject, e.plain AS ended FROM record r JOIN event e ON e.seq = r.ended WHERE r.seq = ?'
    )
    this.startOf = history.prepare('SELECT started_at FROM record WHERE seq = ?').pluck()
    this.standingOf = history.prepare(`SELECT state, started_at, resolved, batch FROM record WHERE seq = ?`)
    this.bodyOf = history.prepare('SELECT sealed FROM reply_body WHERE record = ?').pluck()
  }

  /** The seq of a record's id. */
  seq(id: string): number | undefined {
    const bytes = uuidBytes(id)
    return bytes && (this.seqOf.get(bytes) as number | undefined)
  }

  /** When a record started; 0 if there is no such record. */
  startedAt(seq: number): number {
    return (this.startOf.get(seq) as number | undefined) ?? 0
  }

  /** What the spend guard asks of a record; undefined if there is none. */
  standing(seq: number):
    | {
        readonly state: number
        readonly started_at: number
        readonly resolved: number | null
        readonly batch: string | null
      }
    | undefined {
    return this.standingOf.get(seq) as ReturnType<Reader['standing']>
  }

  /** Opens a sealed payload; empty if its subject was erased. */
  private open<T extends object>(subject: number, purpose: string, sealed: Buffer | null): Partial<T> {
    const key = sealed && this.subjects.key(subject)
    if (!key) return {}
    const opened = unseal(key, purpose, sealed)
    if (!opened) throw new DamageError({ reason: 'sealed', part: purpose })
    return JSON.parse(opened.payload) as T
  }

  private row(seq: number): Row {
    const row = this.bySeq.get(seq) as Row | undefined
    if (!row) throw new DamageError({ reason: 'record-missing', number: seq })
    return row
  }

  summary(seq: number): RecordSummary {
    return this.toSummary(this.row(seq)).summary
  }

  private toSummary(row: Row): {
    summary: RecordSummary
    ended: Partial<payloads.EndedSealed>
    applicantId: string | undefined
    documents: payloads.BegunSealed['documents']
    corrections: payloads.BegunSealed['corrections']
  } {
    const begun = this.open<payloads.BegunSealed>(row.subject, 'record.begun', row.b_sealed)
    const ended = this.open<payloads.EndedSealed>(row.subject, 'record.ended', row.e_sealed)
    const resolved = row.s_plain === null ? undefined : (JSON.parse(row.s_plain) as payloads.ResolvedPlain)
    const connection = this.dictionary.connections.get(row.connection)
    const state = states[row.state]
    if (!connection || !state) throw new DamageError({ reason: 'reference', number: row.seq })
    return {
      ended,
      applicantId: begun.applicantId,
      documents: begun.documents,
      corrections: begun.corrections,
      summary: {
        id: uuidText(row.id),
        seq: row.seq,
        operation: this.dictionary.operationNames.get(row.operation) as OperationId,
        connection,
        state,
        startedAt: row.started_at,
        took: some(row.took),
        status: some(row.status),
        message: ended.message,
        input: begun.input ?? {},
        resolved: resolved && {
          as: resolved.as,
          note: this.open<payloads.ResolvedSealed>(row.subject, 'record.resolved', row.s_sealed).note ?? '',
          at: row.s_at ?? 0,
          operator: resolved.operator
        },
        batchId: some(row.batch),
        rerunOf: row.rerun_of ? uuidText(row.rerun_of) : undefined,
        ...(begun.input === undefined && { erased: true as const })
      }
    }
  }

  /** A record in detail, without the previous one. */
  detail(seq: number): Omit<RecordDetail, 'previous'> {
    const row = this.row(seq)
    const { summary, ended, documents, corrections } = this.toSummary(row)
    const plains = this.plains.get(seq) as { begun: string; ended: string | null }
    const begun = JSON.parse(plains.begun) as payloads.BegunPlain
    const reply =
      plains.ended === null ? undefined : ((JSON.parse(plains.ended) as payloads.EndedPlain).reply ?? undefined)
    const body = reply && this.body(seq, row.subject, reply.values)
    return {
      ...summary,
      ...contextOf(begun),
      ...(documents && { documents }),
      ...(corrections && { corrections }),
      failure: ended.failure,
      fullMessage: body?.message ?? ended.message,
      reply: reply && {
        status: reply.status,
        statusText: ended.statusText ?? '',
        headers: ended.headers ?? [],
        body: body?.body ?? '',
        ...(body?.raw !== undefined && { raw: body.raw }),
        bytes: reply.bytes,
        truncated: reply.truncated
      }
    }
  }

  /** A record's row of the list, and what a search reads of it: the answer only when it is asked for, which takes time. */
  searched(seq: number): SearchedRecord {
    const row = this.row(seq)
    const { summary, ended, applicantId } = this.toSummary(row)
    return {
      summary,
      applicantId,
      subject: row.subject,
      answer: () => {
        const { ended: plain } = this.plains.get(seq) as { ended: string | null }
        const { reply } = plain === null ? {} : (JSON.parse(plain) as payloads.EndedPlain)
        const body = reply && this.body(seq, row.subject, reply.values)
        return { message: body?.message ?? ended.message ?? '', body: body?.body ?? '' }
      }
    }
  }

  /** The number of a record's message in the catalogue. */
  messageOf(seq: number): number | undefined {
    return some(this.message.get(seq) as number | null) ?? undefined
  }

  /** The body of a record's answer; undefined without one, or if it was erased or changed, which the audit trail reports. */
  readonly replyBody = (seq: number): string | undefined => {
    const found = this.repliedOf.get(seq) as { subject: number; ended: string } | undefined
    const { reply } = found ? (JSON.parse(found.ended) as payloads.EndedPlain) : {}
    try {
      return found && reply ? this.body(seq, found.subject, reply.values).body : undefined
    } catch (error) {
      if (error instanceof DamageError) return undefined
      throw error
    }
  }

  /** The body, verified against the digest of its values in the chain. */
  private body(seq: number, subject: number, digest: string): Partial<payloads.BodySealed> {
    const key = this.subjects.key(subject)
    if (!key) return {}
    const sealed = this.bodyOf.get(seq) as Buffer | undefined
    const opened = sealed && unseal(key, payloads.bodyPurpose, sealed)
    const values = opened && recordedValues(opened.salt, opened.payload, digest)
    if (!values) throw new DamageError({ reason: 'reply-changed', number: seq })
    return values
  }

  /**
   * A record's canonical verification, the documents that a check saw, and its state; undefined if its subject was
   * erased. Reads neither the answer nor the body.
   */
  identity(seq: number): Identity | undefined {
    const row = this.row(seq)
    const begun = this.open<payloads.BegunSealed>(row.subject, 'record.begun', row.b_sealed)
    return begun.input && this.identityOf(row, { ...begun, input: begun.input })
  }

  private identityOf(row: Row, { input, documents }: payloads.BegunSealed): Identity {
    const connection = this.dictionary.connections.get(row.connection)
    const operation = this.dictionary.operationNames.get(row.operation)
    if (!connection || operation === undefined) throw new DamageError({ reason: 'reference', number: row.seq })
    return {
      check: payloads.canonicalCheck(operation, connection.id, input),
      seen: Object.values(documents ?? {}).map(({ sha256 }) => payloads.canonicalDocument(connection.id, sha256)),
      state: row.state
    }
  }

  /** The searchable texts of a record and its identity; undefined if its subject was erased. */
  texts(seq: number): (Identity & { readonly asked: string; readonly answered: string }) | undefined {
    const row = this.row(seq)
    const begun = this.open<payloads.BegunSealed>(row.subject, 'record.begun', row.b_sealed)
    if (!begun.input) return undefined
    const { input, applicantId } = begun
    return {
      ...this.identityOf(row, { ...begun, input }),
      asked: payloads.askedText(uuidText(row.id), { input, applicantId }),
      answered: this.answeredText(row)
    }
  }

  private answeredText(row: Row): string {
    if (row.e_sealed === null) return payloads.answeredText(undefined, undefined)
    const { message } = this.open<payloads.EndedSealed>(row.subject, 'record.ended', row.e_sealed)
    const { ended } = this.plains.get(row.seq) as { ended: string }
    const { reply } = JSON.parse(ended) as payloads.EndedPlain
    const body = reply ? this.body(row.seq, row.subject, reply.values) : undefined
    return payloads.answeredText(body?.message ?? message, reply ? (body?.body ?? '') : undefined)
  }
}
