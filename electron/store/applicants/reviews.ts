/** When each applicant is to be reviewed: from the events of the person, with each event that can move it. */
import { dayOfEvent, nextExpiry, nextReview, type NextReview, type ReviewFact } from '#contract/applicants/reviews.ts'
import type { EventKind } from '#contract/evidence/event-kinds.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type {
  DecisionPlain,
  ExpirySealed,
  RelationshipPlain,
  ReviewPlain,
  RiskPlain
} from '#wire/history/applicant-payloads.ts'
import type { Events } from '../events/events.ts'
import type { FourEyes } from './four-eyes.ts'
import type { ApplicantProjection } from '../projections/applicants.ts'

interface Row {
  readonly seq: number
  readonly at: number
  readonly kind: EventKind
  readonly plain: string
}

export class Reviews {
  private readonly parts
  private readonly of

  constructor(parts: {
    readonly history: Db
    readonly events: Events
    readonly projection: ApplicantProjection
    readonly fourEyes: Pick<FourEyes, 'answerOf' | 'answerTo'>
  }) {
    this.parts = parts
    this.of = parts.history.prepare(
      `SELECT e.seq, e.at, e.kind, e.plain FROM applicant_event a JOIN event e ON e.seq = a.event
       WHERE a.subject = ? AND e.kind IN
         ('decision.made', 'approval.received', 'relationship.changed', 'risk.rated', 'expiry.noted',
          'review.recorded') ORDER BY a.event`
    )
  }

  /** Works out again when the next review is. Within a transaction. */
  schedule(subject: number): void {
    const facts = this.facts(subject)
    this.parts.projection.onScheduled(subject, nextReview(facts), nextExpiry(facts))
  }

  /** When the next one is. */
  next(subject: number): NextReview | undefined {
    return nextReview(this.facts(subject))
  }

  /** When it will be after one on a day. */
  after(subject: number, day: string): NextReview | undefined {
    return nextReview([...this.facts(subject), { kind: 'reviewed', day }])
  }

  /** The months that the class of an applicant had when it was given last. */
  monthsOf(subject: number): number | undefined {
    return this.facts(subject).findLast((fact) => fact.kind === 'rated')?.months
  }

  /** The date on which a document of an applicant expires, as it was noted last. */
  expiryOf(subject: number, document: string): string | undefined {
    return this.facts(subject)
      .flatMap((fact) => (fact.kind === 'expiry' && fact.document === document ? [fact.expires] : []))
      .at(-1)
  }

  private facts(subject: number): readonly ReviewFact[] {
    return (this.of.all(subject) as Row[]).flatMap((row) => this.factOf(subject, row) ?? [])
  }

  private factOf(subject: number, row: Row): ReviewFact | undefined {
    const { seq, at, kind, plain } = row
    switch (kind) {
      case 'decision.made': {
        // A proposal approves nobody before the answer.
        const { decision, requires } = JSON.parse(plain) as DecisionPlain
        return decision === 'approve' && requires === 0 ? { kind: 'approved', day: dayOfEvent(at) } : undefined
      }
      case 'approval.received': {
        const { fourEyes, events } = this.parts
        const answer = fourEyes.answerOf(row)
        // Who was returned is approved by nobody, whoever agreed before or besides.
        const isApproved = answer?.agrees && fourEyes.answerTo(subject, answer.decision)?.agrees
        return isApproved && events.get<DecisionPlain>(answer.decision).plain.decision === 'approve'
          ? { kind: 'approved', day: dayOfEvent(at) }
          : undefined
      }
      case 'relationship.changed': {
        const { state, on } = JSON.parse(plain) as RelationshipPlain
        return { kind: 'relationship', state, on }
      }
      case 'risk.rated':
        return { kind: 'rated', months: (JSON.parse(plain) as RiskPlain).months }
      case 'expiry.noted': {
        const { sealed } = this.parts.events.get<unknown, ExpirySealed>(seq)
        return sealed && { kind: 'expiry', ...sealed }
      }
      default:
        return { kind: 'reviewed', day: (JSON.parse(plain) as ReviewPlain).on }
    }
  }
}
