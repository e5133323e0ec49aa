/** The history's interface for batches that a team shares. Every write is synced to disk before its promise resolves. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { Hand } from './applicants.ts'
import type { BatchDraft, NewRow, SharedTerms } from './batches.ts'

/** A row that this installation may send for the team; its cells are absent where they are here already. */
export interface SharedRow extends Pick<NewRow, 'row' | 'applicantId' | 'documents'> {
  readonly cells?: readonly string[]
}

/** What is decided when a batch is shared; how many rows it has is in the history. */
export type SharingTerms = Omit<SharedTerms, 'count' | 'from' | 'since'>

/** A row that waits to be sent, and the number of its applicant in this history. */
export interface WaitingRow {
  readonly row: number
  readonly subject: number
}

/** This installation says that it runs a batch from now on, and whose claims that replaces: their events, by installation. */
export interface BatchClaim {
  readonly over: Readonly<Record<string, number>>
}

/** A row that was begun here: its last record, and the event of it. */
export interface BegunRow {
  readonly row: number
  readonly recordId: string
  readonly event: number
  /** Unless it is known that it was not sent. */
  readonly sent: boolean
}

export interface SharedBatchStore {
  /** The last event of a batch, or 0: nothing may happen to it while its rows are recorded for the team. */
  last(id: string): Promise<Result<number, Failure>>
  /**
   * Records rows after a number for the team, with their cells sealed. Nobody counts them before `share`.
   *
   * @returns The last row that was recorded; undefined if there are none left.
   */
  give(id: string, after: number, limit: number, by: Hand): Promise<Result<number | undefined, Failure>>
  /**
   * The batch is the team's from now on: only its runner sends rows. Failures: `batch-missing`,
   * `batch-not-startable`; those of `heldBy`; `team-batch-unusable` if something happened to it since `last`.
   */
  share(id: string, terms: SharingTerms, by: Hand, last: number): Promise<Result<BatchSummary, Failure>>
  /** A colleague's batch, without rows; the same one again if it is here already. Failure: `team-batch-unusable`. */
  join(id: string, draft: BatchDraft & { readonly shared: SharedTerms }): Promise<Result<BatchSummary, Failure>>
  /** Rows that this installation may send now. @returns Those that wait to be sent here; the others have an outcome, or were erased. */
  accept(id: string, rows: readonly SharedRow[]): Promise<Result<readonly WaitingRow[], Failure>>
  /** The applicant of a row was erased for the team: it is not sent. */
  withdraw(id: string, row: number): Promise<Result<null, Failure>>
  /** Says for the team that the batch is run here from now on. @returns The number of the event. */
  claim(id: string, claim: BatchClaim, by: Hand): Promise<Result<number, Failure>>
  /** Rows from one to another that were begun here for the team; none of a batch that is not here. */
  begun(id: string, from: number, to: number): Promise<Result<readonly BegunRow[], Failure>>
  /** Rows from one to another that are here and are not to be sent: they have an outcome, or their applicant was erased. */
  closed(id: string, from: number, to: number): Promise<Result<readonly number[], Failure>>
  /** Rows that still wait here are the team's again. */
  release(id: string): Promise<Result<null, Failure>>
}
