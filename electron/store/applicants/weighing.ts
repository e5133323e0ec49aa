/** Which of several applicants one decision can take, and why it leaves the others out. */
import { maxDetailsAnswers, type Decision, type ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { LeftOut, LeftOutReason, SetApplicant, SetMessage } from '#contract/applicants/decide-many.ts'
import { hasDifference } from '#contract/applicants/comparison.ts'
import { today } from '#contract/applicants/due-dates.ts'
import { hasExpired } from '#contract/applicants/expiry.ts'
import { gravest } from '#contract/applicants/standing.ts'
import { signerOf } from '#contract/app/signatures.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import { folded } from '#kit/text/folding.ts'
import { detailsOperation } from '#contract/verification/operations.ts'
import type { Hand, Weighed } from '#wire/history/applicants.ts'
import { stateOfApplicant, type ApplicantRow } from '../projections/applicants.ts'
import { codeOfState } from '../projections/columns.ts'
import { Answers } from './answers.ts'
import type { ApplicantParts } from './reader.ts'
import { answeredColumns, isAnswer, standingOf, type Answered, type AnsweredRow } from './standing.ts'

const byMeaning = { bad: 'unfavourable', unclear: 'unclear', unreviewed: 'unreviewed' } as const
const unresolved = `state = ${codeOfState('unknown')} AND resolved IS NULL`

/** A decision about many, and who asks for it. */
interface Asked extends Hand {
  readonly decision: Decision
  /** Tags whose applicants are decided one by one. */
  readonly tagsAlone: readonly string[]
}
interface Judged {
  readonly why?: Omit<LeftOut, 'applicantId'> | undefined
  readonly newest?: NewestAnswer | undefined
}
interface NewestAnswer {
  readonly summary: RecordSummary
  readonly reading: ReadingMeaning | undefined
  /** The event by which it became evidence. */
  readonly since: number
}

export class Weighing {
  private readonly parts: ApplicantParts & {
    readonly find: (applicantId: string) => ApplicantRow | undefined
    readonly tagsOf: (row: ApplicantRow) => readonly string[]
    readonly isChallenged: (row: ApplicantRow) => boolean
  }
  private readonly answers: Answers
  private readonly answered
  private readonly readingOf
  private readonly isUnresolved
  private readonly isUnanswered
  private readonly details
  private readonly notes

  constructor(parts: Weighing['parts']) {
    const { history } = parts
    this.parts = parts
    this.answers = new Answers(parts)
    this.answered = history.prepare(`SELECT ${answeredColumns} FROM applicant a WHERE a.subject = ?`)
    this.readingOf = history
      .prepare(
        `SELECT json_extract(e.plain, '$.means') FROM message m JOIN event e ON e.seq = m.reading WHERE m.subject = ?`
      )
      .pluck()
    this.isUnresolved = history.prepare(
      `SELECT 1 FROM record WHERE subject = $subject AND ${unresolved} UNION ALL
       SELECT 1 FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject AND ${unresolved} LIMIT 1`
    )
    // Of each operation, the newest verification since the evidence of the last approval.
    this.isUnanswered = history.prepare(
      `SELECT 1 FROM (SELECT operation, max(seq) AS newest FROM (
           SELECT operation, seq, ended FROM record WHERE subject = $subject
           UNION ALL SELECT r.operation, r.seq, r.ended FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject)
         WHERE ended IS NULL OR ended > $approved GROUP BY operation)
       JOIN record r ON r.seq = newest WHERE NOT (${isAnswer}) LIMIT 1`
    )
    this.details = history
      .prepare(
        `SELECT r.seq FROM record r JOIN operation o ON o.ref = r.operation WHERE r.subject = ?
         AND ${isAnswer} AND o.id = '${detailsOperation}' ORDER BY r.seq DESC LIMIT ${maxDetailsAnswers}`
      )
      .pluck()
    this.notes = history
      .prepare(
        `SELECT json_extract(e.plain, '$.operator') FROM applicant_event p JOIN event e ON e.seq = p.event
         WHERE p.subject = ? AND p.event > ? AND e.kind = 'note.made'`
      )
      .pluck()
  }

  weigh(applicantIds: readonly string[], asked: Asked): Weighed {
    const held = new Set(this.parts.holds.all().map(({ subject }) => subject))
    const applicants: SetApplicant[] = []
    const leftOut: LeftOut[] = []
    const noted: string[] = []
    const messages = new Map<string, SetMessage>()
    for (const applicantId of new Set(applicantIds)) {
      const row = this.parts.find(applicantId)
      const { why, newest }: Judged = row ? this.judge(applicantId, row, asked, held) : {}
      if (why !== undefined || !row) {
        leftOut.push({ applicantId, ...(why ?? { why: 'missing' }) })
        continue
      }
      applicants.push({ applicantId, evidence: row.evidence })
      if (this.isNoted(row, newest?.since ?? 0, asked)) noted.push(applicantId)
      if (!newest) continue
      const { operation, message = '' } = newest.summary
      const key = JSON.stringify([operation, message, newest.reading])
      const { count } = messages.get(key) ?? { count: 0 }
      messages.set(key, { operation, message, reading: newest.reading, count: count + 1 })
    }
    return { applicants, leftOut, noted, messages: [...messages.values()].sort((a, b) => b.count - a.count) }
  }

  private judge(applicantId: string, row: ApplicantRow, asked: Asked, held: Pick<ReadonlySet<number>, 'has'>): Judged {
    const state = stateOfApplicant(row.state)
    if (state === 'no-evidence') return { why: { why: 'no-evidence' } }
    if (state === 'approve' || state === 'decline') return { why: { why: 'decided' } }
    // What somebody returned is looked at for itself.
    if (state === 'proposed' || state === 'returned') return { why: { why: state } }
    // What somebody said against a decision is answered for itself.
    if (state === 'outdated' && this.parts.isChallenged(row)) return { why: { why: 'challenged' } }
    if (held.has(row.subject)) return { why: { why: 'held' } }
    if (this.isUnresolved.get({ subject: row.subject }) !== undefined) return { why: { why: 'unresolved' } }
    const tag = this.tagAlone(row, asked)
    if (tag !== undefined) return { why: { why: 'tagged', tag } }
    const answered = this.answered.get(row.subject) as AnsweredRow
    const standing = standingOf(answered)
    const [newest] = standing
    const why = this.whyNot(applicantId, row, { standing, approved: answered.approved ?? 0 }, asked)
    return {
      why: why && { why },
      newest: newest && {
        summary: this.parts.reader.summary(newest.seq),
        reading: this.reading(newest.said),
        since: newest.since
      }
    }
  }

  /** The first of the listed tags that an applicant has. */
  private tagAlone(row: ApplicantRow, { tagsAlone }: Asked): string | undefined {
    if (tagsAlone.length === 0 || row.tags === null) return undefined
    const own = new Set(this.parts.tagsOf(row).map(folded))
    return tagsAlone.find((tag) => own.has(folded(tag)))
  }

  private whyNot(
    applicantId: string,
    { subject }: ApplicantRow,
    { standing, approved }: { readonly standing: readonly Answered[]; readonly approved: number },
    { decision, at }: Asked
  ): LeftOutReason | undefined {
    const approves = decision === 'approve'
    if (approves) {
      const worst = gravest(standing, ({ said }) => this.reading(said) ?? 'unreviewed')
      // What arrived since the approval before says nothing by itself.
      if (!worst) return 'no-evidence'
      if (worst.means !== 'good') return byMeaning[worst.means]
      // What is favourable is an answer to something else, or an older one.
      if (this.isUnanswered.get({ subject, approved }) !== undefined) return 'unanswered'
    }
    const places = this.details.all(subject) as number[]
    // An answer alone differs from nothing: it is only opened for its dates.
    if (places.length < (approves ? 1 : 2)) return undefined
    const details = places.map((seq) => this.answers.details(seq))
    if (hasDifference(details, applicantId, folded)) return 'differs'
    return approves && hasExpired(details[0]?.fields ?? [], today(at)) ? 'expired' : undefined
  }

  private reading(said: number): ReadingMeaning | undefined {
    return (this.readingOf.get(said) as ReadingMeaning | null | undefined) ?? undefined
  }

  /** Whether a colleague has noted something since the newest answer. */
  private isNoted({ subject }: ApplicantRow, since: number, { operator }: Hand): boolean {
    const own = signerOf(operator).account
    return (this.notes.all(subject, since) as string[]).some((author) => signerOf(author).account !== own)
  }
}
