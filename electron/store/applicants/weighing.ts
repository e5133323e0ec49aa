/** Which of several applicants one decision can take, and why it leaves the others out. */
import type { Decision, ReadingMeaning } from '#contract/applicants/applicants.ts'
import type { LeftOut, LeftOutReason, SetApplicant, SetMessage } from '#contract/applicants/decide-many.ts'
import { whyNoEvidence } from '#contract/evidence/rule.ts'
import type { RecordSummary } from '#contract/history/records.ts'
import type { Weighed } from '#wire/history/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { stateOfApplicant, type ApplicantRow } from '../projections/applicants.ts'
import { codeOfState } from '../projections/columns.ts'
import type { ApplicantParts } from './reader.ts'

const byMeaning: Readonly<Record<ReadingMeaning, LeftOutReason | undefined>> = {
  good: undefined,
  bad: 'unfavourable',
  unclear: 'unclear'
}
/** The gravest first: one is named. */
const meanings: readonly LeftOutReason[] = ['unfavourable', 'unclear', 'unreviewed']

interface Answered {
  readonly summary: RecordSummary
  readonly reading: ReadingMeaning | undefined
}

export class Weighing {
  private readonly parts: ApplicantParts & { readonly find: (applicantId: string) => ApplicantRow | undefined }
  private readonly records
  private readonly readingOf

  constructor(parts: Weighing['parts']) {
    const { history } = parts
    this.parts = parts
    this.records = recordsOf(history)
    this.readingOf = history
      .prepare(
        `SELECT json_extract(e.plain, '$.means') FROM record r JOIN message m ON m.subject = r.message
         JOIN event e ON e.seq = m.reading WHERE r.seq = ?`
      )
      .pluck()
  }

  weigh(applicantIds: readonly string[], decision: Decision): Weighed {
    const held = this.parts.held()
    const applicants: SetApplicant[] = []
    const leftOut: LeftOut[] = []
    const messages = new Map<string, SetMessage>()
    for (const applicantId of new Set(applicantIds)) {
      const row = this.parts.find(applicantId)
      const { why, newest } = row ? this.whyNot(row, decision, held) : { why: 'missing' as const }
      if (why !== undefined || !row) {
        leftOut.push({ applicantId, why: why ?? 'missing' })
        continue
      }
      applicants.push({ applicantId, evidence: row.evidence })
      if (!newest) continue
      const { operation, message = '' } = newest.summary
      const key = JSON.stringify([operation, message, newest.reading])
      const { count } = messages.get(key) ?? { count: 0 }
      messages.set(key, { operation, message, reading: newest.reading, count: count + 1 })
    }
    return { applicants, leftOut, messages: [...messages.values()].sort((a, b) => b.count - a.count) }
  }

  private whyNot(
    row: ApplicantRow,
    decision: Decision,
    held: ReadonlySet<number>
  ): { readonly why?: LeftOutReason | undefined; readonly newest?: Answered | undefined } {
    const state = stateOfApplicant(row.state)
    if (state === 'no-evidence') return { why: 'no-evidence' }
    if (state === 'approve' || state === 'decline') return { why: 'decided' }
    if (held.has(row.subject)) return { why: 'held' }
    const answers: Answered[] = []
    const seen = new Set<string>()
    for (const { seq, unresolved, answered } of this.records(row.subject)) {
      if (unresolved) return { why: 'unresolved' }
      if (!answered) continue
      const summary = this.parts.reader.summary(seq)
      if (seen.has(summary.operation) || whyNoEvidence(summary) !== undefined) continue
      seen.add(summary.operation)
      answers.push({ summary, reading: (this.readingOf.get(seq) as ReadingMeaning | null | undefined) ?? undefined })
    }
    const against = answers.map(({ reading }) => (reading === undefined ? 'unreviewed' : byMeaning[reading]))
    return {
      why: decision === 'approve' ? meanings.find((why) => against.includes(why)) : undefined,
      newest: answers[0]
    }
  }
}

/** The records of an applicant, linked ones included, newest first. */
function recordsOf(history: Db): (subject: number) => readonly {
  readonly seq: number
  readonly unresolved: boolean
  readonly answered: boolean
}[] {
  const find = history.prepare(
    `SELECT seq, state, resolved FROM record WHERE subject = $subject
     UNION SELECT r.seq, r.state, r.resolved FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject
     ORDER BY seq DESC`
  )
  return (subject) =>
    (find.all({ subject }) as { seq: number; state: number; resolved: number | null }[]).map(
      ({ seq, state, resolved }) => ({
        seq,
        unresolved: state === codeOfState('unknown') && resolved === null,
        answered: state === codeOfState('answered')
      })
    )
}
