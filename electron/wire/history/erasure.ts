/** The history's interface for retention and erasure. */
import type { Failure } from '#contract/failures/failures.ts'
import type {
  ErasureReceipt,
  LegalHold,
  Mentions,
  RetentionDue,
  RetentionPlan
} from '#contract/data-management/data-management.ts'
import type { Result } from '#contract/failures/result.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Who performs an action, why and when (Unix milliseconds). */
export interface Order {
  readonly at: number
  readonly operator: string
  readonly reason: string
}

/** A hold may have a last day, and the reference of the order that asks for it. */
export type HoldOrder = Order & Partial<Pick<LegalHold, 'until' | 'reference'>>

/** What an erasure would remove. */
export interface ErasureScope {
  /** Numbers of the subjects: the applicant's, and those of verifications linked to it. */
  readonly people: readonly number[]
  /** IDs of those that are applicants. */
  readonly applicants: readonly string[]
  /** The same, plus the catalogue messages that only they received. */
  readonly subjects: readonly number[]
  /** Digests of their keys, hex. */
  readonly digests: readonly string[]
  readonly records: number
  readonly linked: number
  readonly batchRows: number
  readonly oldest: number
  readonly newest: number
  readonly hold?: LegalHold
  /** A verification is in progress. */
  readonly open: boolean
}

/** An erasure that was decided but not yet carried out. */
export interface ErasureIntent extends Order {
  /** Becomes the id of the erasure. */
  readonly id: string
  readonly cause: ErasureReceipt['cause']
  /** `people` of the scope. */
  readonly subjects: readonly number[]
}

export interface ErasureOrder extends Omit<ErasureIntent, 'id'> {
  /** The intent that it carries out, if any; an erasure without one is complete as well. */
  readonly intent?: string
  /**
   * The list that records the erasure as begun; it is on disk before the keys are destroyed. Without it, a restore
   * may bring them back.
   */
  readonly list?: string
}

/** What the event of an erasure says; nothing about the persons. */
export interface ErasedPlain {
  readonly id: string
  readonly cause: ErasureOrder['cause']
  readonly subjects: readonly number[]
  readonly records: number
  readonly batchRows: number
  /** Copies of documents whose files are deleted; absent for none. */
  readonly documents?: number
  readonly operator: string
}

/** Sealed for a subject of its own, since a reason may name somebody; in no pack and in no team. */
export interface ErasedSealed {
  readonly reason: string
}

/** The same for keys that a restored copy lacks because of an earlier erasure, whose event the restore lost. Nobody decided it. */
export interface TakenPlain extends Omit<ErasedPlain, 'cause' | 'documents' | 'operator'> {
  readonly cause: 'restore'
}

/** An erasure whose keys are gone from the history, but may still be in retained copies. */
export interface UnclearedErasure {
  readonly id: string
  /** Digests of the keys, hex. */
  readonly digests: readonly string[]
  /** Paths, relative to the data folder, of copies that held such keys; recorded before the copies are rewritten. */
  readonly held: readonly string[]
  /** Names of files of copies of documents, which are to be deleted. */
  readonly files: readonly string[]
}

/** The state of the retained copies. */
export interface ClearedCopies {
  readonly at: number
  readonly operator: string
  readonly backupsRewritten: number
  readonly copiesNotReached: readonly string[]
  /** Files of copies of documents. */
  readonly documentsNotDeleted: number
}

export interface RetentionRules {
  /** Days from the newest record, by connection ID; `*` stands for all that are not listed. */
  readonly days: Readonly<Record<string, number>>
  /** Years from the end of the relationship, which decide about applicants instead of days; absent if days do. */
  readonly years?: number
}

export interface RetentionStore {
  /** Failure: `applicant-missing`. */
  scope(applicantId: string): Answer<ErasureScope>
  /** Where an applicant's id occurs in data of others; `gone` are the subjects that would be erased. */
  mentions(applicantId: string, gone: readonly number[]): Answer<Mentions>
  /** The scope of several subjects, by their numbers. */
  scopeOf(subjects: readonly number[]): Answer<ErasureScope>
  /**
   * Records an intended erasure on disk before anything is changed, so that a crash cannot leave it half done.
   * Failures: as `erase`.
   */
  intend(intent: Omit<ErasureIntent, 'id'>): Answer<string>
  /** Intents that were neither carried out nor abandoned. */
  intended(): Answer<readonly ErasureIntent[]>
  /** Withdraws an intent; one that was carried out stays. */
  abandon(id: string): Answer<null>
  /**
   * Destroys the keys, removes texts from the index and sealed data from the lists, empties the logs, and appends an
   * event to the chain. The check for a legal hold and the destruction are atomic; copies are cleared afterwards.
   * Failures, with nothing erased: `erasure-held`, `erasure-open-check`, `disk-full`, `erasure-copies` if the list
   * cannot be written.
   */
  erase(order: ErasureOrder): Answer<ErasureReceipt>
  /** Erasures whose copies have not been cleared yet. */
  uncleared(): Answer<readonly UnclearedErasure[]>
  /** Number of these keys that the history still holds, because they were not destroyed in it. */
  alive(digests: readonly string[]): Answer<number>
  /**
   * Records which copies hold the keys before the first is rewritten, so that copies cleared before a crash are
   * counted.
   */
  clearing(id: string, held: readonly string[]): Answer<null>
  /** Records that the copies were cleared, as far as they were reached; appends an event if there were any. */
  cleared(id: string, copies: ClearedCopies): Answer<ErasureReceipt>
  /** Newest first, at most 1,000. */
  receipts(): Answer<readonly ErasureReceipt[]>
  /** @param retained Names of colleagues who retain applicants, by the applicant's ID. */
  plan(
    rules: RetentionRules,
    now: number,
    retained?: Readonly<Record<string, string>>
  ): Answer<RetentionPlan & { readonly going: readonly number[] }>
  /** Counted by an index, for any number of applicants. */
  due(years: number, now: number): Answer<RetentionDue>
  holds(): Answer<readonly LegalHold[]>
  /** Failures: `applicant-missing`, `hold-until-invalid`. */
  hold(applicantId: string, held: boolean, order: HoldOrder): Answer<readonly LegalHold[]>
}
