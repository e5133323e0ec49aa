/**
 * Updates applicants' rows from events. Runs within a transaction. contract/evidence/rule.ts defines what is
 * evidence; evidence makes a decision outdated, and so does a challenge of it.
 */
import { applicantStates, type ApplicantState } from '#contract/applicants/applicants.ts'
import { relationshipStates, type Relationship } from '#contract/applicants/relationships.ts'
import { reviewClassOf, type NextReview, type ReviewClass, type ReviewEdges } from '#contract/applicants/reviews.ts'
import { EvidenceRecords } from './evidence-rule.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** State codes. They are stored in every file, so new states are appended to the contract's list. */
export const codeOfApplicant = (state: ApplicantState): number => applicantStates.indexOf(state)
export const stateOfApplicant = (code: number): ApplicantState => applicantStates[code] ?? 'none'
const none = codeOfApplicant('none')
const outdated = codeOfApplicant('outdated')
const noEvidence = codeOfApplicant('no-evidence')

/** The relationship of a row. */
export function relationshipOf({
  relationship,
  relationship_on: on
}: Pick<ApplicantRow, 'relationship' | 'relationship_on'>): Relationship | undefined {
  const state = relationship === null ? undefined : relationshipStates[relationship]
  return state && on !== null ? { state, on } : undefined
}

/** When the review of a row is due. */
export const reviewClassOfRow = (
  { review_at: at, risk, relationship }: Pick<ApplicantRow, 'review_at' | 'risk' | 'relationship'>,
  edges: ReviewEdges
): ReviewClass =>
  reviewClassOf(
    { at, isRated: risk !== null, isOpen: relationship === null || relationshipStates[relationship] === 'active' },
    edges
  )

export interface ApplicantRow {
  readonly subject: number
  readonly state: number
  readonly checks: number
  readonly first_at: number
  readonly last_at: number
  readonly evidence: number
  readonly decision: number | null
  readonly answer: number | null
  readonly tags: number | null
  readonly due: number | null
  readonly relationship: number | null
  readonly relationship_on: string | null
  readonly risk: string | null
  readonly review_at: string | null
  readonly review_cause: NextReview['cause'] | null
  readonly expires: string | null
}

/** The state after newer evidence has arrived. */
const afterNewEvidence = `CASE WHEN state IN (${none}, ${noEvidence}) THEN ${none} ELSE ${outdated} END`

export class ApplicantProjection {
  private readonly began
  private readonly moved
  private readonly rowOf
  private readonly insert
  private readonly linkOf
  private readonly insertLink
  private readonly deleteLink
  private readonly count
  private readonly emptied
  private readonly evidence: EvidenceRecords
  private readonly insertEvent
  private readonly touch
  private readonly challenged
  private readonly decide
  private readonly answered
  private readonly setTags
  private readonly setDue
  private readonly setRelationship
  private readonly setRisk
  private readonly setReview

  constructor(history: Db) {
    this.began = history.prepare(
      `INSERT INTO applicant VALUES (?, ${noEvidence}, 1, ?, ?, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
       ON CONFLICT (subject) DO UPDATE SET checks = checks + 1, first_at = min(first_at, excluded.first_at),
         last_at = max(last_at, excluded.last_at)`
    )
    this.moved = history.prepare(
      `UPDATE applicant SET evidence = ?, state = ${afterNewEvidence}
       WHERE subject = coalesce((SELECT subject FROM applicant_link WHERE record = ?), ?)`
    )
    this.rowOf = history.prepare('SELECT * FROM applicant WHERE subject = ?')
    this.insert = history.prepare(
      `INSERT OR IGNORE INTO applicant VALUES (?, ${noEvidence}, 0, ?, ?, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`
    )
    this.linkOf = history.prepare('SELECT subject FROM applicant_link WHERE record = ?').pluck()
    this.insertLink = history.prepare('INSERT INTO applicant_link VALUES (?, ?, ?)')
    this.deleteLink = history.prepare('DELETE FROM applicant_link WHERE record = ?')
    this.count = history.prepare(
      'UPDATE applicant SET checks = checks + ?, last_at = max(last_at, ?) WHERE subject = ?'
    )
    this.emptied = history.prepare(`UPDATE applicant SET state = ${noEvidence} WHERE subject = ? AND state = ${none}`)
    this.evidence = new EvidenceRecords(history)
    this.insertEvent = history.prepare('INSERT INTO applicant_event VALUES (?, ?)')
    this.touch = history.prepare('UPDATE applicant SET last_at = max(last_at, ?) WHERE subject = ?')
    this.challenged = history.prepare(`UPDATE applicant SET evidence = ?, state = ${outdated} WHERE subject = ?`)
    this.decide = history.prepare(
      'UPDATE applicant SET state = ?, decision = ?, answer = NULL, due = ? WHERE subject = ?'
    )
    this.answered = history.prepare('UPDATE applicant SET state = ?, answer = ? WHERE subject = ?')
    this.setTags = history.prepare('UPDATE applicant SET tags = ? WHERE subject = ?')
    this.setDue = history.prepare('UPDATE applicant SET due = ? WHERE subject = ?')
    this.setReview = history.prepare(
      'UPDATE applicant SET review_at = ?, review_cause = ?, expires = ? WHERE subject = ?'
    )
    this.setRisk = history.prepare('UPDATE applicant SET risk = ? WHERE subject = ?')
    this.setRelationship = history.prepare(
      'UPDATE applicant SET relationship = ?, relationship_on = ? WHERE subject = ?'
    )
  }

