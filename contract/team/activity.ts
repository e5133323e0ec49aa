/** What colleagues did, as this installation received and verified it, and how its exchange with the team goes. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { Decision } from '../applicants/applicants.ts'
import type { ReviewOutcome } from '../applicants/reviews.ts'
import type { Relationship } from '../applicants/relationships.ts'
import type { Failure, FailureCode } from '../failures/failures.ts'
import type { OperationId } from '../verification/operations.ts'
import type { Outcome } from '../verification/outcomes.ts'
import type { RecordConnection, Resolution } from '../history/records.ts'
import type { TeamRole } from './team.ts'

/** What a colleague did. Personal data is absent until the key of its applicant arrives, and after an erasure. */
export type TeamDeed =
  | {
      readonly kind: 'check'
      readonly operation: OperationId
      readonly connection?: Pick<RecordConnection, 'name' | 'origin' | 'mode'>
      /** Absent while nothing is known about its end. */
      readonly outcome?: Outcome
      readonly resolved?: Resolution
      readonly status?: number
      /** The service’s message, up to 300 characters. */
      readonly message?: string
    }
  | {
      readonly kind: 'decision'
      readonly decision: Decision
      /** A second person has to agree. */
      readonly proposed?: true
      /** Whether those who answered agree; absent while nobody has. */
      readonly agrees?: boolean
      readonly reasons?: readonly string[]
      readonly note?: string
    }
  | { readonly kind: 'note'; readonly text?: string }
  | { readonly kind: 'tags'; readonly tags?: readonly string[] }
  | { readonly kind: 'due'; readonly due: number | null }
  | { readonly kind: 'expiry'; readonly document?: string; readonly expires?: string }
  | { readonly kind: 'review'; readonly outcome: ReviewOutcome; readonly note?: string }
  /** The applicant challenged a decision of that installation: what they said. */
  | { readonly kind: 'challenge'; readonly text?: string }
  | { readonly kind: 'risk'; readonly risk: string; readonly months: number; readonly note?: string }
  | ({ readonly kind: 'relationship'; readonly note?: string } & Relationship)
  /** Null if the assignment was removed. */
  | { readonly kind: 'assignee'; readonly assignee?: string | null }
  | { readonly kind: 'hold'; readonly placed: boolean }
  | { readonly kind: 'erasure' }
  | { readonly kind: 'approval-asked'; readonly note?: string }
  | { readonly kind: 'approval-answered'; readonly agrees: boolean; readonly note?: string }

export type TeamDeedKind = TeamDeed['kind']
export const teamDeedKinds = [
  'check',
  'decision',
  'note',
  'tags',
  'due',
  'assignee',
  'hold',
  'erasure',
  'approval-asked',
  'approval-answered',
  'relationship',
  'risk',
  'expiry',
  'review',
  'challenge'
] as const satisfies readonly TeamDeedKind[]

/** An event of a colleague. */
export interface TeamEntry {
  /** The installation, and the number of the event in its history. */
  readonly installation: string
  readonly seq: number
  /** The member’s name in the team. */
  readonly member: string
  /** Who was signed in there, as that installation recorded it. */
  readonly operator?: string
  /** By the clock of that installation, in Unix milliseconds. */
  readonly at: number
  readonly applicantId?: string
  /** Why the applicant’s data is not shown: its key has not arrived, or was destroyed. */
  readonly closed?: 'awaited' | 'erased'
  readonly what: TeamDeed
}

export const maxTeamEntries = 200
/** The position after an entry; pass it back unchanged. */
export const teamCursorSchema = z.strictObject({ at: z.int(), place: z.int() })
export type TeamCursor = z.output<typeof teamCursorSchema>
const paging = { limit: z.int().min(1).max(maxTeamEntries), after: teamCursorSchema.optional() }
export const teamActivitySchema = z.strictObject({
  ...paging,
  kinds: z.array(z.enum(teamDeedKinds)).max(teamDeedKinds.length).optional(),
  installation: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** The beginning of an applicant ID. */
  applicant: z.string().trim().min(1).max(200).optional()
})
export type TeamActivityQuery = z.output<typeof teamActivitySchema>
export const teamApplicantSchema = z.strictObject({ ...paging, applicantId: applicantIdSchema })
export type TeamApplicantQuery = z.output<typeof teamApplicantSchema>

