/** What a run of a shared batch asks of the team's worker. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { LeasedRow, WaitingRow } from '#core/history/api/shared-batches.ts'
import type { Attempt, Held } from './database.ts'

export type Answer<T> = Promise<Result<T, Failure>>

/** A batch and its shares, as the database must have them. */
export interface BatchTerms {
  readonly id: string
  readonly rows: number
  readonly chunkRows: number
  readonly lanes: number
}

/** Rows of a chunk that can be sent, as the installation that shared the batch recorded them. */
export interface GivenRows {
  readonly rows: readonly LeasedRow[]
  /** The batch, one of its rows, or the key of a row has not arrived: the chunk can be run later. */
  readonly awaited: boolean
}

/** Every call fails with `team-batch-frozen` while a finding about the database stands. */
export interface BatchPort {
  /** Makes the batch known to the database, and gives back what an earlier process of this installation held. Failure: `team-batch-unusable`. */
  open(terms: BatchTerms): Answer<null>
  take(id: string, seconds: number): Answer<Held | 'wait' | 'over'>
  /** Rows of a batch that an installation shared. */
  rows(id: string, sharer: string, from: number, to: number): Answer<GivenRows>
  /** Whether the applicant of a row was erased for the team, by whomever. */
  erased(id: string, sharer: string | undefined, row: WaitingRow): Answer<boolean>
  intend(id: string, held: Held, attempts: readonly Attempt[]): Answer<readonly boolean[] | 'ended'>
  takeLane(id: string, seconds: number): Answer<Held | undefined>
  /** Of `of`, whether each is still held. */
  renew(id: string, of: 'rows' | 'lanes', held: readonly Held[], seconds: number): Answer<readonly boolean[]>
  /** False if it was held no more. */
  leave(id: string, of: 'rows' | 'lanes', held: Held, done: boolean): Answer<boolean>
  /** Installations that run it now, with this one. */
  runners(id: string): Answer<number>
}
