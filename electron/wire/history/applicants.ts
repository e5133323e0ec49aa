/**
 * The history's interface for applicants, decisions, the queue and the catalogue. Every write is synced before its
 * promise resolves.
 */
import type {
  ApplicantAnswers,
  ApplicantCounts,
  ApplicantDetail,
  ChallengeDraft,
  ApplicantList,
  ApplicantListQuery,
  ApplicantsChange,
  ApplicantsChanged,
  CatalogueMessage,
  CatalogueRow,
  CataloguePage,
  CatalogueQuery,
  DecidedSet,
  Decision,
  DecisionDraft,
  MatchingApplicants,
  MatchingApplicantsQuery,
  MessageReading,
  ReadingDraft,
  TimelinePage,
  TimelineQuery
} from '#contract/applicants/applicants.ts'
import type { FourEyesRule } from '#contract/applicants/four-eyes.ts'
import type { FocusClass } from '#contract/applicants/seen.ts'
import type { Checks } from '#contract/applicants/checklists.ts'
import type { NameFields } from '#contract/applicants/names.ts'
import type { DecisionSet, LeftOut, ManyDecided, ManyDecisions } from '#contract/applicants/decide-many.ts'
import type { Relationship, RelationshipDraft } from '#contract/applicants/relationships.ts'
import type { ApplicantStatus } from '#contract/applicants/status.ts'
import type { ExpiryDraft, ReviewDraft } from '#contract/applicants/reviews.ts'
import type { Rated } from '#contract/applicants/risk.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type {
  AssignDraft,
  DueDraft,
  QueueFilter,
  QueuePage,
  QueueQuery,
  QueueWaiting
} from '#contract/applicants/queue.ts'
import type { Result } from '#contract/failures/result.ts'

/** Who performs an action, and when (Unix milliseconds). */
export interface Hand {
  readonly at: number
  readonly operator: string
}

/**
 * A decision of another installation: its number there and the hash of its event (hex), which nobody can know before it was
 * made.
 */
export type NamedDecision = readonly [installation: string, seq: number, hash: string]

/** A checklist with its answers: the text of its version, and whether all items are answered. */
export interface AnsweredChecklist {
  readonly text: string
  readonly complete: boolean
  readonly checks: Checks
}

/** Who reviews, with the checklist of reviews, if there is one. */
export interface ReviewingHand extends Hand {
  readonly reviewChecklist?: AnsweredChecklist | undefined
}

/** Who decides, with the checklist of the decision, and which decisions of colleagues they knew. */
export interface DecidingHand extends ReviewingHand {
  readonly checklist?: AnsweredChecklist | undefined
  readonly supersedes?: readonly NamedDecision[] | undefined
  /** IDs of the records whose answers were in sight; absent if what was seen is not recorded. */
  readonly shown?: readonly string[] | undefined
  /** How long the applicant was shown, as the window says; absent if that is not recorded. */
  readonly focus?: FocusClass | undefined
  /** The rule by which a decision needs a second person; absent if there is none. */
  readonly fourEyes?: HeldRule | undefined
}

/** What was decided about a set. */
export interface ManyMade extends Omit<ManyDecided, 'proposed'> {
  /** The decisions that a second person must agree to. */
  readonly proposals: readonly Proposal[]
}
/** A proposed decision: the applicant, and the number of its event. */
export interface Proposal {
  readonly applicantId: string
  readonly decision: number
}

/** A rule and its SHA-256, hex, which decisions name. */
export interface HeldRule extends FourEyesRule {
  readonly hash: string
}

/** A decision of this installation, as colleagues know it. */
export interface OwnDecision {
  readonly seq: number
  /** Of its event, hex. */
  readonly hash: string
  readonly at: number
  readonly operator: string
  readonly decision: Decision
  readonly supersedes: readonly NamedDecision[]
  /** A second person has to agree; of one of this installation, none has. */
  readonly proposed?: true
  /** The applicant challenged it, and no later decision of its installation has answered that. */
  readonly challenged?: true
}

export type Weighed = Pick<DecisionSet, 'applicants' | 'leftOut' | 'noted' | 'messages'>
export interface ManyDraft extends Omit<ManyDecisions, 'set'> {
  readonly set: DecidedSet
  readonly sample: readonly string[]
  /** Of those outside the sample, for whom nobody answers it. */
  readonly checklist?: AnsweredChecklist | undefined
  /** Whom colleagues have or have decided. */
  readonly ofColleagues: readonly LeftOut[]
  /** Tags whose applicants are decided one by one. */
  readonly tagsAlone: readonly string[]
}

type Answer<T> = Promise<Result<T, Failure>>

