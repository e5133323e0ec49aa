/** Approvals in a team: requests and answers of this installation. Writes run within a transaction. */
import type { Decision } from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type {
  AnswerDraft,
  ApprovalTask,
  ArrivedAnswer,
  AskDraft,
  OwnApprovals,
  OwnAsk,
  OwnAnswer
} from '#wire/history/approvals.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { EventRow, Events } from '../events/events.ts'
import type {
  AnswerReceivedPlain,
  AnsweredPlain,
  AnsweredSealed,
  AskedPlain,
  AskedSealed,
  DecisionPlain,
  DecisionSealed
} from '#wire/history/applicant-payloads.ts'
import type { ApplicantProjection } from '../projections/applicants.ts'
import type { Writer } from '../records/writer.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'

/** Older ones are not listed. */
export const mostOwnApprovals = 1000

interface ApprovalParts {
  readonly history: Db
  readonly subjects: Subjects
  readonly events: Events
  readonly projection: ApplicantProjection
}

export class Approvals {
  private readonly parts: ApprovalParts
  private readonly newestOf
  private readonly newestAbout
  private readonly hashOf

  constructor(parts: ApprovalParts) {
    const { history } = parts
    this.parts = parts
    const select = `SELECT seq, at, kind, subject, record, plain, sealed, hash FROM event WHERE kind = ? AND ${inAuditTrail}`
    this.newestOf = history.prepare(`${select} ORDER BY seq DESC LIMIT ${mostOwnApprovals}`)
    this.newestAbout = history.prepare(`${select} AND subject = ? ORDER BY seq DESC LIMIT ${mostOwnApprovals}`)
    this.hashOf = history.prepare('SELECT lower(hex(hash)) FROM event WHERE seq = ?').pluck()
  }

  ask(
    writer: Writer,
    { applicantId, decision, installation, evidence, note }: AskDraft,
    by: Hand
  ): Result<{ readonly seq: number }, Failure> {
    const { subjects, projection, events } = this.parts
    const subject = subjects.ofApplicant(applicantId)
    const row = subject === undefined ? undefined : projection.row(subject)
    const key = row && subjects.key(row.subject)
    if (!row || !key) return failed('applicant-missing')
    if (row.decision !== decision) return failed('team-approval-refused', { reason: 'decision' })
    if (events.get<DecisionPlain>(decision).plain.evidence < row.evidence)
      return failed('team-approval-refused', { reason: 'outdated' })
    const plain: AskedPlain = {
      operator: by.operator,
      decision: [installation, decision, this.hashAt(decision) ?? ''],
      evidence
    }
    const payload: AskedSealed = { note }
    const at = Math.trunc(by.at)
    const seq = writer.append(
      { at, kind: 'approval.asked', subject: row.subject, record: null, plain },
      { key, payload }
    )
    projection.onEvent(row.subject, at, seq)
    return ok({ seq })
  }

  /** The sealed part names the applicant: this may be the first event about them here. */
  answer(
    writer: Writer,
    { applicantId, asked, agrees, note, signer, signature }: AnswerDraft,
    by: Hand
  ): Result<{ readonly seq: number }, Failure> {
    const { subjects, projection } = this.parts
    const subject = subjects.forCheck(applicantId)
    const plain: AnsweredPlain = { operator: by.operator, asked, agrees, signer, signature }
    const payload: AnsweredSealed = { applicantId, note }
    const at = Math.trunc(by.at)
    const seq = writer.append(
      { at, kind: 'approval.answered', subject: subject.ref, record: null, plain },
      { key: subject.key, payload }
    )
    projection.onKnown(subject.ref, at, seq)
    return ok({ seq })
  }

