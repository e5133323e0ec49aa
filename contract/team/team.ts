/** A team: installations that share a database, and what people exchange when one joins. */
import { z } from 'zod'
import { rule } from '../verification/field-issues.ts'

export const teamRoles = ['analyst', 'reviewer', 'supervisor', 'auditor'] as const
export type TeamRole = (typeof teamRoles)[number]

const installation = z.string().regex(/^[0-9a-f]{32}$/)
/** Without line breaks and without characters that change the direction of the text. */
export const teamNameForm = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u
/** How colleagues see an installation: usually a person, and a place if they have several. */
const name = z.string().trim().min(1).max(100).regex(teamNameForm)
export const teamNameSchema = name
/** Twelve words that people compare, or the text of a QR code. */
const words = z.string().max(200)

const bareHost = (text: string): string => text.trim().replace(/^\[([\da-f:.]+(?:%[\w.-]+)?)\]$/i, '$1')
/** Whether a text is a name or an IP address alone: a port, a scheme or a setting would be looked up as a name. */
export const isTeamHost = (text: string): boolean =>
  /^[\p{L}\p{N}_.-]+$/u.test(bareHost(text)) || /^[\da-f]*:[\da-f.]*:[\da-f:.]*(?:%[\w.-]+)?$/i.test(bareHost(text))

export const teamDatabaseSchema = z.strictObject({
  /** Without the brackets that an address has in a URL. */
  host: z.string().max(255).refine(isTeamHost, rule('team-host')).transform(bareHost),
  port: z.int().min(1).max(65_535),
  database: z.string().trim().min(1).max(63),
  /** PEM of the authorities that the server’s certificate must lead to; those of this computer if absent. */
  ca: z
    .string()
    .max(256 * 1024)
    .optional()
})
export type TeamDatabaseAddress = z.output<typeof teamDatabaseSchema>

export const teamCreateSchema = z.strictObject({ name, database: teamDatabaseSchema })
/** The words are the team’s, which a member has told the newcomer. */
export const teamJoinSchema = z.strictObject({ name, invitation: z.string().max(512 * 1024), words })
/** The words are the request’s, which the newcomer has told the supervisor. */
export const teamAdmitSchema = z.strictObject({ request: z.string().max(16 * 1024), words, role: z.enum(teamRoles) })
/** The words are the team’s, which were kept with the recovery key. */
export const teamRecoverSchema = z.strictObject({
  name,
  database: teamDatabaseSchema,
  words,
  recoveryKey: z.string().max(200)
})
export const teamRoleSchema = z.strictObject({ installation, role: z.enum(teamRoles) })
/** The name confirms which installation is meant. */
export const teamRemoveSchema = z.strictObject({ installation, name })

/** Two-person admission, on or off. */
export const teamRuleSchema = z.strictObject({ twoPerson: z.boolean() })
/** An entry that waits, by its hash. */
export const teamEntrySchema = z.strictObject({ entry: z.string().regex(/^[0-9a-f]{64}$/) })
/** The words are those that a person was told, if they did not compare them on the screen. */
export const teamConfirmSchema = teamEntrySchema.extend({ words: words.optional() })

export type TeamRule = z.output<typeof teamRuleSchema>
export type TeamConfirmation = z.output<typeof teamConfirmSchema>
export type TeamEntryOrder = z.output<typeof teamEntrySchema>
export type TeamCreation = z.output<typeof teamCreateSchema>
export type TeamRecovery = z.output<typeof teamRecoverSchema>
export type TeamJoining = z.output<typeof teamJoinSchema>
export type TeamAdmission = z.output<typeof teamAdmitSchema>
export type TeamRoleChange = z.output<typeof teamRoleSchema>
export type TeamRemovalOrder = z.output<typeof teamRemoveSchema>

/** A fingerprint in the forms that people compare. Each stands for all of it, so one of them is enough. */
export interface ComparedWords {
  /** Twelve English words. */
  readonly words: string
  /** The text of a QR code. */
  readonly code: string
}

/** What a file is chosen for. */
export const teamFileSchema = z.strictObject({ kind: z.enum(['authorities', 'invitation', 'request']) })
export type TeamFileKind = z.output<typeof teamFileSchema>['kind']
/** The text of a chosen file; null if the user cancelled. */
export type ChosenTeamFile = { readonly name: string; readonly text: string } | null

/** SQL with which the database’s administrator gives this installation access. It contains no password. */
export interface TeamAccess {
  readonly installation: string
  readonly role: string
  readonly sql: string
}

/** What stays on this installation. New connections are shared. */
export const teamSharingSchema = z.strictObject({
  /** IDs of connections whose checks, batches and applicants are not shared. */
  kept: z.array(z.string().max(64)).max(1000).readonly()
})
export type TeamSharing = z.output<typeof teamSharingSchema>

/** What this computer knows without asking the database. */
export interface TeamState {
  readonly installation: string
  readonly name?: string
  readonly database?: Omit<TeamDatabaseAddress, 'ca'>
  /** Of the team that was created or joined. */
  readonly team?: ComparedWords
  /** Absent until a person has chosen what is shared: nothing is shared before. */
  readonly sharing?: TeamSharing
}

export interface TeamMemberView {
  readonly installation: string
  readonly name: string
  readonly role: TeamRole
  /** This installation. */
  readonly own: boolean
  /** Whether the database lets it sign in. */
  readonly access: boolean
}

/** A change of the list of members that has no effect before a second supervisor confirms it. */
export interface TeamWaiting {
  /** Identifies it: 64 hex digits. */
  readonly entry: string
  readonly kind: 'admit' | 'role' | 'rule'
  /** The installation that it is about; absent for the rule, which it switches off. */
  readonly about?: { readonly installation: string; readonly name: string; readonly role: TeamRole }
  /** Who signed it, and when, by their clock: Unix milliseconds. */
  readonly by: string
  readonly at: number
  /** Of an admission, the request’s, which the newcomer sees; otherwise the entry’s, which its author sees. */
  readonly compared: ComparedWords
  /** Whether this installation can be the second supervisor. */
  readonly confirmable: boolean
}

export interface TeamMembers extends ComparedWords {
  /** Whether this installation is a member, was removed, or has not been admitted yet. */
  readonly own: 'member' | 'removed' | 'applicant'
  readonly members: readonly TeamMemberView[]
  /** Installations that the database lets in although they are not members; a name, if they were. */
  readonly strangers: readonly { readonly installation: string; readonly name?: string }[]
  /** The number of the current keys; each removal begins the next. */
  readonly epoch: number
  /** Whether a role that approves is given by two supervisors. */
  readonly twoPerson: boolean
  /** What waits for a second supervisor, the oldest first. */
  readonly waiting: readonly TeamWaiting[]
}

/** A team that was created just now. */
export interface TeamCreated extends TeamMembers {
  /** With it, an installation becomes a supervisor although no supervisor is left. Never shown again. */
  readonly recoveryKey?: string
}

/** A file to pass on, and the number that is told its receiver by another way. Null if the user cancelled. */
export type TeamFile = ({ readonly path: string } & ComparedWords) | null

export interface TeamRemoval extends TeamMembers {
  /** SQL with which the database’s administrator ends the installation’s access. */
  readonly sql: string
  /** The last keys that the removed installation had. */
  readonly readUpTo: number
}
