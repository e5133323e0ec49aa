/** What a team is doing: for whoever is responsible for it. From what has arrived at this installation. */
import { z } from 'zod'
import type { Failure } from '../failures/failures.ts'
import type { StandingDecision, TeamEntry, TeamExchange, TeamFinding } from './activity.ts'
import type { TeamRole } from './team.ts'

const time = z.int().min(0).max(8.64e15)
/** Unix milliseconds; the end is exclusive. */
export const teamOverviewSchema = z.strictObject({ from: time, until: time })
export type TeamPeriod = z.output<typeof teamOverviewSchema>

/** What is listed at most; the figures count the rest. */
export const teamOverviewRows = { unknowns: 20, conflicts: 50, waiting: 2000 } as const

/** Roles that see the team's work. */
export const overseers: readonly TeamRole[] = ['supervisor', 'auditor']

export interface TeamWork {
  /** In the period, by the clock of the installation. */
  readonly checks: number
  readonly decisions: number
}

/** Nothing is expected of a removed installation: `unconfirmed`, `erasures` and `kept` are 0. */
export interface TeamInstallation extends TeamWork {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole | 'removed'
  readonly own: boolean
  /** Events of it that are here; of this installation, those that are shared. */
  readonly events: number
  /** When its last event that is here was recorded, by its clock. */
  readonly lastAt?: number
  /** Events of others that are here and that it has not confirmed, and when its last confirmation arrived. */
  readonly unconfirmed: number
  readonly confirmedAt?: number
  /** Checks whose outcome is unknown and that nobody has resolved. */
  readonly unknown: number
  /** Applicants that it checked and nobody in the team has decided about. */
  readonly waiting: number
  /** Erasures of others that it has not acknowledged. */
  readonly erasures: number
  /** Applicants whom a colleague erased and of whom it still has records of its own: the number of their subjects. */
  readonly kept: number
  readonly findings: readonly TeamFinding[]
}

/** A person at an installation, as the operating system names them there. */
export interface TeamPerson extends TeamWork {
  readonly installation: string
  readonly member: string
  readonly person: string
}

export interface TeamConflict {
  readonly applicantId: string
  /** The strictest first. */
  readonly decisions: readonly StandingDecision[]
}

export interface TeamOverview {
  readonly state: TeamExchange['state']
  /** When everything was last compared with the database. */
  readonly at?: number
  /** Since when an erasure waits for new keys of the team. */
  readonly keysDueSince?: number
  /** The figures of this installation could not be read. */
  readonly ownFailure?: Failure
  readonly installations: readonly TeamInstallation[]
  readonly people: readonly TeamPerson[]
  /** Items that wait, by the name that they are assigned to; an empty one counts the unassigned. */
  readonly queue: readonly { readonly person: string; readonly count: number }[]
  /** Unknown outcomes of colleagues, newest first. */
  readonly unknowns: readonly TeamEntry[]
  readonly conflicts: readonly TeamConflict[]
  /** There is more than was counted: the newest of it was. */
  readonly more: boolean
}

/** The installation that signed two histories. */
export const teamProofSchema = z.strictObject({ installation: z.string().regex(/^[0-9a-f]{32}$/) })
/** Null: the user cancelled. */
export type SavedTeamProof = { readonly path: string } | null
