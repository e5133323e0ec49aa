/** What the exchange of events needs from the rest of a team: its keys, its members, and the history of this installation. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { ExchangePage, ExchangeStore, ExchangeTask, OwnClaim } from '#wire/history/exchange.ts'
import type { EpochKeys } from '../keys/epochs.ts'
import type { LastEvent, TeamMember } from '../roster/state.ts'

/** Subjects by the installation that numbers them. */
export type SubjectNumbers = Readonly<Record<string, readonly number[]>>

/**
 * The last erasure of each other installation that was carried out: number and hash (hex). Those before it were, too, since
 * events arrive in order. With the hash, nobody can acknowledge what has not happened yet.
 */
export type CarriedOut = Readonly<Record<string, readonly [seq: number, hash: string]>>

/** What wraps keys in an epoch. */
export type VaultKey = Pick<EpochKeys, 'number' | 'vault'>

export interface SubjectKeys {
  /** The content key of an epoch. That of the first one gives the tags. */
  of(epoch: number): Buffer | undefined
  /** The current key that wraps keys of subjects; undefined if this installation has none yet. */
  vault(): VaultKey | undefined
}

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
  withdraw(subjects: SubjectNumbers): Promise<Result<unknown, Failure>>
  /** Appends an event that says which erasures of others this installation has carried out. */
  acknowledge(erasures: CarriedOut): Promise<Result<unknown, Failure>>
}
