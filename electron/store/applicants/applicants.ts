/** What users do with applicants: notes, tags, links, decisions, due dates. Each runs within a transaction. */
import {
  maxTags,
  type ApplicantDetail,
  type ApplicantsChanged,
  type ChallengeDraft,
  type DecidedSet,
  type Decision,
  type DecisionDraft
} from '#contract/applicants/applicants.ts'
import type { LeftOut } from '#contract/applicants/decide-many.ts'
import { failed, failure, invalidField, type Failure } from '#contract/failures/failures.ts'
import { applicantFieldOf, type OperationId } from '#contract/verification/operations.ts'
import type { AssignDraft, DueDraft } from '#contract/applicants/queue.ts'
import type { RelationshipDraft } from '#contract/applicants/relationships.ts'
import { needsApproval } from '#contract/applicants/four-eyes.ts'
import type { Rated } from '#contract/applicants/risk.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import type { ExpiryDraft, ReviewDraft } from '#contract/applicants/reviews.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type {
  DecidingHand,
  ReviewingHand,
  Hand,
  ImportComparison,
  ImportEntry,
  ManyChange,
  ManyDraft,
  ManyMade,
  Proposal,
  Weighed
} from '#wire/history/applicants.ts'
import type * as payloads from '#wire/history/applicant-payloads.ts'
import { relationshipOf, type ApplicantRow } from '../projections/applicants.ts'
import { ApplicantReader, type ApplicantParts } from './reader.ts'
import { FourEyes } from './four-eyes.ts'
import { Reviews } from './reviews.ts'
import { SeenBefore } from './seen.ts'
import { Weighing } from './weighing.ts'
import { uuidBytes } from '#kit/bytes.ts'
import type { Writer } from '../records/writer.ts'

interface Known {
  readonly row: ApplicantRow
  readonly key: Buffer
}
interface RecordRow {
  readonly seq: number
  readonly subject: number
  readonly operation: OperationId
}

type Change = (writer: Writer, by: Hand) => unknown

const whole = ({ at, operator }: Hand): Hand => ({ at: Math.trunc(at), operator })

/** Nobody is refused by a proposal, and none is a review. */
function notWhileProposed({ refusedOn, review }: DecisionDraft): Failure | undefined {
  if (refusedOn !== undefined)
    return failure('decision-invalid', {}, { refusedOn: invalidField('refused-while-proposed') })
  return review === undefined
    ? undefined
    : failure('decision-invalid', {}, { review: invalidField('review-while-proposed') })
}

export class Applicants {
  readonly read: ApplicantReader
  private readonly parts: ApplicantParts
  private readonly weighing: Weighing
  private readonly reviews: Reviews
  readonly fourEyes: FourEyes
  private readonly seenBefore: SeenBefore
  private readonly recordOf
  private readonly recordsOf
  private readonly setDue
  private readonly removeDue

  constructor(parts: ApplicantParts) {
    const { history } = parts
    this.parts = parts
    this.read = new ApplicantReader(parts)
    this.fourEyes = new FourEyes(parts)
    this.seenBefore = new SeenBefore(parts)
    this.reviews = new Reviews({ ...parts, fourEyes: this.fourEyes })
    this.weighing = new Weighing({
      ...parts,
      find: (applicantId) => this.read.find(applicantId),
      tagsOf: (row) => this.read.tags(row),
      isChallenged: (row) => this.read.isChallenged(row)
    })
    this.recordOf = history.prepare(
      'SELECT r.seq, r.subject, o.id AS operation FROM record r JOIN operation o ON o.ref = r.operation WHERE r.id = ?'
    )
    this.recordsOf = history
      .prepare(
        'SELECT seq FROM record WHERE subject = ? UNION SELECT record FROM applicant_link WHERE subject = ? ORDER BY 1'
      )
      .pluck()
    this.setDue = history.prepare(
      'INSERT INTO record_due VALUES (?, ?) ON CONFLICT (record) DO UPDATE SET due = excluded.due'
    )
    this.removeDue = history.prepare('DELETE FROM record_due WHERE record = ?')
  }

  private known(applicantId: string): Known | undefined {
    const row = this.read.find(applicantId)
    const key = row && this.parts.subjects.key(row.subject)
    return row && key && { row, key }
  }

  private record(id: string): RecordRow | undefined {
    const bytes = uuidBytes(id)
    return bytes && (this.recordOf.get(bytes) as RecordRow | undefined)
  }

