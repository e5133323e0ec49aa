/** What the exchange of keys needs from the rest of a team. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { ExchangeStore } from '#core/history/api/exchange.ts'
import type { VaultKey } from '#core/team/keys/vault.ts'
import type { KeyTables } from './database.ts'
import type { SubjectNumbers } from './erasures.ts'
import type { KnownSubjects } from './known.ts'

export type Answer<T> = Promise<Result<T, Failure>>

export interface SubjectKeys {
  /** The content key of an epoch. That of the first one gives the tags. */
  of(epoch: number): Buffer | undefined
  /** The current key that wraps keys of subjects; undefined if this installation has none yet. */
  vault(): VaultKey | undefined
}

/** A sealed part of an event, and the digest of it that its installation signed. */
export interface SealedPart {
  readonly kind: string
  readonly sealed: Buffer
  /** SHA-256 of salt and text, hex. */
  readonly commitment: string
}

export interface SubjectParts {
  readonly team: string
  readonly installation: string
  readonly keys: SubjectKeys
  readonly tables: KeyTables
  readonly store: KnownSubjects
  /** The history of this installation. */
  readonly history: Pick<ExchangeStore, 'subjects'> & {
    /** Appends an event that says of which subjects, besides those of its own erasures, this installation deletes the keys. */
    withdraw(subjects: SubjectNumbers): Answer<unknown>
  }
  /** The sealed part of a colleague's event that was received. */
  readonly sealedAt: (installation: string, seq: number) => SealedPart | undefined
}
