/** What batches ask of the history. Every write is synced to disk before it settles. */
import type { RowState } from '#contract/batch-rows.ts'
import type { BatchDelimiter, BatchFailed, BatchListQuery, BatchRowsPage, BatchRowsQuery, BatchResolution, BatchState, BatchSummary, RowFaults } from '#contract/batches.ts'
import type { Failure } from '#contract/failures.ts'
import type { OperationId } from '#contract/operations.ts'
import type { RecordConnection, RecordDetail, RecordEnding } from '#contract/records.ts'
import type { Result } from '#contract/result.ts'
import type { VerificationInput } from '#contract/verification.ts'
import type { Hand } from './applicants.ts'
import type { RecordIntent } from './record-intent.ts'

/** How a batch's file is laid out; kept with it, so that results come back in the same form. */
export interface BatchLayout {
  readonly columns: readonly string[]
  readonly delimiter: BatchDelimiter
  readonly mapping: Readonly<Record<string, number>>
  readonly applicantColumn: number
}

/** What is fixed when a batch is made. */
export interface BatchDraft {
  readonly name: string
  readonly fileName: string
  readonly sha256: string
  readonly operation: OperationId
  readonly connection: RecordConnection
  readonly atOnce: number
  readonly pace: number
  readonly createdAt: number
  readonly operator: string
  readonly consoleVersion: string
  readonly layout: BatchLayout
  readonly rerunOf?: string
}

/** When a batch changes its state, and who did it; without an operator it was Veridesk itself. */
export interface Turn {
  readonly at: number
  readonly operator: string | undefined
}

/** A row as it is made. */
export interface NewRow {
  readonly row: number
  readonly state: Extract<RowState, 'waiting' | 'invalid' | 'duplicate'>
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  /** Whose key seals the cells; rows that name no applicant have a key of their own. */
  readonly applicantId?: string
  /** The input as it would be stored; given where recently answered rows are to be left out. */
  readonly check?: VerificationInput
}

/** A row that may be sent. */
export interface TakenRow {
  readonly row: number
  readonly tries: number
  readonly cells: readonly string[]
}

/** How a row's try ended, and whether the row waits for another one. */
export interface RowFinish {
  readonly row: number
  readonly recordId: string
  readonly ending: RecordEnding
  readonly again: boolean
}

/** One durable move of a run: the end of one row and the intent of the next, in one transaction. */
export interface BatchStep {
  readonly finish?: RowFinish
  readonly begin?: { readonly row: number; readonly intent: RecordIntent }
}
export interface StepDone {
  /** The record of the row that was begun: its request may leave now. */
  readonly begun?: { readonly id: string; readonly seq: number }
}

/** A row with all that is known of it, for result files. */
export interface RowResult {
  readonly row: number
  readonly state: RowState
  readonly resolved?: BatchResolution
  readonly tries: number
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  readonly record?: Omit<RecordDetail, 'previous'>
}

export interface RowsWanted {
  readonly states?: readonly RowState[]
  readonly unresolved?: boolean
  readonly after: number
  readonly limit: number
  /** With the records and their whole replies. */
  readonly records: boolean
}

export interface BatchStore {
  /** A batch being created: seen by nobody before `seal`. */
  make(draft: BatchDraft): Promise<Result<{ readonly id: string }, Failure>>
  /** `recentDuplicates`: rows whose same check was answered at or after this time are kept as such. */
  add(id: string, rows: readonly NewRow[], recentDuplicates?: number): Promise<Result<null, Failure>>
  seal(id: string): Promise<Result<BatchSummary, Failure>>
  /** Takes a batch being created away again. */
  discard(id: string): Promise<Result<null, Failure>>
  /** A new batch of the rows that failed; see `failedRule`. */
  again(id: string, by: Hand): Promise<Result<BatchSummary, Failure>>
  show(id: string): Promise<Result<BatchSummary, Failure>>
  draft(id: string): Promise<Result<BatchDraft, Failure>>
  /** How many rows failed; see `failedRule`. */
  failed(id: string): Promise<Result<BatchFailed, Failure>>
  /** Which of these checks were answered at or after a time, in their order. */
  recentDuplicates(
    of: { readonly operation: OperationId; readonly connectionId: string },
    checks: readonly VerificationInput[],
    since: number
  ): Promise<Result<readonly boolean[], Failure>>
  list(query: BatchListQuery): Promise<Result<readonly BatchSummary[], Failure>>
  rows(query: BatchRowsQuery): Promise<Result<BatchRowsPage, Failure>>
  results(id: string, wanted: RowsWanted): Promise<Result<{ readonly rows: readonly RowResult[]; readonly more: boolean }, Failure>>
  /** Waiting rows after a row number, with their cells. */
  take(id: string, after: number, limit: number): Promise<Result<readonly TakenRow[], Failure>>
  step(id: string, step: BatchStep): Promise<Result<StepDone, Failure>>
  /** Notes a batch's new state; `cancelled` cancels its waiting rows. */
  become(id: string, state: BatchState, by: Turn, reason?: Failure): Promise<Result<BatchSummary, Failure>>
  resolve(id: string, rows: readonly number[] | undefined, as: BatchResolution, by: Hand): Promise<Result<BatchSummary, Failure>>
}