  /** An applicant who was erased, or is not known, has none. */
  receive(writer: Writer, answers: readonly ArrivedAnswer[], by: Hand): Result<number, Failure> {
    const { subjects, projection } = this.parts
    const at = Math.trunc(by.at)
    const kept = answers.filter(({ applicantId, note, at: answeredAt, by: person, ...rest }) => {
      const subject = subjects.ofApplicant(applicantId)
      const key = subject === undefined ? undefined : subjects.key(subject)
      if (
        subject === undefined ||
        !key ||
        this.receivedAbout(applicantId).some(
          ([installation, seq]) => installation === rest.answer[0] && seq === rest.answer[1]
        )
      )
        return false
      const plain: AnswerReceivedPlain = { operator: by.operator, ...rest, at: answeredAt, by: person }
      const payload: AskedSealed = { note }
      projection.onEvent(
        subject,
        at,
        writer.append({ at, kind: 'approval.received', subject, record: null, plain }, { key, payload })
      )
      return true
    })
    return ok(kept.length)
  }

  private receivedAbout(applicantId: string | undefined): (readonly [installation: string, seq: number])[] {
    return this.rows('approval.received', applicantId).map(({ plain }) => {
      const [installation, seq] = (JSON.parse(plain) as AnswerReceivedPlain).answer
      return [installation, seq] as const
    })
  }

  own({ applicantId, evidenceOf, hashesOf }: ApprovalTask): OwnApprovals {
    const asks = this.rows('approval.asked', applicantId).flatMap((row) => this.asked(row))
    const answers = this.rows('approval.answered', applicantId).flatMap((row) => this.answered(row))
    const applicants = [...new Set([...evidenceOf, ...asks.map((ask) => ask.applicantId)])]
    return {
      asks,
      answers,
      received: this.receivedAbout(applicantId),
      newest: applicants.flatMap((id) => {
        const found = this.newestEvidence(id)
        return found ? [{ applicantId: id, ...found }] : []
      }),
      hashes: [...new Set(hashesOf)].flatMap((seq) => {
        const hash = this.hashAt(seq)
        return hash === undefined ? [] : [[seq, hash] as const]
      })
    }
  }

  private hashAt(seq: number): string | undefined {
    return this.hashOf.get(seq) as string | undefined
  }

  private newestEvidence(applicantId: string): { readonly seq: number; readonly hash: string } | undefined {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    const row = subject === undefined ? undefined : this.parts.projection.row(subject)
    const seq = row ? Math.max(row.evidence, row.decision ?? 0) : 0
    const hash = this.hashAt(seq)
    return hash === undefined ? undefined : { seq, hash }
  }

  private rows(kind: EventKind, applicantId: string | undefined): readonly EventRow[] {
    if (applicantId === undefined) return this.newestOf.all(kind) as EventRow[]
    const subject = this.parts.subjects.ofApplicant(applicantId)
    return subject === undefined ? [] : (this.newestAbout.all(kind, subject) as EventRow[])
  }

  /** None after an erasure. */
  private about(row: EventRow): string | undefined {
    return row.subject === null ? undefined : this.parts.subjects.applicantOf(row.subject)
  }

  private asked(row: EventRow): OwnAsk[] {
    const applicantId = this.about(row)
    const {
      seq,
      at,
      hash,
      plain: { operator, decision, evidence },
      sealed
    } = this.parts.events.open<AskedPlain, AskedSealed>(row)
    return applicantId === undefined
      ? []
      : [
          {
            seq,
            at,
            hash: hash.toString('hex'),
            operator,
            applicantId,
            decision,
            evidence,
            note: sealed?.note ?? '',
            decided: this.decided(decision[1])
          }
        ]
  }

  private decided(seq: number): {
    readonly operator: string
    readonly decision: Decision
    readonly reasons: readonly string[]
    readonly note: string
  } {
    const { plain, sealed } = this.parts.events.get<DecisionPlain, DecisionSealed>(seq)
    return {
      operator: plain.operator,
      decision: plain.decision,
      reasons: sealed?.reasons ?? [],
      note: sealed?.note ?? ''
    }
  }

  private answered(row: EventRow): OwnAnswer[] {
    const applicantId = this.about(row)
    const {
      seq,
      at,
      hash,
      plain: { operator, asked, agrees, signer, signature },
      sealed
    } = this.parts.events.open<AnsweredPlain, AnsweredSealed>(row)
    return applicantId === undefined
      ? []
      : [
          {
            seq,
            at,
            hash: hash.toString('hex'),
            operator,
            applicantId,
            asked,
            agrees,
            signer,
            signature,
            note: sealed?.note ?? ''
          }
        ]
  }
}
