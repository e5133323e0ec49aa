/** What retention and erasure ask of the history. */
import type { Failure } from '#contract/failures.ts'
import type { ErasureReceipt, LegalHold, Mentions, RetentionPlan } from '#contract/data-management.ts'
import type { Result } from '#contract/result.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Who does something, why and when (Unix milliseconds). */
export interface Order {
  readonly at: number
  readonly operator: string
  readonly reason: string
}

/** What an erasure would take, before it starts. */
export interface ErasureScope {
  /** Numbers of the subjects: the applicant's own, and those of checks that were linked to it. */
  readonly people: readonly number[]
  /** Those, and the wordings of the catalogue that nobody else was answered with. */
  readonly subjects: readonly number[]
  /** Digests of their keys, hex. */
  readonly digests: readonly string[]
  readonly records: number
  readonly linked: number
  readonly batchRows: number
  readonly oldest: number
  readonly newest: number
  readonly hold?: LegalHold
  /** A check is in progress. */
  readonly open: boolean
}

/** An erasure that was decided, before it is carried out. */
export interface ErasureIntent extends Order {
  /** Becomes the id of the erasure. */
  readonly id: string
  readonly cause: ErasureReceipt['cause']
  /** `people` of the scope. */
  readonly subjects: readonly number[]
}

export interface ErasureOrder extends Omit<ErasureIntent, 'id'> {
  /** The intent that it carries out; one without is an erasure all the same. */
  readonly intent?: string
  /** The list in which the erasure stands as begun, on disk before the keys go; without it a restore may bring them back. */
  readonly list?: string
}

/** An erasure whose keys are gone from the history, while kept copies may still hold them. */
export interface UnclearedErasure {
  readonly id: string
  /** Digests of the keys, hex. */
  readonly digests: readonly string[]
  /** Copies in which such keys were found, by their paths below the data folder: noted before they are rewritten. */
  readonly held: readonly string[]
}

/** The state of the kept copies. */
export interface ClearedCopies {
  readonly at: number
  readonly operator: string
  readonly backupsRewritten: number
  readonly copiesNotReached: readonly string[]
}

/** Days by connection id. */
export type RetentionRules = Readonly<Record<string, number>>

export interface RetentionStore {
  /** Failure: `applicant-missing`. */
  scope(applicantId: string): Answer<ErasureScope>
  /** Where an applicant's id stands in the data of others; `gone` are the subjects that would go. */
  mentions(applicantId: string, gone: readonly number[]): Answer<Mentions>
  /** The scope of many subjects, by their numbers. */
  scopeOf(subjects: readonly number[]): Answer<ErasureScope>
  /** Notes an erasure on disk before anything is touched, so that a crash cannot leave half of one. Failures: as `erase`. */
  intend(intent: Omit<ErasureIntent, 'id'>): Answer<string>
  /** What was begun and neither carried out nor abandoned. */
  intended(): Answer<readonly ErasureIntent[]>
  /** Takes an intent back; one that was carried out stays. */
  abandon(id: string): Answer<null>
  /**
   * Destroys the keys, takes the texts out of the index and what was sealed out of the lists, empties the
   * logs, and leaves an event in the chain. Nothing comes between the look for a hold and the destruction; copies
   * are cleared afterwards. Failures, with nothing erased: `erasure-held`, `erasure-open-check`, `disk-full`,
   * `erasure-copies` where the list cannot be written.
   */
  erase(order: ErasureOrder): Answer<ErasureReceipt>
  /** Erasures whose copies nobody has cleared yet. */
  uncleared(): Answer<readonly UnclearedErasure[]>
  /** How many of these keys the history holds: none of them was destroyed in it. */
  alive(digests: readonly string[]): Answer<number>
  /** Notes which copies hold the keys, before the first of them is rewritten: those cleared before a crash count as well. */
  clearing(id: string, held: readonly string[]): Answer<null>
  /** The copies were cleared, as far as they were reached: with an event where there were any. */
  cleared(id: string, copies: ClearedCopies): Answer<ErasureReceipt>
  /** Newest first, at most 1,000. */
  receipts(): Answer<readonly ErasureReceipt[]>
  plan(rules: RetentionRules, now: number): Answer<RetentionPlan & { readonly going: readonly number[] }>
  holds(): Answer<readonly LegalHold[]>
  /** Failure: `applicant-missing`. */
  hold(applicantId: string, held: boolean, order: Order): Answer<readonly LegalHold[]>
}