  row(subject: number): ApplicantRow | undefined {
    return this.rowOf.get(subject) as ApplicantRow | undefined
  }

  /** A verification of an applicant was started. Its result is open, so it is not evidence yet. */
  onBegun(subject: number, at: number): void {
    this.began.run(subject, at, at)
  }

  /** A result or resolution that is evidence; its applicant is its own subject, or the one it is linked to. */
  onEvidence(subject: number, record: number, event: number): void {
    this.moved.run(event, record, subject)
  }

  /** The applicant that a record is manually linked to. */
  linked(record: number): number | undefined {
    return this.linkOf.get(record) as number | undefined
  }

  onLinked(subject: number, record: number, at: number, event: number): void {
    this.insert.run(subject, at, at)
    this.insertLink.run(record, subject, event)
    this.count.run(1, at, subject)
    if (this.evidence.holds(record)) this.moved.run(event, record, subject)
    this.insertEvent.run(subject, event)
  }

  onUnlinked(subject: number, record: number, at: number, event: number): void {
    if (this.evidence.holds(record)) this.moved.run(event, record, subject)
    this.deleteLink.run(record)
    this.count.run(-1, at, subject)
    if (!this.evidence.any(subject)) this.emptied.run(subject)
    this.insertEvent.run(subject, event)
  }

  /** An event about somebody of whom there may be no verification here. */
  onKnown(subject: number, at: number, event: number): void {
    this.insert.run(subject, at, at)
    this.onEvent(subject, at, event)
  }

  /** A note, tags or a due date: activity, but not evidence. */
  onEvent(subject: number, at: number, event: number): void {
    this.insertEvent.run(subject, event)
    this.touch.run(at, subject)
  }

  onDecided(subject: number, state: ApplicantState, at: number, event: number, due: number | undefined): void {
    this.onEvent(subject, at, event)
    this.decide.run(codeOfApplicant(state), event, due ?? null, subject)
  }

  /** The decision was challenged: as newer evidence does, that makes it outdated, and a later decision names it. */
  onChallenged(subject: number, at: number, event: number): void {
    this.onEvent(subject, at, event)
    this.challenged.run(event, subject)
  }

  /** A second person has answered a proposed decision. */
  onAnswered(subject: number, state: ApplicantState, event: number): void {
    this.answered.run(codeOfApplicant(state), event, subject)
  }

  onTagged(subject: number, at: number, event: number, any: boolean): void {
    this.onEvent(subject, at, event)
    this.setTags.run(any ? event : null, subject)
  }

  onDue(subject: number, at: number, event: number, due: number | null): void {
    this.onEvent(subject, at, event)
    this.setDue.run(due, subject)
  }

  /** When the next review is, and when a document expires; undefined if none is due, or none does. */
  onScheduled(subject: number, review: NextReview | undefined, expires: string | undefined): void {
    this.setReview.run(review?.at ?? null, review?.cause ?? null, expires ?? null, subject)
  }

  onRated(subject: number, at: number, event: number, risk: string): void {
    this.onEvent(subject, at, event)
    this.setRisk.run(risk, subject)
  }

  onRelated(subject: number, at: number, event: number, { state, on }: Relationship): void {
    this.onEvent(subject, at, event)
    this.setRelationship.run(relationshipStates.indexOf(state), on, subject)
  }
}
