/** Approvals: requests and answers of this installation. Writes run within a transaction. */
import type { Decision } from '#contract/applicants/applicants.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type {
  AnswerDraft,
  ApprovalTask,
  ArrivedAnswer,
  AskDraft,
  KeptAnswers,
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

/** Older ones are not listed. They count all the same: whoever asks about an applicant is told all. */
export const mostOwnApprovals = 1000

interface ApprovalParts {
  readonly history: Db
  readonly subjects: Subjects
  readonly events: Events
  readonly projection: ApplicantProjection
  /** Notes what an answer means for the decision about a subject. */
  readonly onAnswered: (subject: number) => void
}

const receivedIn = ({ plain }: EventRow): AnswerReceivedPlain => JSON.parse(plain) as AnswerReceivedPlain
/** Of answers that were received: installation and number. */
const namesOfAnswers = (rows: readonly EventRow[]): OwnApprovals['received'] =>
  rows.map((row) => {
    const { answer, void: isVoid = false } = receivedIn(row)
    return [answer[0], answer[1], isVoid]
  })
/** Whether two are one, whichever way each has come: a file does not prove the name of the answer's event. */
const isSame = (a: AnswerReceivedPlain, { answer, signature }: ArrivedAnswer): boolean =>
  a.signature === signature || (a.answer[0] === answer[0] && a.answer[1] === answer[1])

export class Approvals {
  private readonly parts: ApprovalParts
  private readonly newestOf
  private readonly allOf
  private readonly askAt
  private readonly allAbout
  private readonly hashOf

  constructor(parts: ApprovalParts) {
    const { history } = parts
    this.parts = parts
    const columns = 'e.seq, e.at, e.kind, e.subject, e.record, e.plain, e.sealed, e.hash'
    const ofKind = `SELECT ${columns} FROM event e WHERE kind = ? AND ${inAuditTrail} ORDER BY seq DESC`
    this.allOf = history.prepare(ofKind)
    this.newestOf = history.prepare(`${ofKind} LIMIT ${mostOwnApprovals}`)
    this.askAt = history.prepare(
      `SELECT ${columns} FROM event e WHERE seq = ? AND kind = 'approval.asked' AND ${inAuditTrail}`
    )
    this.allAbout = history.prepare(
      `SELECT ${columns} FROM applicant_event a JOIN event e ON e.seq = a.event WHERE a.subject = ? AND e.kind = ?`
    )
    this.hashOf = history.prepare('SELECT lower(hex(hash)) FROM event WHERE seq = ?').pluck()
  }

  ask(
    writer: Writer,
    { applicantId, decision, installation, scope, evidence, note }: AskDraft,
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
      scope,
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
    { applicantId, note, ...words }: AnswerDraft,
    by: Hand
  ): Result<{ readonly seq: number; readonly hash: string }, Failure> {
    const { subjects, projection } = this.parts
    const subject = subjects.forCheck(applicantId)
    const plain: AnsweredPlain = { operator: by.operator, ...words }
    const payload: AnsweredSealed = { applicantId, note }
    const at = Math.trunc(by.at)
    const seq = writer.append(
      { at, kind: 'approval.answered', subject: subject.ref, record: null, plain },
      { key: subject.key, payload }
    )
    projection.onKnown(subject.ref, at, seq)
    return ok({ seq, hash: this.hashAt(seq) ?? '' })
  }

  /** An applicant who was erased, or is not known, has none. */
  receive(writer: Writer, answers: readonly ArrivedAnswer[], by: Hand): Result<KeptAnswers, Failure> {
    const { subjects, projection, onAnswered } = this.parts
    const at = Math.trunc(by.at)
    let voided = 0
    const kept = answers.filter((answer) => {
      const { applicantId, note, at: answeredAt, by: person, ...rest } = answer
      const subject = subjects.ofApplicant(applicantId)
      const key = subject === undefined ? undefined : subjects.key(subject)
      const known = this.about('approval.received', [applicantId]).map(receivedIn)
      if (subject === undefined || !key || known.some((each) => isSame(each, answer))) return false
      // Files can be imported in another order than they were signed in.
      const isReplaced = known.some(
        (each) => !each.void && each.answer[0] === rest.answer[0] && each.answer[1] > rest.answer[1]
      )
      const isVoid = rest.void ?? (isReplaced || (this.newestEvidence(applicantId)?.seq ?? 0) > rest.asked[1])
      if (isVoid) voided += 1
      const plain: AnswerReceivedPlain = {
        operator: by.operator,
        ...rest,
        at: answeredAt,
        by: person,
        ...(isVoid && { void: true as const })
      }
      const payload: AskedSealed = { note }
      projection.onEvent(
        subject,
        at,
        writer.append({ at, kind: 'approval.received', subject, record: null, plain }, { key, payload })
      )
      onAnswered(subject)
      return true
    })
    return ok({ kept: kept.length, void: voided })
  }

