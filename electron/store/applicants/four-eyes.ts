/** What becomes of a proposed decision when a second person answers: from the events of the applicant. Within a transaction. */
import type { ApprovableDecision } from '#contract/applicants/four-eyes.ts'
import type { AnswerReceivedPlain, DecisionPlain } from '#wire/history/applicant-payloads.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { Events } from '../events/events.ts'
import { stateOfApplicant, type ApplicantProjection } from '../projections/applicants.ts'

interface Row {
  readonly seq: number
  readonly plain: string
}
/** What a second person said of a decision, and by which event it is known here. */
export interface SecondAnswer {
  readonly event: number
  /** The number of the decision's event. */
  readonly decision: number
  readonly agrees: boolean
  /** The key that signed it. */
  readonly signer: string
}

interface FourEyesParts {
  readonly history: Db
  readonly events: Events
  readonly projection: ApplicantProjection
}

export class FourEyes {
  private readonly parts: FourEyesParts
  private readonly answersTo
  private readonly decisionOf

  constructor(parts: FourEyesParts) {
    this.parts = parts
    this.answersTo = parts.history.prepare(
      `SELECT e.seq, e.plain FROM applicant_event a JOIN event e ON e.seq = a.event
       WHERE a.subject = ? AND a.event > ? AND e.kind = 'approval.received' ORDER BY a.event`
    )
    this.decisionOf = parts.history
      .prepare(`SELECT json_extract(plain, '$.decision[1]') FROM event WHERE seq = ? AND kind = 'approval.asked'`)
      .pluck()
  }

  /** The decision that an answer is about, and what it says; undefined for one that came after newer evidence. */
  answerOf({ seq, plain }: Row): SecondAnswer | undefined {
    const { asked, agrees, signer, void: isVoid } = JSON.parse(plain) as AnswerReceivedPlain
    if (isVoid) return undefined
    const decision = this.decisionOf.get(asked[1]) as number | undefined
    return decision === undefined ? undefined : { event: seq, decision, agrees, signer }
  }

  /**
   * Notes whether the decision that stands about a person is approved or returned. Nothing changes if no second person is needed, or if
   * newer evidence has made it outdated.
   */
  onAnswered(subject: number): void {
    const row = this.parts.projection.row(subject)
    if (!row || row.decision === null) return
    const { requires, decision } = this.parts.events.get<DecisionPlain>(row.decision).plain
    if (requires === 0 || !['proposed', 'returned', decision].includes(stateOfApplicant(row.state))) return
    const answer = this.answerTo(subject, row.decision)
    if (answer) this.parts.projection.onAnswered(subject, answer.agrees ? decision : 'returned', answer.event)
  }

  /** The answer to a decision that counts: of each second person the last one, and of those one who does not agree. */
  answerTo(subject: number, decision: number): SecondAnswer | undefined {
    const last = new Map<string, SecondAnswer>()
    for (const row of this.answersTo.all(subject, decision) as Row[]) {
      const answer = this.answerOf(row)
      if (answer?.decision === decision) last.set(answer.signer, answer)
    }
    const answers = [...last.values()].sort((a, b) => a.event - b.event)
    return answers.findLast(({ agrees }) => !agrees) ?? answers.at(-1)
  }

  /** What was decided about somebody while it is proposed or returned. */
  proposalOf(row: { readonly state: number; readonly decision: number | null }): ApprovableDecision | undefined {
    const state = stateOfApplicant(row.state)
    if ((state !== 'proposed' && state !== 'returned') || row.decision === null) return undefined
    return this.parts.events.get<DecisionPlain>(row.decision).plain.decision as ApprovableDecision
  }
}
