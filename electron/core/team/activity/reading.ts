/** What a team shows of its colleagues: everything that is read from the file of received events for people. */
import type { StandingDecision, TeamActivity, TeamActivityQuery, TeamApplicant, TeamApplicantQuery, TeamEntry } from '#contract/team-activity.ts'
import type { NamedDecision, OwnDecision } from '#core/history/api/applicants.ts'
import type { Db } from '#core/history/storage/files.ts'
import { Activity } from './activity.ts'
import { ReceivedDecisions } from './decisions.ts'
import { EarlierChecks, type SameCheck } from './earlier.ts'
import { ReceivedEvents } from './received-events.ts'
import { ShownEntries, type MemberNames } from './shown.ts'
import { isConflict, nameOf, standingOf, type KnownDecision } from './standing.ts'

/** This installation, and what it decided itself about an applicant. */
export interface OwnSide {
  readonly installation: string
  readonly decisions: readonly OwnDecision[]
}

/** Reads the file of received events. Throws SQLite's errors; `onReceived` turns them into failures. */
export class TeamReading {
  private readonly entries: Activity
  private readonly received: ReceivedDecisions
  private readonly checks: EarlierChecks

  constructor(db: Db) {
    const shown = new ShownEntries(db, new ReceivedEvents(db))
    this.entries = new Activity(db, shown)
    this.received = new ReceivedDecisions(db, shown)
    this.checks = new EarlierChecks(db, shown)
  }

  /** Newest first, by the clocks of the installations. */
  activity(query: TeamActivityQuery, names: MemberNames): TeamActivity {
    return this.entries.activity(query, names)
  }

  /** What colleagues did with an applicant, and which decisions stand in the whole team; without `own`, at colleagues alone. */
  applicant(query: TeamApplicantQuery, { names, own }: { readonly names: MemberNames; readonly own?: OwnSide }): NonNullable<TeamApplicant> {
    const standing = this.standing(query.applicantId, own)
    const decisions = standing.map(({ installation, seq, at, operator, decision }): StandingDecision => ({
      ...(installation !== own?.installation && { installation, member: names.get(installation) ?? installation }), ...(operator !== undefined && { operator }), seq, at, decision
    }))
    return { ...this.entries.applicant(query, names), decisions, conflict: isConflict(standing) }
  }

  /** What a decision of somebody who knows all that has arrived replaces: the standing decisions of colleagues. */
  superseded(applicantId: string, own: OwnSide): readonly NamedDecision[] {
    return this.standing(applicantId, own).filter(({ installation }) => installation !== own.installation).map(nameOf)
  }

  /** The newest check of a colleague with the same operation, service and input that was answered, or may have been sent. */
  earlier(same: SameCheck, names: MemberNames): TeamEntry | undefined {
    return this.checks.find(same, names)
  }

  /** Opens some checks in advance for `earlier`; for moments without other work. @returns Whether more are left. */
  prepareEarlier(since: number): boolean {
    return this.checks.prepare(since)
  }

  private standing(applicantId: string, own?: OwnSide): readonly KnownDecision[] {
    const ours = own?.decisions.map((each) => ({ ...each, installation: own.installation })) ?? []
    return standingOf([...ours, ...this.received.of(applicantId)])
  }
}