  note(writer: Writer, applicantId: string, text: string, by: Hand): Result<ApplicantDetail, Failure> {
    const known = this.known(applicantId)
    if (!known) return failed('applicant-missing')
    const { at, operator } = whole(by)
    const { subject } = known.row
    const payload: payloads.NoteSealed = { text }
    const event = writer.append(
      { at, kind: 'note.made', subject, record: null, plain: { operator } },
      { key: known.key, payload }
    )
    this.parts.projection.onEvent(subject, at, event)
    return this.read.show(applicantId)
  }

  tag(writer: Writer, applicantId: string, tags: readonly string[], by: Hand): Result<ApplicantDetail, Failure> {
    const known = this.known(applicantId)
    if (!known) return failed('applicant-missing')
    const { at, operator } = whole(by)
    const { subject } = known.row
    const payload: payloads.TagsSealed = { tags: [...new Set(tags)] }
    const event = writer.append(
      { at, kind: 'tags.changed', subject, record: null, plain: { operator } },
      { key: known.key, payload }
    )
    this.parts.projection.onTagged(subject, at, event, tags.length > 0)
    return this.read.show(applicantId)
  }

  /** The same change of several applicants, each by its own events. */
  changeMany(
    writer: Writer,
    { applicantIds, add = [], remove = [], due, assignee, relationship, rated }: ManyChange,
    by: Hand
  ): Result<ApplicantsChanged, Failure> {
    const done = { changed: 0, same: 0, full: 0 }
    for (const applicantId of new Set(applicantIds)) {
      const row = this.read.find(applicantId)
      if (!row) continue
      const tags = this.read.tags(row)
      const next = [...new Set([...tags.filter((tag) => !remove.includes(tag)), ...add])]
      const tagged = next.length !== tags.length || next.some((tag, index) => tag !== tags[index])
      const dated = due !== undefined && due !== row.due
      const assigned = assignee !== undefined && (assignee ?? undefined) !== this.read.assignee(row.subject)
      if (next.length > maxTags) {
        done.full += 1
        continue
      }
      if (tagged) this.tag(writer, applicantId, next, by)
      if (dated) this.due(writer, { applicantId, due }, by)
      if (assigned) this.assign(writer, { applicantId, assignee }, by)
      const entered = this.enter(writer, { applicantId, relationship, rated }, by)
      done[tagged || dated || assigned || entered ? 'changed' : 'same'] += 1
    }
    return ok(done)
  }

  /** What an import would do with each: those that differ, and those that are not known. */
  compare(entries: readonly ImportEntry[]): Result<ImportComparison, Failure> {
    const states = entries.map((entry) => {
      const known = this.known(entry.applicantId)
      return known ? (this.changesOf(known, entry).length > 0 ? 'changed' : 'same') : 'missing'
    })
    return ok(states)
  }

  /** Enters a part of an import; who is gone by now is left out. */
  enterMany(writer: Writer, entries: readonly ImportEntry[], by: Hand): Result<number, Failure> {
    return ok(entries.filter((entry) => this.enter(writer, entry, by)).length)
  }

  /** What differs from what holds gets an event each; false if nothing does. */
  private enter(writer: Writer, entry: ImportEntry, by: Hand): boolean {
    const known = this.known(entry.applicantId)
    const changes = known ? this.changesOf(known, entry) : []
    for (const change of changes) change(writer, by)
    return changes.length > 0
  }

  private changesOf(known: Known, { relationship, rated, expiry }: ImportEntry): readonly Change[] {
    const note = ''
    const { row } = known
    const held = relationshipOf(row)
    const changes: Change[] = []
    if (relationship && (relationship.state !== held?.state || relationship.on !== held.on))
      changes.push((writer, by) => this.related(writer, known, { ...relationship, note }, by))
    // A class can have got other months since it was given.
    if (rated && (rated.risk !== row.risk || rated.months !== this.reviews.monthsOf(row.subject)))
      changes.push((writer, by) => this.rated(writer, known, { ...rated, note }, by))
    if (expiry && this.reviews.expiryOf(row.subject, expiry.document) !== expiry.expires)
      changes.push((writer, by) => this.expiring(writer, known, expiry, by))
    return changes
  }

  /** Why a record cannot be linked manually. */
  private linkFault(record: RecordRow): 'names-applicant' | 'batch-names-applicant' | 'linked' | 'erased' | undefined {
    if (applicantFieldOf(record.operation) !== undefined) return 'names-applicant'
    if (this.parts.subjects.applicantOf(record.subject) !== undefined) return 'batch-names-applicant'
    if (this.parts.projection.linked(record.seq) !== undefined) return 'linked'
    if (!this.parts.subjects.key(record.subject)) return 'erased'
    return undefined
  }