export interface ApplicantStore {
  /** @param now Unix milliseconds, to find overdue ones; the time of the call if absent. */
  list(query: ApplicantListQuery, now?: number): Answer<ApplicantList>
  matching(query: MatchingApplicantsQuery, now?: number): Answer<MatchingApplicants>
  counts(query: MatchingApplicantsQuery, now?: number): Answer<ApplicantCounts>
  /** Reads the names from these fields, also of the answers that are there; whether anything had to be read again. */
  mapNames(fields: NameFields): Answer<boolean>
  /** Failure: `applicant-missing`. */
  show(applicantId: string): Answer<ApplicantDetail>
  /** In the order of the IDs; null for one that no applicant has. */
  statuses(applicantIds: readonly string[]): Answer<readonly (ApplicantStatus | null)[]>
  /** For each ID those that look like it and are others: at most `maxLookAlikes`. Erased applicants have none. */
  alike(applicantIds: readonly string[]): Answer<readonly (readonly string[])[]>
  timeline(query: TimelineQuery): Answer<TimelinePage>
  /** Failure: `applicant-missing`. */
  answers(applicantId: string): Answer<ApplicantAnswers>
  note(applicantId: string, text: string, by: Hand): Answer<ApplicantDetail>
  tag(applicantId: string, tags: readonly string[], by: Hand): Answer<ApplicantDetail>
  /** All of them or, on a failure, none. */
  changeMany(draft: ManyChange, by: Hand): Answer<ApplicantsChanged>
  compare(entries: readonly ImportEntry[]): Answer<ImportComparison>
  /** How many changed. */
  enterMany(entries: readonly ImportEntry[], by: Hand): Answer<number>
  /** Creates the applicant if the id is new. Failures: `record-missing`, `link-refused`. */
  link(recordId: string, applicantId: string, by: Hand): Answer<ApplicantDetail>
  unlink(recordId: string, by: Hand): Answer<ApplicantDetail>
  /** Failures: `applicant-missing`, `decision-outdated`. Reasons and note have been validated by the caller. */
  decide(draft: DecisionDraft, by: DecidingHand): Answer<ApplicantDetail>
  /** What a decision about several would take, and whom it would leave out; without what a team knows. */
  weigh(applicantIds: readonly string[], decision: Decision, by: Hand, tagsAlone: readonly string[]): Answer<Weighed>
  /**
   * The same decision about all of a set but its sample; one that cannot be decided is left out. Failures: `sample-open` if
   * any of the sample was not decided the same way, or that was returned or challenged.
   */
  decideMany(draft: ManyDraft, by: DecidingHand): Answer<ManyMade>
  /** The newest decisions about an applicant; none if it is not known. */
  decisions(applicantId: string): Answer<readonly OwnDecision[]>
  /** The same about several applicants, in their order. */
  decisionsOf(applicantIds: readonly string[]): Answer<readonly (readonly OwnDecision[])[]>
  due(draft: DueDraft, by: Hand): Answer<null>
  expiry(draft: ExpiryDraft, by: Hand): Answer<ApplicantDetail>
  review(draft: ReviewDraft, by: ReviewingHand): Answer<ApplicantDetail>
  /** Failures: `applicant-missing`, `challenge-without-decision`. */
  challenge(draft: ChallengeDraft, by: Hand): Answer<ApplicantDetail>
  /** The class has been checked by the caller. */
  rate(draft: Rated, by: Hand): Answer<ApplicantDetail>
  relate(draft: RelationshipDraft, by: Hand): Answer<ApplicantDetail>
  assign(draft: AssignDraft, by: Hand): Answer<null>
}

/** A class with the months that it has now. */
type Rating = Pick<Rated, 'risk' | 'months'>
export type ManyChange = Omit<ApplicantsChange, 'risk'> & { readonly rated?: Rating | undefined }
/** What a line of an import says of an applicant. */
export interface ImportEntry {
  readonly applicantId: string
  readonly relationship?: Relationship | undefined
  readonly rated?: Rating | undefined
  readonly expiry?: Pick<ExpiryDraft, 'document' | 'expires'> | undefined
}
/** What each entry would do, in their order. */
export type ImportComparison = readonly ('changed' | 'same' | 'missing')[]

/**
 * @param now Unix milliseconds, to find overdue items.
 * @param remindDays Days before a review from which it waits, at most `maxReviewRemindDays`; from its day on if absent.
 */
export interface QueueStore {
  page(query: QueueQuery, now: number, remindDays?: number): Answer<QueuePage>
  /** @param names Under which a person has items. */
  waiting(names: readonly string[], now: number, remindDays?: number): Answer<QueueWaiting>
  /** The applicants of all items that match. */
  matching(filter: QueueFilter, now: number, remindDays?: number): Answer<MatchingApplicants>
}

export interface CatalogueStore {
  page(query: CatalogueQuery): Answer<CataloguePage>
  /** The message that a record was answered with; null if it is not in the catalogue. Failure: `record-missing`. */
  ofRecord(recordId: string): Answer<CatalogueMessage | null>
  /** Failure: `message-missing`. */
  readings(id: number): Answer<readonly MessageReading[]>
  /** All of them, or none. */
  read(drafts: readonly ReadingDraft[], by: Hand): Answer<readonly CatalogueMessage[]>
  /** How many applicants wait whose newest answer is one of these messages. */
  waiting(ids: readonly number[]): Answer<number>
  /** The messages of the newest answers of waiting applicants, with the number of these applicants. */
  newest(applicantIds: readonly string[]): Answer<readonly CatalogueRow[]>
}
