/** The work queue of a team: what waits at colleagues, and who claimed which entry. Times are Unix milliseconds. */
import { z } from 'zod'
import { applicantIdSchema } from '../applicants/applicant-id.ts'
import type { StandingDecision, TeamDeed } from './activity.ts'

const installation = z.string().regex(/^[0-9a-f]{32}$/)
export const teamInstallationSchema = installation

/** `applicant`: one that waits for a decision; `record`: an unknown outcome. */
export const colleagueEntryKinds = ['applicant', 'record'] as const
/** An entry of a colleague’s queue: the number is that of the applicant or the record at that installation. */
export const colleagueEntrySchema = z.strictObject({
  installation,
  kind: z.enum(colleagueEntryKinds),
  number: z.int().min(1)
})
export type ColleagueEntry = z.output<typeof colleagueEntrySchema>

/** Who handles an entry. */
export interface Claim {
  /** The installation at which it is handled, and the member’s name; `own` is this installation. */
  readonly installation: string
  readonly member: string
  readonly own: boolean
  /** The person, if the claim names another one than the member. */
  readonly person?: string
  readonly since: number
  /** The database has not confirmed it yet: a colleague may be first. */
  readonly tentative?: true
}

/** What the team knows about an entry. */
export interface EntryClaim {
  /** Absent if nobody has it. */
  readonly claim?: Claim
  /** It was claimed, and is free again. */
  readonly released?: true
  /** When this installation claimed it and was too late: somebody else has it. */
  readonly lostAt?: number
  /** About an applicant of this installation: the strictest decision of a colleague that stands. */
  readonly decision?: StandingDecision
}

/** A claim of this installation that came too late. */
export interface LostClaim {
  readonly at: number
  readonly holder: Claim
  /** What was claimed: exactly one of these. */
  readonly applicantId?: string
  readonly recordId?: string
  readonly of?: ColleagueEntry
}

export const maxClaimQuestions = 200
export const teamClaimsSchema = z.strictObject({
  applicantIds: z.array(applicantIdSchema).max(maxClaimQuestions),
  /** Of unknown outcomes of this installation. */
  recordIds: z.array(z.uuid()).max(maxClaimQuestions)
})
export type TeamClaimsQuery = z.output<typeof teamClaimsSchema>
/** Null without a team, and before this installation shares anything. */
export type TeamClaims = {
  readonly applicants: Readonly<Record<string, EntryClaim>>
  readonly records: Readonly<Record<string, EntryClaim>>
  readonly lost: readonly LostClaim[]
  /** The member’s name of this installation. */
  readonly name: string
  /** Whether this installation may claim: an auditor may not. */
  readonly handles: boolean
  /** This installation may take over and release what others have. */
  readonly supervises: boolean
} | null

/** Position after an entry of the colleagues’ queue; pass it back unchanged. */
export const teamQueueCursorSchema = z.strictObject({ since: z.int(), ref: z.int(), kind: z.int(), number: z.int() })
export type TeamQueueCursor = z.output<typeof teamQueueCursorSchema>
export const teamQueueClaims = ['all', 'free', 'own', 'others'] as const
export type TeamQueueClaims = (typeof teamQueueClaims)[number]
export const maxTeamQueue = 100
export const teamQueueSchema = z.strictObject({
  limit: z.int().min(1).max(maxTeamQueue),
  after: teamQueueCursorSchema.optional(),
  /** By who claimed it. */
  claimed: z.enum(teamQueueClaims).optional()
})
export type TeamQueueQuery = z.output<typeof teamQueueSchema>

/** An entry that waits at a colleague and not here. */
export interface TeamQueueEntry extends EntryClaim {
  readonly entry: ColleagueEntry
  readonly member: string
  readonly kind: 'open' | 'escalated' | 'outdated' | 'unresolved'
  readonly since: number
  readonly applicantId?: string
  /** Its last check. */
  readonly check?: Extract<TeamDeed, { kind: 'check' }> & { readonly at: number }
}
/** Longest waiting first. Null without a team. */
export type TeamQueue = {
  readonly entries: readonly TeamQueueEntry[]
  readonly next?: TeamQueueCursor
  readonly name: string
  readonly handles: boolean
  readonly supervises: boolean
} | null