  /** Whether a record can be linked to an applicant manually. */
  linkable(recordId: string): boolean {
    const record = this.record(recordId)
    return record !== undefined && this.linkFault(record) === undefined
  }

  link(writer: Writer, recordId: string, applicantId: string, by: Hand): Result<ApplicantDetail, Failure> {
    const record = this.record(recordId)
    if (!record) return failed('record-missing')
    const fault = this.linkFault(record)
    if (fault !== undefined) return failed('link-refused', { reason: fault })
    const { at, operator } = whole(by)
    const subject = this.parts.subjects.forCheck(applicantId)
    // Includes the sealed id, so that the event is complete even if this applicant has no verification of its own.
    const event = writer.append(
      { at, kind: 'link.made', subject: subject.ref, record: record.seq, plain: { operator } },
      { key: subject.key, payload: { applicantId } }
    )
    this.parts.projection.onLinked(subject.ref, record.seq, at, event)
    return this.read.show(applicantId)
  }

  unlink(writer: Writer, recordId: string, by: Hand): Result<ApplicantDetail, Failure> {
    const record = this.record(recordId)
    if (!record) return failed('record-missing')
    const subject = this.parts.projection.linked(record.seq)
    const applicantId = subject === undefined ? undefined : this.parts.subjects.applicantOf(subject)
    if (subject === undefined || applicantId === undefined) return failed('link-refused', { reason: 'not-linked' })
    const { at, operator } = whole(by)
    const event = writer.append({ at, kind: 'link.removed', subject, record: record.seq, plain: { operator } })
    this.parts.projection.onUnlinked(subject, record.seq, at, event)
    return this.read.show(applicantId)
  }

  weigh(
    applicantIds: readonly string[],
    decision: Decision,
    by: Hand,
    tagsAlone: readonly string[]
  ): Result<Weighed, Failure> {
    return ok(this.weighing.weigh(applicantIds, { ...by, decision, tagsAlone }))
  }

  /** One decision each for all of a set but its sample, which was decided before. */
  decideMany(writer: Writer, draft: ManyDraft, by: DecidingHand): Result<ManyMade, Failure> {
    const { applicants, set, sample, ofColleagues, tagsAlone, decision, reasons, note, checklist } = draft
    const open = sample.filter((applicantId) => this.madeIn(applicantId, set, decision) === false)
    if (open.length > 0) return failed('sample-open', { count: open.length })
    const reviewed = new Set(sample)
    const rest = applicants.filter(({ applicantId }) => !reviewed.has(applicantId))
    const shown = new Map(rest.map(({ applicantId, evidence }) => [applicantId, evidence]))
    const now = this.weighing.weigh([...shown.keys()], { ...by, decision, tagsAlone })
    const leftOut: LeftOut[] = [...now.leftOut]
    const elsewhere = new Map(ofColleagues.map((each) => [each.applicantId, each]))
    const proposals: Proposal[] = []
    let decided = 0
    for (const { applicantId, evidence } of now.applicants) {
      const out: LeftOut | undefined =
        evidence === shown.get(applicantId) ? elsewhere.get(applicantId) : { applicantId, why: 'changed' }
      if (out) leftOut.push(out)
      else {
        const made = this.decide(
          writer,
          { applicantId, decision, reasons: [...reasons], note, evidence, set },
          { ...by, checklist }
        )
        // Nothing of the set is recorded: a part of it would be taken for all.
        if (!made.ok) return made
        if (made.value.state === 'proposed' && made.value.decision)
          proposals.push({ applicantId, decision: made.value.decision.seq })
        decided += 1
      }
    }
    return ok({ decided, leftOut, proposals })
  }

  /**
   * Whether an applicant of a sample was decided in its set, as the others will be, and nobody has returned or challenged that; undefined
   * for one that is gone.
   */
  private madeIn(applicantId: string, set: DecidedSet, decision: Decision): boolean | undefined {
    const shown = this.read.show(applicantId)
    if (!shown.ok) return undefined
    const last = shown.value.decision
    return last?.set?.id === set.id && last.decision === decision && last.answer?.agrees !== false && !last.challenged
  }