/** A check of a colleague: the installation, and the number of its event there. */
export const teamCheckSchema = z.strictObject({ installation: z.string().regex(/^[0-9a-f]{32}$/), seq: z.int().min(1) })
export type TeamCheckQuery = z.output<typeof teamCheckSchema>
/** With everything that was shared of it. Null if there is none, or without a team. */
export interface TeamCheck {
  readonly entry: TeamEntry
  /** What was sent; absent until the key of its applicant arrives, and after an erasure. */
  readonly input?: Readonly<Record<string, string>>
  /** Milliseconds. */
  readonly took?: number
  readonly reply?: { readonly bytes: number; readonly truncated: boolean; readonly body?: string }
}

/** Entries, the newest first. */
export interface TeamActivity {
  readonly entries: readonly TeamEntry[]
  readonly next?: TeamCursor
}

/** A decision that no other one replaces. */
export interface StandingDecision {
  /** Absent for this installation. */
  readonly installation?: string
  readonly member?: string
  readonly operator?: string
  readonly seq: number
  readonly at: number
  readonly decision: Decision
  /** A second person has to agree. */
  readonly proposed?: true
  /** Whether those who answered agree; absent while nobody has. */
  readonly agrees?: boolean
  /** There is newer evidence than what was answered about. */
  readonly outdated?: true
  /** The applicant challenged it where it was made. */
  readonly challenged?: true
}

/** That the installation of a colleague retains an applicant, and why: the first cause that was found. */
export interface TeamRetains {
  readonly applicantId: string
  readonly member: string
  /** A legal hold that stands, a relationship that is not over for the years, or a verification within the days. */
  readonly because: 'hold' | 'relationship' | 'record'
}

/** What the team has about an applicant, besides this installation. Null without a team. */
export type TeamApplicant =
  | (TeamActivity & {
      /** Of all installations, this one included: the strictest first. More than one if colleagues decided without knowing of each other. */
      readonly decisions: readonly StandingDecision[]
      /** The decisions differ: the strictest counts until somebody who knows all of them decides. */
      readonly conflict: boolean
    })
  | null

/** Findings that a supervisor can deal with: what was lost or changed cannot be undone, and work has to go on. */
export const teamFindingKinds = [
  'team-events-rolled-back',
  'team-events-withheld',
  'team-events-forked',
  'team-views-differ',
  'team-events-refused',
  'team-given-again',
  'team-intents-lost',
  'team-row-sent-twice',
  'team-exchange-awaited'
] as const satisfies readonly FailureCode[]
export type TeamFindingKind = (typeof teamFindingKinds)[number]
/** How a finding is named on the command line. */
export const findingName = (kind: TeamFindingKind): string => kind.replace(/^team-(events-)?/, '')

/** That a supervisor has dealt with a finding: it stays, and holds no shared batch any more. */
export interface FindingAcknowledgement {
  /** The installation where it was acknowledged, and its member’s name. */
  readonly installation: string
  readonly member: string
  /** Who was signed in there. */
  readonly operator: string
  /** By the clock of that installation. */
  readonly at: number
  readonly reason: string
}

/** What is wrong with a member’s events. */
export interface TeamFinding {
  readonly failure: Failure
  /** Shared batches wait until it ends or is acknowledged. */
  readonly holds: boolean
  readonly acknowledged?: FindingAcknowledgement
}

export const maxFindingReason = 500
export const acknowledgeFindingSchema = z.strictObject({
  installation: z.string().regex(/^[0-9a-f]{32}$/),
  finding: z.enum(teamFindingKinds),
  /** It stays in the audit trail, and colleagues read it: no personal data. */
  reason: z.string().trim().min(1).max(maxFindingReason)
})
export type FindingOrder = z.output<typeof acknowledgeFindingSchema>

/** A member, and what of it is here. */
export interface TeamMemberStatus {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole | 'removed'
  readonly own: boolean
  /** Events of it that are here; of this installation, those that are shared. */
  readonly events: number
  /** When its last event that is here was recorded, by its own clock. */
  readonly lastAt?: number
  /** How many other installations are known to have its last event here, and when the last of them said so. */
  readonly confirmedBy: number
  readonly confirmedAt?: number
  readonly findings: readonly TeamFinding[]
}

export interface TeamExchange {
  /** `offline`: the database cannot be reached; everything else goes on. `stopped`: it needs a person. */
  readonly state: 'starting' | 'connected' | 'offline' | 'stopped'
  readonly failure?: Failure
  /** This computer’s clock is not the database’s. Everything is exchanged nevertheless. */
  readonly clock?: Failure
  /** When everything was last compared with the database. */
  readonly at?: number
  /** Events of this installation that are not shared yet, and events of others that have not arrived. */
  readonly toSend: number
  readonly toReceive: number
  readonly members: readonly TeamMemberStatus[]
}
