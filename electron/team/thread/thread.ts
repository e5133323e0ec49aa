/** The interface of the team's worker, typed for both ends of the line, and what the worker asks of its host. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type {
  FindingOrder,
  TeamActivity,
  TeamActivityQuery,
  TeamApplicant,
  TeamApplicantQuery,
  TeamCheck,
  TeamCheckQuery,
  TeamEntry,
  TeamExchange,
  TeamRetains
} from '#contract/team/activity.ts'
import type { TeamErasure } from '#contract/team/erasures.ts'
import type { TeamOverview, TeamPeriod } from '#contract/team/overview.ts'
import type { NamedDecision, OwnDecision } from '#wire/history/applicants.ts'
import type { ColleagueCases } from '#wire/history/colleagues.ts'
import type { ApprovalAnswerOrder, TeamApprovals, TimedQuery } from '#contract/team/approvals.ts'
import type { ApprovalTask, ArrivedAnswer, NamedEvent, OwnApprovals } from '#wire/history/approvals.ts'
import type { TeamRecipe } from '#contract/verification/saved-recipes.ts'
import type { TeamClaims, TeamClaimsQuery, TeamQueue, TeamQueueQuery } from '#contract/team/queue.ts'
import type { BegunRow } from '#wire/history/shared-batches.ts'
import type { RetentionRules } from '#wire/history/erasure.ts'
import type { ExchangeStore } from '#wire/history/exchange.ts'
import type { SameCheck } from './asked.ts'
import type { TeamBatchWorker } from './batches.ts'
import type { OwnAcknowledgement } from './asked.ts'
import type { OwnOverview } from './asked.ts'
import type { OwnHistory } from './ports.ts'
import type { LastEvent, RosterState } from '../roster/state.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface TeamOpening {
  /** Of the file of received events. */
  readonly folder: string
  /** Its key, 64 hex digits. */
  readonly key: string
  readonly team: string
  readonly installation: string
  /** Names the database in failures. */
  readonly server: string
  /** Who is signed in here. */
  readonly operator: string
}

/** What this installation is in its team, with its secrets: verified by the host, which has the keychain. */
export interface Membership {
  readonly roster: RosterState & { readonly head: { readonly height: number } }
  /** Of the current epoch; each 32 bytes as hex. */
  readonly keys: { readonly number: number; readonly content: string; readonly vault: string }
  /** Ed25519, PKCS 8 as PEM. */
  readonly signingKey: string
  readonly database: {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly ca?: string | undefined
  }
  readonly password: string
  /** Whether a person has chosen what is shared; nothing is shared before. */
  readonly isSharing: boolean
}

/** What the worker calls. */
export interface TeamHost extends OwnHistory, Pick<ExchangeStore, 'present' | 'records'> {
  /** Signs in and reads the list of members anew. Failures: those of `withKeys`. */
  membership(): Answer<Membership>
  /** What this installation did in a period, and what waits here. Failure: why its history cannot be read. */
  own(period: TeamPeriod): Answer<OwnOverview>
  /** Its decisions about applicants, in their order. */
  decisions(applicantIds: readonly string[]): Answer<readonly (readonly OwnDecision[])[]>
  /** Begins the epoch after this one, as a supervisor. @returns False if somebody else began it first. Failures: those of `renewTeamKeys`. */
  renewKeys(epoch: number): Answer<boolean>
  /** What this installation asked and answered, and has. */
  approvals(task: ApprovalTask): Answer<OwnApprovals>
  /** Keeps colleagues' answers to requests of this installation in its history. @returns How many are new. */
  keepAnswers(answers: readonly ArrivedAnswer[]): Answer<number>
  /** Rows of a shared batch that were begun here. */
  begun(id: string, from: number, to: number): Answer<readonly BegunRow[]>
  /** Something that a window shows has changed. */
  changed(): Answer<null>
}