  decide(writer: Writer, draft: DecisionDraft, by: DecidingHand): Result<ApplicantDetail, Failure> {
    const known = this.known(draft.applicantId)
    if (!known) return failed('applicant-missing')
    const { subject, evidence } = known.row
    // Prevents a decision on evidence that the user has not been shown.
    if (draft.evidence !== evidence) return failed('decision-outdated')
    const { at, operator } = whole(by)
    const { decision, reasons, note, due, set } = draft
    const records = this.recordsOf.all(subject, subject) as number[]
    // For which day the review had been scheduled: the decision itself can schedule one, and end the relationship.
    const scheduled = this.reviews.next(subject)?.at
    const supersedes = by.supersedes?.length ? by.supersedes : undefined
    const { fourEyes } = by
    const { applicantId, refusedOn: on, review: outcome } = draft
    const isProposed = fourEyes !== undefined && needsApproval(fourEyes, decision, known.row.risk)
    const early = isProposed ? notWhileProposed(draft) : undefined
    if (early) return fail(early)
    const checklist = this.read.checklists.named(writer, at, by.checklist)
    const found = by.shown && this.seenBefore.of(subject, by.shown, operator)
    const plain: payloads.DecisionPlain = {
      operator,
      decision,
      evidence,
      records,
      readings: this.parts.catalogue.readingsFor(subject),
      checklist,
      due,
      supersedes,
      set,
      ...(found && { seen: found.seen }),
      requires: isProposed ? 1 : 0,
      ...(fourEyes && { rule: fourEyes.hash })
    }
    const payload: payloads.DecisionSealed = {
      reasons,
      note,
      checks: by.checklist?.checks,
      ...(found && { seenList: found.list }),
      focus: by.focus
    }
    const event = writer.append(
      { at, kind: 'decision.made', subject, record: null, plain },
      { key: known.key, payload }
    )
    this.parts.projection.onDecided(subject, isProposed ? 'proposed' : decision, at, event, due)
    if (decision === 'approve') this.reviews.schedule(subject)
    if (on !== undefined) this.relate(writer, { applicantId, state: 'refused', on, note: '' }, by)
    if (outcome !== undefined) this.reviewed(writer, known, { outcome, note: '' }, by, scheduled)
    return this.read.show(draft.applicantId)
  }

  /** A second person has answered: what that means for the decision, and for the next review. */
  onAnswered(subject: number): void {
    this.fourEyes.onAnswered(subject)
    this.reviews.schedule(subject)
  }

  due(writer: Writer, draft: DueDraft, by: Hand): Result<null, Failure> {
    const { at, operator } = whole(by)
    const plain: payloads.DuePlain = { operator, due: draft.due }
    if (draft.applicantId !== undefined) {
      const known = this.known(draft.applicantId)
      if (!known) return failed('applicant-missing')
      const { subject } = known.row
      const event = writer.append({ at, kind: 'due.changed', subject, record: null, plain })
      this.parts.projection.onDue(subject, at, event, draft.due)
      return ok(null)
    }
    const record = draft.recordId === undefined ? undefined : this.record(draft.recordId)
    if (!record) return failed('record-missing')
    writer.append({ at, kind: 'due.changed', subject: record.subject, record: record.seq, plain })
    if (draft.due === null) this.removeDue.run(record.seq)
    else this.setDue.run(record.seq, draft.due)
    return ok(null)
  }

  relate(writer: Writer, draft: RelationshipDraft, by: Hand): Result<ApplicantDetail, Failure> {
    return this.noted(draft.applicantId, (known) => this.related(writer, known, draft, by))
  }

  rate(writer: Writer, draft: Rated, by: Hand): Result<ApplicantDetail, Failure> {
    return this.noted(draft.applicantId, (known) => this.rated(writer, known, draft, by))
  }

  expiry(writer: Writer, draft: ExpiryDraft, by: Hand): Result<ApplicantDetail, Failure> {
    return this.noted(draft.applicantId, (known) => this.expiring(writer, known, draft, by))
  }

  private noted(applicantId: string, note: (known: Known) => void): Result<ApplicantDetail, Failure> {
    const known = this.known(applicantId)
    if (!known) return failed('applicant-missing')
    note(known)
    return this.read.show(applicantId)
  }

  private related(
    writer: Writer,
    { row: { subject }, key }: Known,
    { state, on, note }: Omit<RelationshipDraft, 'applicantId'>,
    by: Hand
  ): void {
    const { at, operator } = whole(by)
    const plain: payloads.RelationshipPlain = { operator, state, on }
    const payload: payloads.NotedSealed = { note }
    const event = writer.append({ at, kind: 'relationship.changed', subject, record: null, plain }, { key, payload })
    this.parts.projection.onRelated(subject, at, event, { state, on })
    this.reviews.schedule(subject)
  }

