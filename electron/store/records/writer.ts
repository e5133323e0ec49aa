/** Writes: each appends its event to the chain and updates the projections. Runs within a transaction. */
import { isEvidence, isTechnicalStatus } from '#contract/evidence/rule.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { RecordEnding, Resolution } from '#contract/history/records.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { recordedJson } from '#kit/hashing/canonical-json.ts'
import { partDigest, type Values } from '#kit/hashing/values.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'
import { CopyWriter } from './document-copies.ts'
import { ApplicantProjection } from '../projections/applicants.ts'
import { randomBytes, uuid7, uuidBytes, uuidText } from '#kit/bytes.ts'
import { Catalogue } from '../projections/catalogue.ts'
import { eventHash } from '#wire/history/chain.ts'
import { linkAfter, Series } from '../events/series.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { Appender, Head, NewEvent } from '#wire/history/events.ts'
import { codeOfState, type ColumnsRow } from '../projections/columns.ts'
import { Dictionary } from '../projections/dictionary.ts'
import { hasDetails, NamesProjection } from '../projections/names.ts'
import type { Db } from '#wire/sqlite/files.ts'
import * as payloads from '#wire/history/record-payloads.ts'
import { keyDigest, seal } from '#kit/sealing/seal.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'

/** Updates to memory after a write is durable. */
export interface PostCommit {
  readonly row: ColumnsRow
  /** What to index; if its text is missing, it is read from the event. */
  readonly text?: {
    readonly event: number
    readonly text?: string
    readonly check?: string
    /** Documents that a check saw. */ readonly seen?: readonly string[]
  }
}

interface Target {
  readonly seq: number
  readonly subject: number
  readonly operation: number
  readonly connection: number
  readonly state: number
  readonly status: number | null
  readonly started_at: number
  readonly resolved: number | null
  readonly took: number | null
  readonly begun: number
  readonly ended: number | null
  readonly batch: string | null
  readonly message: number | null
  readonly operator: number
}

/** The place of a record's next event among its own, and its batch. */
const seriesOf = ({ begun, ended, batch }: Target): Pick<NewEvent, 'ofRecord' | 'batch'> => ({
  ofRecord: linkAfter(ended === null ? [begun] : [begun, ended]),
  batch: batch ?? undefined
})

export class Writer implements Appender {
  /** The head of the chain, including the running transaction. */
  head: Head
  lastRecord: number
  /** Filled by writes, processed after the commit. */
  postCommit: PostCommit[] = []
  private readonly subjects: Subjects
  readonly applicants: ApplicantProjection
  readonly catalogue: Catalogue
  readonly names: NamesProjection
  readonly dictionary: Dictionary
  readonly series: Series
  private readonly copies: CopyWriter
  private readonly insertEvent
  private readonly insertRecord
  private readonly insertBody
  private readonly end
  private readonly markResolved
  private readonly target
  // Canonical verifications of records that are still open, so that finishing one need not read it.
  private readonly openChecks = new Map<number, string>()

  constructor(history: Db, subjects: Subjects, head: Head, digestKey: Buffer) {
    this.applicants = new ApplicantProjection(history)
    this.catalogue = new Catalogue(history, subjects, digestKey)
    this.names = new NamesProjection(history, subjects)
    this.subjects = subjects
    this.head = head
    this.dictionary = new Dictionary(history)
    this.series = new Series(history)
    this.copies = new CopyWriter(history)
    this.lastRecord = history.prepare('SELECT coalesce(max(seq), 0) FROM record').pluck().get() as number
    this.insertEvent = history.prepare(
      'INSERT INTO event (seq, at, kind, subject, record, plain, sealed, hash, links, digests) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'
    )
    this.insertRecord = history.prepare(
      `INSERT INTO record (seq, id, subject, operation, connection, operator, state, started_at, begun, batch, rerun_of)
       VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)`
    )
    this.insertBody = history.prepare('INSERT INTO reply_body VALUES (?, ?)')
    this.end = history.prepare(
      'UPDATE record SET state = ?, status = ?, took = ?, ended = ?, message = ? WHERE seq = ?'
    )
    this.markResolved = history.prepare(`UPDATE record SET resolved = ? WHERE seq = ?`)
    this.target = history.prepare(
      `SELECT seq, subject, operation, connection, state, status, started_at, resolved, took, begun, ended, batch, message, operator FROM record WHERE id = ?`
    )
  }