/** What was received can be read without the exchange, which starts when it is first asked for. */
export interface TeamWorker {
  readonly batches: TeamBatchWorker
  readonly approvals: {
    list(query: TimedQuery): Answer<NonNullable<TeamApprovals>>
    /** What a request about an applicant names: colleagues' newest evidence. Failure: `team-approval-refused`. */
    basis(applicantId: string): Answer<readonly NamedEvent[]>
    /** The request that an answer is to; `identity`: the key that colleagues know this installation by. Failure: `team-answer-refused`. */
    answerable(
      order: Pick<ApprovalAnswerOrder, 'applicantId' | 'installation' | 'seq'>
    ): Answer<{ readonly asked: NamedEvent; readonly identity: string }>
  }
  readonly findings: {
    /**
     * The finding that is to be acknowledged, if it is here, too: each installation finds what the database shows it. Failures:
     * `team-change-refused` for those who are no supervisors, and about strangers.
     */
    acknowledgeable(order: Pick<FindingOrder, 'installation' | 'finding'>): Answer<Failure | undefined>
    /** A supervisor here has dealt with a finding, and the history has it. */
    acknowledge(order: FindingOrder, by: OwnAcknowledgement): Answer<null>
  }
  /** Opens the file. Failure: `team-store-unusable`. */
  open(opening: TeamOpening): Answer<null>
  /** How the exchange goes; the first question starts it. */
  exchange(): Answer<TeamExchange>
  activity(query: TeamActivityQuery): Answer<TeamActivity>
  /** @param decisions Those of this installation about the applicant. */
  applicant(query: TeamApplicantQuery, decisions: readonly OwnDecision[]): Answer<NonNullable<TeamApplicant>>
  /** The decisions of colleagues that a new one replaces. */
  superseded(applicantId: string, decisions: readonly OwnDecision[]): Answer<readonly NamedDecision[]>
  /**
   * Of some applicants, those that a colleague's installation retains by these rules; without rules, by a legal hold. Removed members
   * retain nothing. @param now Unix milliseconds.
   */
  retaining(
    applicantIds: readonly string[],
    rules: RetentionRules | undefined,
    now: number
  ): Answer<readonly TeamRetains[]>
  /** The newest check of a colleague with the same operation, service and input that was answered, or may have been sent. */
  earlier(same: SameCheck): Answer<TeamEntry | undefined>
  /** What the team is doing. Failure: `team-store-unusable`. */
  overview(period: TeamPeriod): Answer<TeamOverview>
  /** Colleagues' decisions that are new since a page. Failure: `team-store-unusable`. @param version That of the page; 0 at the start. */
  cases(version: number): Answer<ColleagueCases>
  /** The last event of each installation that was received and verified here, and of this one, of what it shares; hashes in hex. */
  lasts(): Answer<Readonly<Record<string, LastEvent>>>
  /** The proof of a fork, as a text; undefined if there is none. */
  fork(installation: string): Answer<string | undefined>
  /** Who has carried out erasures of this installation, by the numbers of their events. */
  erasures(events: readonly number[]): Answer<readonly TeamErasure[]>
  /** Recipes that colleagues share. */
  recipes(): Answer<readonly TeamRecipe[]>
  /** One check of a colleague; null if there is none. */
  check(query: TeamCheckQuery): Answer<TeamCheck | null>
  /** What waits at colleagues and not here, longest first. */
  queue(query: TeamQueueQuery): Answer<NonNullable<TeamQueue>>
  /** Who has entries of this installation’s queue, and which of its claims came too late. */
  claims(query: TeamClaimsQuery): Answer<NonNullable<TeamClaims>>
  /** Removes what colleagues shared about applicants who were erased here. Failure: `team-store-unusable`. */
  eraseApplicants(applicantIds: readonly string[]): Answer<null>
  /** Starts the exchange, or reads the list of members anew and looks at the database at once. */
  refresh(): Answer<null>
  /** Looks at the database at once: something was recorded here, or a person looks. */
  look(): Answer<null>
  close(): Answer<null>
}