  private rated(
    writer: Writer,
    { row: { subject }, key }: Known,
    { risk, months, note }: Omit<Rated, 'applicantId'>,
    by: Hand
  ): void {
    const { at, operator } = whole(by)
    const plain: payloads.RiskPlain = { operator, class: risk, months }
    const payload: payloads.NotedSealed = { note }
    const event = writer.append({ at, kind: 'risk.rated', subject, record: null, plain }, { key, payload })
    this.parts.projection.onRated(subject, at, event, risk)
    this.reviews.schedule(subject)
  }

  private expiring(
    writer: Writer,
    { row: { subject }, key }: Known,
    { document, expires }: Omit<ExpiryDraft, 'applicantId'>,
    by: Hand
  ): void {
    const { at, operator } = whole(by)
    const payload: payloads.ExpirySealed = { document, expires }
    const plain = { operator }
    const event = writer.append({ at, kind: 'expiry.noted', subject, record: null, plain }, { key, payload })
    this.parts.projection.onEvent(subject, at, event)
    this.reviews.schedule(subject)
  }

  review(writer: Writer, draft: ReviewDraft, by: ReviewingHand): Result<ApplicantDetail, Failure> {
    return this.noted(draft.applicantId, (known) =>
      this.reviewed(writer, known, draft, by, this.reviews.next(known.row.subject)?.at)
    )
  }

  /** @param due The day for which it had been scheduled. */
  private reviewed(
    writer: Writer,
    { row: { subject, risk }, key }: Known,
    { outcome, note }: Omit<ReviewDraft, 'applicantId'>,
    by: ReviewingHand,
    due: string | null = null
  ): void {
    const { at, operator } = whole(by)
    const on = isoDue(today(at))
    const next = this.reviews.after(subject, on)?.at ?? null
    const checklist = this.read.checklists.named(writer, at, by.reviewChecklist)
    const plain: payloads.ReviewPlain = { operator, on, class: risk, next, due, outcome, checklist }
    const payload: payloads.ReviewSealed = { note, checks: by.reviewChecklist?.checks }
    const event = writer.append({ at, kind: 'review.recorded', subject, record: null, plain }, { key, payload })
    this.parts.projection.onEvent(subject, at, event)
    this.reviews.schedule(subject)
  }

  /** What the applicant says against the decision: it is outdated from now on, whatever a second person said of it. */
  challenge(writer: Writer, { applicantId, text }: ChallengeDraft, by: Hand): Result<ApplicantDetail, Failure> {
    const known = this.known(applicantId)
    if (!known) return failed('applicant-missing')
    if (known.row.decision === null) return failed('challenge-without-decision')
    const { at, operator } = whole(by)
    const { subject } = known.row
    const payload: payloads.NoteSealed = { text }
    const event = writer.append(
      { at, kind: 'challenge.recorded', subject, record: null, plain: { operator } },
      { key: known.key, payload }
    )
    this.parts.projection.onChallenged(subject, at, event)
    return this.read.show(applicantId)
  }

  /** Records who handles an item of the queue. The name is a note between users, not an account. */
  assign(writer: Writer, draft: AssignDraft, by: Hand): Result<null, Failure> {
    const { at, operator } = whole(by)
    const { assignee, of, to, late } = draft
    const plain: payloads.AssigneePlain = {
      operator,
      assigned: assignee !== null,
      late: assignee === null ? late : undefined,
      to: assignee === null ? undefined : to,
      of
    }
    if (of) {
      // Numbers alone: what they stand for is at its installation, and goes with an erasure there.
      writer.append({ at, kind: 'assignee.changed', subject: null, record: null, plain })
      return ok(null)
    }
    const sealedBy = (key: Buffer | undefined): { key: Buffer; payload: payloads.AssigneeSealed } | undefined =>
      assignee === null || !key ? undefined : { key, payload: { assignee } }
    if (draft.applicantId !== undefined) {
      const known = this.known(draft.applicantId)
      if (!known) return failed('applicant-missing')
      const { subject } = known.row
      const event = writer.append({ at, kind: 'assignee.changed', subject, record: null, plain }, sealedBy(known.key))
      this.parts.projection.onEvent(subject, at, event)
      return ok(null)
    }
    const record = draft.recordId === undefined ? undefined : this.record(draft.recordId)
    const key = record && this.parts.subjects.key(record.subject)
    // Of an erased applicant there is nothing to take on, but what was taken on can be given up.
    if (!record || (!key && assignee !== null)) return failed('record-missing')
    writer.append({ at, kind: 'assignee.changed', subject: record.subject, record: record.seq, plain }, sealedBy(key))
    return ok(null)
  }
}
