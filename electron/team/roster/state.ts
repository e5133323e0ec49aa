/** What a verified list of members says, and why one is refused. */
import type { FailureDetails } from '#contract/failures/failures.ts'
import type { TeamRole } from '#contract/team/team.ts'
import type { Epoch } from '../keys/epochs.ts'
import type { RecoveryPublic } from '../keys/recovery.ts'
import type { Entry } from './entry.ts'
import type { Application } from './request.ts'

export interface TeamMember extends Application {
  readonly role: TeamRole
  /** The epoch in which its mailbox key was announced. Keys of a later one call for a new mailbox. */
  readonly mailboxSince: number
  /** The installation that gave it the keys of the current epoch, sealed for this mailbox. */
  readonly keysBy: string
  /** The installation that admitted it: itself, if it came with the recovery key; null for the one that created the team. */
  readonly admittedBy: string | null
  /** The installation that gave it the present role, if that was later. */
  readonly roleBy?: string
  /** Once it lost or got a role that approves. */
  readonly approving?: ApprovingSpans
}

/** Which events of a member can approve, by number, if its role has changed. */
export interface ApprovingSpans {
  /** With the present role, those after this one: its last event before it got that role. */
  readonly after?: number
  /** With earlier ones: those after the first number, up to the second. */
  readonly earlier: readonly (readonly [after: number, until: number])[]
}

export interface FormerMember extends TeamMember {
  /** Number and hash (hex); null if it has shared none. */
  readonly last: LastEvent | null
}

export interface LastEvent {
  readonly seq: number
  readonly hash: string
}

/** An entry that takes effect only with a second supervisor. Until then it changes nothing, however long it waits. */
export interface WaitingEntry {
  readonly entry: Extract<Entry, { readonly kind: 'admit' | 'role' | 'rule' }>
  /** What the second one names: hex. */
  readonly hash: string
}

/** What the entries say so far. */
export interface RosterState {
  /** Fingerprint of the team: hash of its first entry. */
  readonly team: string
  /** By installation. */
  readonly members: ReadonlyMap<string, TeamMember>
  /** Installations that were removed, with the last of their events that counts. */
  readonly removed: ReadonlyMap<string, FormerMember>
  /** Every public mailbox key that there ever was. */
  readonly mailboxes: ReadonlySet<string>
  /** The public halves of the team's recovery key; undefined if it has none. */
  readonly recovery?: RecoveryPublic | undefined
  /** In their order; the last is the current one. */
  readonly epochs: readonly Epoch[]
  /** Whether whoever gets a role that approves needs two supervisors. */
  readonly twoPerson: boolean
  /** In their order. */
  readonly waiting: readonly WaitingEntry[]
}

/** Why an entry is refused. */
export type EntryRefusal = Extract<FailureDetails<'team-roster-refused'>, { readonly reason: string }>['reason']