  /** Appends one event; returns its seq. */
  append(event: NewEvent, sealed?: { key: Buffer; payload: object }): number {
    const secret = sealed && seal(sealed.key, event.kind, recordedJson(sealed.payload))
    const { at, kind, subject, record } = event
    const seq = this.head.seq + 1
    const plain = recordedJson(event.plain)
    const salt = randomBytes(16).toString('hex')
    const sealedValues = sealed && secret ? partDigest(secret.salt, sealed.payload as Values) : ''
    const digests = Buffer.from(salt + partDigest(salt, event.plain as Values) + sealedValues, 'hex')
    const links = this.series.add(seq, event)
    const hash = eventHash(this.head.hash, { seq, at, kind, subject, record, links, digests })
    this.insertEvent.run(seq, at, kind, subject, record, plain, secret?.sealed ?? null, hash, links, digests)
    this.head = { seq, hash }
    return seq
  }

  /** Appends an event of a batch. */
  note<Plain extends { readonly id: string }>(at: number, kind: EventKind, plain: Plain): void {
    this.append({ at: Math.trunc(at), kind, subject: null, record: null, plain, batch: plain.id })
  }

  /**
   * Failure: `document-copy-failed`, if the key under which copies were sealed was destroyed in the meantime.
   *
   * @param given The subject of a batch's row, whose key already seals its cells.
   */
  begin(intent: RecordIntent, given?: Subject): Result<{ readonly id: string; readonly seq: number }, Failure> {
    const at = Math.trunc(intent.startedAt)
    const idBytes = uuid7(at)
    const id = uuidText(idBytes)
    const { copies } = intent
    if (
      copies &&
      !(given ? keyDigest(given.key) === copies.under : this.subjects.isUnder(intent.applicantId, copies.under))
    )
      return failed('document-copy-failed', { reason: 'erased' })
    const subject = given ?? this.subjects.forCheck(intent.applicantId, copies?.under)
    const operation = this.dictionary.operation(intent.operation)
    const connection = this.dictionary.connection(intent.connection, (ref, snapshot) => {
      this.append({ at, kind: 'connection.noted', subject: null, record: null, plain: { ref, snapshot } })
    })
    const operator = this.dictionary.operator(intent.operator)
    const seq = this.lastRecord + 1
    const payload: payloads.BegunSealed = {
      input: intent.input,
      applicantId: intent.applicantId,
      documents: intent.documents,
      corrections: intent.corrections
    }
    const seen = Object.values(intent.documents ?? {}).map(({ sha256 }) =>
      payloads.canonicalDocument(intent.connection.id, sha256)
    )
    const begun = this.append(
      {
        at,
        kind: 'record.begun',
        subject: subject.ref,
        record: seq,
        plain: payloads.begunPlain(id, intent, connection),
        ofRecord: linkAfter([]),
        batch: intent.batchId
      },
      { key: subject.key, payload }
    )
    if (given ? this.subjects.applicantOf(subject.ref) !== undefined : intent.applicantId !== undefined)
      this.applicants.onBegun(subject.ref, at)
    const rerunOf = intent.rerunOf === undefined ? undefined : uuidBytes(intent.rerunOf)
    this.insertRecord.run(
      seq,
      idBytes,
      subject.ref,
      operation,
      connection,
      operator,
      at,
      begun,
      intent.batchId ?? null,
      rerunOf ?? null
    )
    if (copies) this.copies.begun(this, copies, { at, operator: intent.operator, record: seq, subject })
    this.lastRecord = seq
    this.openChecks.set(seq, payloads.canonicalCheck(intent.operation, intent.connection.id, intent.input))
    this.postCommit.push({
      row: {
        ...{ seq, started_at: at, operation, connection, operator, state: 0, status: null, resolved: null },
        ...{ took: null, subject: subject.ref, batch: intent.batchId ?? null, message: null }
      },
      text: { event: begun, text: payloads.askedText(id, payload), seen }
    })
    return ok({ id, seq })
  }

  /** Records of a verification that have begun in this run and not ended. */
  openOf(check: string): number[] {
    return [...this.openChecks].flatMap(([seq, open]) => (open === check ? [seq] : []))
  }

