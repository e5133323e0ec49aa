/** Four-eyes cases in the history, and which of a pack's events it contains. */
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OpenedPayload, SignedCase } from '#wire/history/evidence.ts'
import { uuidBytes } from '#kit/bytes.ts'
import { evidenceEvent } from '../projections/evidence-rule.ts'
import { inAuditTrail } from '../events/event-index.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'

interface EventRow {
  readonly at: number
  readonly kind: string
  readonly subject: number
  readonly plain: string
  readonly sealed: Buffer | null
}
interface RecordRow {
  readonly subject: number
  readonly begun: number
  readonly ended: number | null
  readonly resolved: number | null
}

/** An applicant by its subject's number; a record or batch by its own events. */
type CaseScope =
  | { readonly kind: 'applicant'; readonly subject: number }
  | { readonly kind: 'batch'; readonly id: string; readonly others: readonly number[] }
  | { readonly kind: 'record'; readonly events: readonly number[] }

export class CountersignedCases {
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly aboutApplicant
  private readonly ofBatch

  constructor({ history, subjects }: { readonly history: Db; readonly subjects: Subjects }) {
    this.db = history
    this.subjects = subjects
    this.aboutApplicant = history
      .prepare(
        `SELECT count(*) FROM (
           SELECT ${evidenceEvent} AS at FROM record r WHERE r.subject = $subject
           UNION ALL SELECT ${evidenceEvent} FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject
           UNION ALL SELECT e.seq FROM applicant_event a JOIN event e ON e.seq = a.event LEFT JOIN record r ON r.seq = e.record
             WHERE a.subject = $subject AND (e.kind = 'decision.made' OR (e.kind IN ('link.made', 'link.removed')
               AND ${evidenceEvent} IS NOT NULL))
         ) WHERE at > $since`
      )
      .pluck()
    this.ofBatch = history.prepare(`SELECT count(*) FROM record r WHERE r.batch = ? AND ${evidenceEvent} > ?`).pluck()
  }

  private record(id: string): RecordRow | undefined {
    const bytes = uuidBytes(id)
    return (
      bytes &&
      (this.db.prepare(`SELECT subject, begun, ended, resolved FROM record WHERE id = ?`).get(bytes) as
        | RecordRow
        | undefined)
    )
  }

  /** Whose key seals the case; undefined if there is nothing about its subject. */
  private subjectOf({ kind, id }: EvidenceAbout): number | undefined {
    if (kind === 'applicant') return this.subjects.ofApplicant(id)
    if (kind === 'record') return this.record(id)?.subject
    return this.db.prepare('SELECT subject FROM record WHERE batch = ? ORDER BY seq LIMIT 1').pluck().get(id) as
      | number
      | undefined
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

  differing(events: readonly { readonly seq: number; readonly hash: string }[]): number[] {
    return events.filter(({ seq, hash }) => this.hashOf(seq)?.toString('hex') !== hash).map(({ seq }) => seq)
  }

  /** A countersignature is sealed with the key of the case's subject, so that it is erased with it. */
  addCase(writer: Writer, signed: SignedCase, operator: string, at: number): Result<null, Failure> {
    const ref = this.subjectOf(signed.about)
    const key = ref === undefined ? undefined : this.subjects.key(ref)
    if (ref === undefined || !key) return failed('evidence-nothing', { reason: 'erased' })
    const { agrees, key: signer } = signed.countersignature
    const plain = { operator, about: signed.about.kind, evidence: signed.evidence, pack: signed.pack, agrees, signer }
    writer.append(
      { at: Math.trunc(at), kind: 'case.countersigned', subject: ref, record: null, plain },
      { key, payload: signed }
    )
    return ok(null)
  }

  cases(): (SignedCase & { readonly importedAt: number; readonly newer: number })[] {
    const rows = this.db
      .prepare(
        `SELECT seq, at, kind, subject, sealed FROM event WHERE kind = 'case.countersigned' AND ${inAuditTrail}
          ORDER BY seq DESC LIMIT 1000`
      )
      .all() as EventRow[]
    return rows.flatMap(({ at, kind, subject, sealed }) => {
      const opened = this.open(subject, kind, sealed)
      if (!opened) return []
      const signed = JSON.parse(opened.text) as SignedCase
      const scope = this.caseScope(signed.about)
      return [{ ...signed, importedAt: at, newer: scope ? this.newer(scope, signed.evidence) : 0 }]
    })
  }

  /**
   * Number of later events that void a countersignature: evidence according to contract/evidence/rule.ts, and
   * decisions. Notes, tags, due dates and connection failures do not count. A case about one record is voided by any
   * event of it.
   */
  private newer(scope: CaseScope, since: number): number {
    if (scope.kind === 'record') return scope.events.filter((event) => event > since).length
    if (scope.kind === 'applicant') return this.aboutApplicant.get({ subject: scope.subject, since }) as number
    return (this.ofBatch.get(scope.id, since) as number) + scope.others.filter((event) => event > since).length
  }

  /** Undefined if there is nothing about it, or it has been erased. */
  private caseScope({ kind, id }: EvidenceAbout): CaseScope | undefined {
    if (kind === 'applicant') {
      const subject = this.subjects.ofApplicant(id)
      return subject === undefined ? undefined : { kind, subject }
    }
    if (kind === 'record') {
      const row = this.record(id)
      return row && { kind, events: [row.begun, row.ended, row.resolved].filter((seq) => seq !== null) }
    }
    const others = this.db
      .prepare(
        `SELECT seq FROM event WHERE kind IN ('batch.made', 'batch.changed') AND ${inAuditTrail} AND json_extract(plain, '$.id') = ?`
      )
      .pluck()
      .all(id) as number[]
    return others.length === 0 ? undefined : { kind, id, others }
  }
}
