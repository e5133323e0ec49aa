/** What the exchange of events needs from the rest of a team: its keys, its members, and the history of this installation. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { ExchangePage, ExchangeStore, ExchangeTask, OwnClaim } from '#core/history/api/exchange.ts'
import type { LastEvent, TeamMember } from '#core/team/roster/state.ts'
import type { ErasureParts } from '#core/team/erasures/acknowledge.ts'
import type { SubjectKeys, SubjectParts } from '#core/team/subjects/ports.ts'

/** Which team, and which installation of it this is. */
export interface TeamPlace {
  /** What the team is known by, the same for all members: the fingerprint of its list of members, for example. */
  readonly team: string
  /** 16 bytes as 32 hex digits. */
  readonly installation: string
}

/** The keys under which the content of events is sealed: 32 bytes for each epoch. */
export interface ContentKeys {
  /** The newest epoch; undefined if this installation has no key yet. */
  current(): { readonly epoch: number; readonly key: Buffer } | undefined
  /** Undefined if this installation has no key of the epoch. */
  of(epoch: number): Buffer | undefined
}

/** With the key that wraps keys of subjects. */
export interface TeamKeys extends ContentKeys, SubjectKeys {}

/** A point in the events of an installation. */
export interface MemberPoint {
  readonly seq: number
}

/** Who belongs to the team, from its signed list. The database is never asked. */
export interface Members {
  /**
   * The Ed25519 public key (32 bytes, hex) of an installation that is a member at this point of its events, or why it is
   * none. `last`: of an installation that was removed, the last of its events that counts.
   */
  at(
    installation: string,
    point: MemberPoint
  ): { readonly publicKey: string; readonly last?: LastEvent } | { readonly refused: 'unknown' | 'removed' }
  /** Those who need the keys of the current epoch, with the one who gave them. */
  mailboxes(): readonly Pick<TeamMember, 'installation' | 'mailbox' | 'keysBy'>[]
}

/** Heads as one installation has seen them: number and hash (hex) of the last event, by installation. */
export type SeenHeads = Readonly<Record<string, readonly [seq: number, hash: string]>>

/** The history of this installation. */
export interface OwnHistory extends Pick<ExchangeStore, 'subjects'> {
  /** The history knows what is not shared. */
  read(task: Omit<ExchangeTask, 'kept'>): Promise<Result<ExchangePage, Failure>>
  /** Claims of this installation after an event; the history knows which are not shared. */
  claims(after: number): Promise<Result<readonly OwnClaim[], Failure>>
  /** Appends an event that says which heads were seen. */
  anchor(heads: SeenHeads): Promise<Result<unknown, Failure>>
  /** Appends an event that says of which subjects, besides those of its own erasures, this installation deletes the keys. */
  withdraw: SubjectParts['history']['withdraw']
  /** Appends an event that says which erasures of others this installation has carried out. */
  acknowledge: ErasureParts['history']['acknowledge']
}