  /** A record of an erased subject ends as well: with its outcome, and without anything that would have to be sealed. */
  finish(id: string, given: RecordEnding): Result<null, Failure> {
    const found = this.find(id)
    if (!found) return failed('record-missing')
    if (found.state !== 0) return failed('internal', { reason: 'ended-twice' })
    const key = this.subjects.key(found.subject)
    const ending = key ? given : { ...given, reply: undefined, message: undefined }
    const { reply, message } = ending
    const at = Math.trunc(ending.endedAt)
    const noted = this.noteMessage(found, ending, at)
    const plain = payloads.endedPlain(ending, key && this.sealBody(found.seq, ending, key))
    const ended = this.append(
      { at, kind: 'record.ended', subject: found.subject, record: found.seq, plain, ...seriesOf(found) },
      key && { key, payload: payloads.endedSealed(ending) }
    )
    const state = codeOfState(ending.outcome)
    this.end.run(state, reply?.status ?? null, ending.took ?? null, ended, noted ?? null, found.seq)
    if (isEvidence({ state: ending.outcome, status: reply?.status }))
      this.applicants.onEvidence(found.subject, found.seq, ended)
    if (reply && hasDetails(this.dictionary.operationNames.get(found.operation), reply.status))
      this.names.onDetails(found.subject, found.seq, ended, reply.body)
    const check = this.openChecks.get(found.seq)
    this.openChecks.delete(found.seq)
    // If the verification is not in memory (started by an earlier run), the index reads it from the event.
    const text = check === undefined ? {} : { text: payloads.answeredText(message, reply?.body), check }
    this.postCommit.push({
      row: { ...found, state, status: reply?.status ?? null, took: ending.took ?? null, message: noted ?? null },
      text: { event: ended, ...text }
    })
    return ok(null)
  }

  /** The catalogue learns of a message, unless its status is a technical one. */
  private noteMessage(
    { operation, subject, seq }: { readonly operation: number; readonly subject: number; readonly seq: number },
    { reply, message }: RecordEnding,
    at: number
  ): number | undefined {
    const sent = payloads.sentValues(this.openChecks.get(seq))
    return reply && message !== undefined && !isTechnicalStatus(reply.status)
      ? this.catalogue.onAnswered(this, {
          operation,
          operationId: this.dictionary.operationNames.get(operation) ?? '',
          status: reply.status,
          message,
          at,
          own: this.names.isOwn(message, subject, { sent, body: reply.body })
        })
      : undefined
  }

  /** Stores the response under the subject's key; returns the digest of its values. */
  private sealBody(record: number, { reply, message }: RecordEnding, key: Buffer): string | undefined {
    if (!reply) return undefined
    const body: payloads.BodySealed = {
      body: reply.body,
      message: message !== undefined && message.length > payloads.shortMessage ? message : undefined,
      raw: reply.raw
    }
    const { sealed, salt } = seal(key, payloads.bodyPurpose, recordedJson(body))
    this.insertBody.run(record, sealed)
    return partDigest(salt, { ...body })
  }

  resolve(id: string, as: Resolution, note: string, { at, operator }: Hand): Result<null, Failure> {
    const found = this.find(id)
    if (!found) return failed('record-missing')
    if (found.state !== codeOfState('unknown') || found.resolved !== null) return failed('record-not-resolvable')
    const key = this.subjects.key(found.subject)
    const plain: payloads.ResolvedPlain = { as, operator }
    const payload: payloads.ResolvedSealed = { note }
    const resolved = this.append(
      {
        at: Math.trunc(at),
        kind: 'record.resolved',
        subject: found.subject,
        record: found.seq,
        plain,
        ...seriesOf(found)
      },
      // No text is stored for an erased subject, but the resolution may still be recorded.
      key && { key, payload }
    )
    this.markResolved.run(resolved, found.seq)
    if (isEvidence({ state: 'unknown', resolved: { as } }))
      this.applicants.onEvidence(found.subject, found.seq, resolved)
    this.postCommit.push({ row: { ...found, resolved } })
    return ok(null)
  }

  private find(id: string): Target | undefined {
    const bytes = uuidBytes(id)
    return bytes && (this.target.get(bytes) as Target | undefined)
  }
}