  own({ evidenceOf, hashesOf, others }: ApprovalTask): OwnApprovals {
    const isListed = others === 'newest'
    const about = [...new Set(evidenceOf)]
    const wanted = (kind: EventKind, isEach: boolean): readonly EventRow[] => {
      if (isEach) return this.allOf.all(kind) as EventRow[]
      const newest = isListed ? (this.newestOf.all(kind) as EventRow[]) : []
      const found = new Map([...newest, ...this.about(kind, about)].map((row) => [row.seq, row]))
      return [...found.values()].sort((a, b) => b.seq - a.seq)
    }
    const asks = wanted('approval.asked', others === 'asks').flatMap((row) => this.asked(row))
    const answers = wanted('approval.answered', others === 'answers').flatMap((row) => this.answered(row))
    const applicants = [...new Set([...about, ...asks.map((ask) => ask.applicantId)])]
    return {
      asks,
      answers,
      received: namesOfAnswers(wanted('approval.received', others === 'asks')),
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

  /** Of whatever number and hash an answer in a file names. */
  askOf(seq: number, hash: string): OwnAsk | 'erased' | undefined {
    const row = this.askAt.get(seq) as EventRow | undefined
    return row?.hash.toString('hex') === hash ? (this.asked(row)[0] ?? 'erased') : undefined
  }

  private hashAt(seq: number): string | undefined {
    return this.hashOf.get(seq) as string | undefined
  }

  private newestEvidence(applicantId: string): Omit<OwnApprovals['newest'][number], 'applicantId'> | undefined {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    const row = subject === undefined ? undefined : this.parts.projection.row(subject)
    const seq = row ? Math.max(row.evidence, row.decision ?? 0) : 0
    const hash = this.hashAt(seq)
    return hash === undefined || subject === undefined ? undefined : { seq, hash, subject }
  }

  private about(kind: EventKind, applicantIds: readonly string[]): readonly EventRow[] {
    return applicantIds.flatMap((applicantId) => {
      const subject = this.parts.subjects.ofApplicant(applicantId)
      return subject === undefined ? [] : (this.allAbout.all(subject, kind) as EventRow[])
    })
  }

  /** None after an erasure. */
  private applicantOf(row: EventRow): string | undefined {
    return row.subject === null ? undefined : this.parts.subjects.applicantOf(row.subject)
  }

  private asked(row: EventRow): OwnAsk[] {
    const applicantId = this.applicantOf(row)
    const {
      seq,
      at,
      hash,
      plain: { operator, scope, decision, evidence },
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
            scope,
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
    readonly proposed?: true
    readonly reasons: readonly string[]
    readonly note: string
  } {
    const { plain, sealed } = this.parts.events.get<DecisionPlain, DecisionSealed>(seq)
    return {
      operator: plain.operator,
      decision: plain.decision,
      ...(plain.requires === 1 && { proposed: true as const }),
      reasons: sealed?.reasons ?? [],
      note: sealed?.note ?? ''
    }
  }

  private answered(row: EventRow): OwnAnswer[] {
    const applicantId = this.applicantOf(row)
    const { seq, at, hash, plain, sealed } = this.parts.events.open<AnsweredPlain, AnsweredSealed>(row)
    return applicantId === undefined
      ? []
      : [
          {
            seq,
            at,
            hash: hash.toString('hex'),
            applicantId,
            ...plain,
            note: sealed?.note ?? ''
          }
        ]
  }
}
