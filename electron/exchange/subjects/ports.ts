/** What the exchange of keys needs from the rest of a team. */
import type { SubjectKeys } from '#team/thread/ports.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { ExchangeStore } from '#wire/history/exchange.ts'
import type { KeyTables } from '#team/subjects/database.ts'
import type { SubjectNumbers } from '#team/thread/ports.ts'
import type { KnownSubjects } from './known.ts'

export type Answer<T> = Promise<Result<T, Failure>>

/** A sealed part of an event, and the digest of its values that its installation signed. */
export interface SealedPart {
  readonly kind: string
  readonly sealed: Buffer
  /** Hex. */
  readonly values: string
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
