/** Collects the content of an evidence pack: events with their proofs, and their opened payloads. */
import { createHash } from 'node:crypto'
import type { EvidenceAbout } from '#contract/evidence.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Evidence, OpenedPayload, ProvenBody, ProvenEvent, SignedCase } from '#core/history/api/evidence.ts'
import type { Proofs } from '#core/history/audit/proofs.ts'
import { uuidBytes } from '#core/history/storage/bytes.ts'
import { CaseEvents, type CaseScope } from './case-events.ts'
import { inAuditTrail } from '#core/history/events/event-index.ts'
import { DamageError, type Db } from '#core/history/storage/files.ts'
import { bodyPurpose } from '#core/history/records/payloads.ts'
import { unseal } from '#core/history/storage/seal.ts'
import type { Subjects } from '#core/history/storage/subjects.ts'
import type { Writer } from '#core/history/records/writer.ts'

/** Maximum records of one pack: it is one text, read and verified as a whole. */
const maxRecords = 10_000

interface EventRow extends Omit<ProvenEvent, 'commitment' | 'hash' | 'previous' | 'path' | 'payload'> {
  readonly sealed: Buffer | null
  readonly commitment: Buffer | null
  readonly hash: Buffer
}
interface RecordRow {
  readonly seq: number
  readonly subject: number
  readonly connection: number
  readonly begun: number
  readonly ended: number | null
  readonly settled: number | null
}

const nothing = (reason: 'record' | 'batch' | 'applicant' | 'erased'): Result<never, Failure> => failed('evidence-nothing', { reason })
const recordColumns = 'r.seq, r.subject, r.connection, r.begun, r.ended, r.settled'

/** The commitment of an opened payload, hex. */
const committed = ({ salt, text }: OpenedPayload): string => createHash('sha256').update(salt, 'hex').update(text, 'utf8').digest('hex')

export class EvidenceCollector {
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly proofs: Proofs
  private readonly caseEvents: CaseEvents

  constructor({ history, subjects, proofs }: { readonly history: Db; readonly subjects: Subjects; readonly proofs: Proofs }) {
    this.db = history
    this.subjects = subjects
    this.proofs = proofs
    this.caseEvents = new CaseEvents(history)
  }

  /** The records of a subject, and its events that do not belong to a record. */
  private scope(about: EvidenceAbout): Result<{ readonly records: RecordRow[]; readonly others: number[] }, Failure> {
    if (about.kind === 'record') {
      const bytes = uuidBytes(about.id)
      const records = bytes ? (this.db.prepare(`SELECT ${recordColumns} FROM record r WHERE r.id = ?`).all(bytes) as RecordRow[]) : []
      return records.length === 0 ? nothing('record') : ok({ records, others: [] })
    }
    if (about.kind === 'batch') {
      const made = this.db
        .prepare(`SELECT seq FROM event WHERE kind IN ('batch.made', 'batch.changed') AND ${inAuditTrail} AND json_extract(plain, '$.id') = ?`)
        .pluck()
        .all(about.id) as number[]
      if (made.length === 0) return nothing('batch')
      const records = this.db.prepare(`SELECT ${recordColumns} FROM record r WHERE r.batch = ? ORDER BY r.seq LIMIT ?`).all(about.id, maxRecords + 1) as RecordRow[]
      return ok({ records, others: made })
    }
    const subject = this.subjects.ofApplicant(about.id)
    if (subject === undefined) return nothing('applicant')
    const records = this.db
      .prepare(
        `SELECT ${recordColumns} FROM record r WHERE r.subject = ?
         UNION SELECT ${recordColumns} FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = ? ORDER BY 1 LIMIT ?`
      )
      .all(subject, subject, maxRecords + 1) as RecordRow[]
    const others = this.db.prepare('SELECT event FROM applicant_event WHERE subject = ? ORDER BY event').pluck().all(subject) as number[]
    return ok({ records, others })
  }

  private seqsOf({ records, others }: { readonly records: readonly RecordRow[]; readonly others: readonly number[] }): number[] {
    const own = records.flatMap(({ begun, ended, settled }) => [begun, ended, settled].filter((seq) => seq !== null))
    return [...new Set([...own, ...others])].sort((a, b) => a - b)
  }

  /** The events that recorded the connections of some records. */
  private connectionEvents(records: readonly RecordRow[]): number[] {
    const refs = [...new Set(records.map(({ connection }) => connection))]
    return this.db
      .prepare(`SELECT seq FROM event WHERE kind = 'connection.noted' AND ${inAuditTrail} AND json_extract(plain, '$.ref') IN (SELECT value FROM json_each(?))`)
      .pluck()
      .all(JSON.stringify(refs)) as number[]
  }

