/** Four-eyes cases in the history, and which of a pack's events it contains. */
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OpenedPayload, SignedCase } from '#wire/history/evidence.ts'
import { uuidBytes } from '#kit/bytes.ts'
import { CaseEvents, type CaseScope } from './case-events.ts'
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

export class CountersignedCases {
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly caseEvents: CaseEvents

  constructor({ history, subjects }: { readonly history: Db; readonly subjects: Subjects }) {
    this.db = history
    this.subjects = subjects
    this.caseEvents = new CaseEvents(history)
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

  author(about: EvidenceAbout, until: number): string | null {
    const scope = this.caseScope(about)
    return (scope && this.caseEvents.author(scope, until)) ?? null
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
      return [{ ...signed, importedAt: at, newer: scope ? this.caseEvents.newer(scope, signed.evidence) : 0 }]
    })
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
