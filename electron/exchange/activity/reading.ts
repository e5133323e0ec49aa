/** What a team shows of its colleagues: everything that is read from the file of received events for people. */
import type {
  StandingDecision,
  TeamActivity,
  TeamActivityQuery,
  TeamApplicant,
  TeamApplicantQuery,
  TeamCheck,
  TeamCheckQuery,
  TeamEntry
} from '#contract/team/activity.ts'
import type { TeamQueue, TeamQueueQuery } from '#contract/team/queue.ts'
import type { TeamConflict } from '#contract/team/overview.ts'
import type { NamedDecision, OwnDecision } from '#wire/history/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { ClaimOrder } from '#team/claims/order.ts'
import { Activity } from './activity.ts'
import { ColleaguesCases } from './cases.ts'
import { ReceivedClaims, type ClaimSide, type ClaimStates } from './claims.ts'
import { ReceivedDecisions } from './decisions.ts'
import { EarlierChecks } from './earlier.ts'
import type { SameCheck } from '#team/thread/asked.ts'
import { OneCheck } from './one-check.ts'
import { ReceivedEvents } from './received-events.ts'
import { Retaining } from './retaining.ts'
import { ShownEntries, type MemberNames } from './shown.ts'
import { ColleaguesQueue, type KnownOf } from './team-queue.ts'
import { answered, isConflict, nameOf, standingOf, type Answers, type KnownDecision } from './standing.ts'
import { TeamWorkReading } from './work.ts'

/** This installation, and what it decided itself about an applicant. */
export interface OwnSide {
  readonly installation: string
  readonly decisions: readonly OwnDecision[]
}
/** What is known besides colleagues' events: this installation's own side, and what second persons said. */
interface Sides {
  readonly own?: OwnSide
  readonly answers?: Answers
}

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class TeamReading {
  private readonly entries: Activity
  private readonly received: ReceivedDecisions
  private readonly checks: EarlierChecks
  private readonly claims: ReceivedClaims
  private readonly waiting: ColleaguesQueue
  private readonly one: OneCheck
  /** What colleagues are doing, in figures. */
  readonly work: TeamWorkReading
  /** Their decisions, for the overview. */
  readonly cases: ColleaguesCases

  /** Which applicants they retain. */
  readonly retaining: Retaining

  constructor(db: Db) {
    const shown = new ShownEntries(db, new ReceivedEvents(db))
    this.retaining = new Retaining(db, shown)
    this.entries = new Activity(db, shown)
    this.received = new ReceivedDecisions(db, shown)
    this.checks = new EarlierChecks(db, shown)
    this.claims = new ReceivedClaims(db, shown, new ClaimOrder(db))
    this.one = new OneCheck(db, shown)
    this.waiting = new ColleaguesQueue(db, shown, this.received)
    this.work = new TeamWorkReading(db, shown)
    this.cases = new ColleaguesCases(db, shown)
  }

  /** Newest first, by the clocks of the installations. */
  activity(query: TeamActivityQuery, names: MemberNames): TeamActivity {
    return this.entries.activity(query, names)
  }

  /** What colleagues did with an applicant, and which decisions stand in the whole team; without `own`, at colleagues alone. */
  applicant(
    query: TeamApplicantQuery,
    { names, own, answers }: { readonly names: MemberNames } & Sides
  ): NonNullable<TeamApplicant> {
    const standing = this.standing(query.applicantId, { own, answers })
    return {
      ...this.entries.applicant(query, names),
      decisions: standingIn(standing, names, own),
      conflict: isConflict(standing)
    }
  }

  /** Of some applicants, those that colleagues decided about. */
  decided(applicantIds: readonly string[]): readonly string[] {
    return applicantIds.filter((applicantId) => this.received.about(applicantId))
  }

  /** Of some applicants, those about whom somebody made a decision that needs a second person. @param own What was decided here, in the same order. */
  proposed(applicantIds: readonly string[], own: readonly (readonly OwnDecision[])[]): readonly string[] {
    return applicantIds.filter((applicantId, index) =>
      [...(own[index] ?? []), ...this.received.of(applicantId)].some(({ proposed }) => proposed)
    )
  }

  /** The strictest decision of a colleague about an applicant that stands. */
  colleagueDecision(applicantId: string, names: MemberNames, sides: Sides): StandingDecision | undefined {
    return standingIn(this.standing(applicantId, sides), names, sides.own).find(
      ({ installation }) => installation !== undefined
    )
  }

  /** The decisions about an applicant that differ; undefined if they do not. */
  conflict(applicantId: string, names: MemberNames, sides: Sides): TeamConflict | undefined {
    const standing = this.standing(applicantId, sides)
    return isConflict(standing) ? { applicantId, decisions: standingIn(standing, names, sides.own) } : undefined
  }

  /** What a decision of somebody who knows all that has arrived replaces: the standing decisions of colleagues. */
  superseded(applicantId: string, sides: Sides & { readonly own: OwnSide }): readonly NamedDecision[] {
    return this.standing(applicantId, sides)
      .filter(({ installation }) => installation !== sides.own.installation)
      .map(nameOf)
  }

  /** The newest check of a colleague with the same operation, service and input that was answered, or may have been sent. */
  earlier(same: SameCheck, names: MemberNames): TeamEntry | undefined {
    return this.checks.find(same, names)
  }

  /** Opens some checks in advance for `earlier`; for moments without other work. @returns Whether more are left. */
  prepareEarlier(since: number): boolean {
    return this.checks.prepare(since)
  }

  /** One check of a colleague, to read. */
  check(query: TeamCheckQuery, names: MemberNames): TeamCheck | undefined {
    return this.one.read(query, names)
  }

  /** The applicants of this installation that colleagues claimed, by their numbers. */
  claimedHere(installation: string): readonly number[] {
    return this.claims.claimedHere(installation)
  }

  /** Who has which entry. */
  claimStates(side: ClaimSide): ClaimStates {
    return this.claims.states(side)
  }

  /** What waits at colleagues and not here, longest first. */
  queue(
    query: TeamQueueQuery,
    given: { readonly names: MemberNames; readonly claims: ClaimStates },
    known: KnownOf
  ): Promise<NonNullable<TeamQueue>> {
    return this.waiting.page(query, given, known)
  }

  private standing(applicantId: string, { own, answers = new Map() }: Sides): readonly KnownDecision[] {
    const ours = own?.decisions.map((each) => ({ ...each, installation: own.installation })) ?? []
    const all: readonly KnownDecision[] = [...ours, ...this.received.of(applicantId)]
    return standingOf(all.map((each) => answered(each, [each.installation, each.seq], answers)))
  }
}

const standingIn = (
  standing: readonly KnownDecision[],
  names: MemberNames,
  own?: OwnSide
): readonly StandingDecision[] =>
  standing.map(({ installation, seq, at, operator, decision, proposed, agrees, outdated, challenged }) => ({
    ...(installation !== own?.installation && { installation, member: names.get(installation) ?? installation }),
    ...(operator !== undefined && { operator }),
    seq,
    at,
    decision,
    ...(proposed && { proposed }),
    ...(agrees !== undefined && { agrees }),
    ...(outdated && { outdated }),
    ...(challenged && { challenged })
  }))