  collect(about: EvidenceAbout): Result<Evidence, Failure> {
    const scope = this.scope(about)
    if (!scope.ok) return scope
    const { records } = scope.value
    if (records.length > maxRecords) return failed('evidence-nothing', { reason: 'too-many', limit: maxRecords })
    const head = this.proofs.head()
    const seqs = [...new Set([...this.connectionEvents(records), ...this.seqsOf(scope.value)])].sort((a, b) => a - b)
    const eventOf = this.db.prepare('SELECT seq, at, kind, subject, record, plain, sealed, commitment, hash FROM event WHERE seq = ?')
    const events: ProvenEvent[] = []
    for (const seq of seqs) {
      const { sealed, commitment, hash, ...row } = eventOf.get(seq) as EventRow
      const proof = this.proofs.inclusion(seq, head.seq)
      if (!proof.ok) return proof
      events.push({
        ...row,
        commitment: commitment?.toString('hex') ?? null,
        previous: (this.hashOf(seq - 1) ?? Buffer.alloc(32)).toString('hex'),
        hash: hash.toString('hex'),
        path: proof.value.path,
        payload: this.open(row.subject, row.kind, sealed)
      })
    }
    return ok({ head, records: records.length, events, bodies: records.flatMap((record) => this.body(record, events)) })
  }

  private hashOf(seq: number): Buffer | undefined {
    return this.db.prepare('SELECT hash FROM event WHERE seq = ?').pluck().get(seq) as Buffer | undefined
  }

  private open(subject: number | null, purpose: string, sealed: Buffer | null): OpenedPayload | null {
    const key = sealed && subject !== null ? this.subjects.key(subject) : undefined
    if (!key || !sealed) return null
    const opened = unseal(key, purpose, sealed)
    if (!opened) throw new DamageError({ reason: 'sealed', part: purpose })
    return { salt: opened.salt.toString('hex'), text: opened.payload }
  }

  private body({ seq, subject, ended }: RecordRow, events: readonly ProvenEvent[]): ProvenBody[] {
    const event = events.find((each) => each.seq === ended)
    const commitment = event && (JSON.parse(event.plain) as { reply?: { body?: string } }).reply?.body
    if (!commitment) return []
    const sealed = this.db.prepare('SELECT sealed FROM reply_body WHERE record = ?').pluck().get(seq) as Buffer | undefined
    const payload = this.open(subject, bodyPurpose, sealed ?? null)
    // Without its key it was erased. With it, it must exist and match its commitment, or no pack would verify.
    if (this.subjects.key(subject) && !(payload && committed(payload) === commitment)) throw new DamageError({ reason: 'reply-changed', number: seq })
    return [{ record: seq, commitment, payload }]
  }

  differing(events: readonly { readonly seq: number; readonly hash: string }[]): number[] {
    return events.filter(({ seq, hash }) => this.hashOf(seq)?.toString('hex') !== hash).map(({ seq }) => seq)
  }

  /** A countersignature is sealed with the key of the case's subject, so that it is erased with it. */
  addCase(signed: SignedCase, operator: string, at: number, writer: Writer): Result<null, Failure> {
    const scope = this.scope(signed.about)
    if (!scope.ok) return scope
    const ref = scope.value.records[0]?.subject ?? (signed.about.kind === 'applicant' ? this.subjects.ofApplicant(signed.about.id) : undefined)
    const key = ref === undefined ? undefined : this.subjects.key(ref)
    if (ref === undefined || !key) return nothing('erased')
    const { agrees, key: signer } = signed.countersignature
    const plain = { operator, about: signed.about.kind, evidence: signed.evidence, pack: signed.pack, agrees, signer }
    writer.append({ at: Math.trunc(at), kind: 'case.countersigned', subject: ref, record: null, plain }, { key, payload: signed })
    return ok(null)
  }

  author(about: EvidenceAbout, until: number): string | null {
    const scope = this.caseScope(about)
    return (scope && this.caseEvents.author(scope, until)) ?? null
  }

  cases(): (SignedCase & { readonly importedAt: number; readonly newer: number; readonly names: readonly string[] })[] {
    const rows = this.db
      .prepare(`SELECT seq, at, kind, subject, plain, sealed FROM event WHERE kind = 'case.countersigned' AND ${inAuditTrail} ORDER BY seq DESC LIMIT 1000`)
      .all() as EventRow[]
    return rows.flatMap(({ at, kind, subject, plain, sealed }) => {
      const opened = this.open(subject, kind, sealed)
      if (!opened) return []
      const signed = JSON.parse(opened.text) as SignedCase
      const scope = this.caseScope(signed.about)
      const author = scope && this.caseEvents.author(scope, signed.evidence)
      const names = [(JSON.parse(plain) as { readonly operator: string }).operator, ...(author === undefined ? [] : [author])]
      return [{ ...signed, importedAt: at, newer: scope ? this.caseEvents.newer(scope, signed.evidence) : 0, names }]
    })
  }

  /** Undefined if it has been erased. */
  private caseScope(about: EvidenceAbout): CaseScope | undefined {
    if (about.kind === 'applicant') {
      const subject = this.subjects.ofApplicant(about.id)
      return subject === undefined ? undefined : { kind: 'applicant', subject }
    }
    const scope = this.scope(about)
    if (!scope.ok) return undefined
    return about.kind === 'batch' ? { kind: 'batch', id: about.id, others: scope.value.others } : { kind: 'record', events: this.seqsOf(scope.value) }
  }
}
