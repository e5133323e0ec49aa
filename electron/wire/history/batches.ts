/** The history's interface for batches. Every write is synced to disk before its promise resolves. */
import type { RowState } from '#contract/batches/rows.ts'
import type {
  BatchDelimiter,
  AgainKind,
  BatchAgain,
  BatchListQuery,
  BatchMessages,
  BatchReading,
  BatchRowsPage,
  BatchRowsQuery,
  BatchResolution,
  BatchState,
  BatchSummary,
  RowFaults
} from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { RecordConnection, RecordDetail, RecordEnding } from '#contract/history/records.ts'
import type { Result } from '#contract/failures/result.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { Hand } from './applicants.ts'
import type { RecordIntent } from './record-intent.ts'

/** Layout of a batch's file, stored so that results have the same form. */
export interface BatchLayout {
  readonly columns: readonly string[]
  readonly delimiter: BatchDelimiter
  readonly mapping: Readonly<Record<string, number>>
  readonly applicantColumn: number
  /** How the file was read; absent from a batch that a colleague shared. */
  readonly read?: Pick<BatchReading, 'encoding' | 'headingRow' | 'rounded' | 'sheet'> & {
    /** Rows in which a person corrected a cell. */
    readonly corrected: number
  }
}

/** The properties of a batch that are fixed when it is created. */
export interface BatchDraft {
  readonly name: string
  readonly fileName: string
  readonly sha256: string
  /** What is sent for each row, in order. */
  readonly operations: readonly OperationId[]
  readonly connection: RecordConnection
  readonly atOnce: number
  readonly pace: number
  readonly createdAt: number
  readonly operator: string
  readonly consoleVersion: string
  readonly layout: BatchLayout
  /** False if rows that were recently answered are sent as well. */
  readonly skipRecent?: boolean
  readonly rerunOf?: string
  /** Of a batch that a team shares. */
  readonly shared?: SharedTerms
}

/** What the installations that run a shared batch agree on. */
export interface SharedTerms {
  /** The number of its last row. */
  readonly rows: number
  /** How many rows were recorded for the team: their numbers can have gaps. */
  readonly count: number
  /** The team that runs it: no other one does, not even if some of its members are the same. */
  readonly team: string
  /** The installation that shared it. */
  readonly sharer: string
  /** The same, where the rows are received from it; absent where the batch was made. */
  readonly from?: string
  /** Where the batch was made: the event that shared it. Rows that were sent before have no intent. */
  readonly since?: number
}

/** When a batch changes state, and who changed it; without an operator it was Veridesk itself. */
export interface StateChange {
  readonly at: number
  readonly operator: string | undefined
}

/** A row at creation. */
export interface NewRow {
  readonly row: number
  readonly state: Extract<RowState, 'waiting' | 'invalid' | 'duplicate' | 'recently-answered'>
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  /** The applicant whose key seals the cells; rows without an applicant have their own key. */
  readonly applicantId?: string
  /** The documents behind its links as a check saw them, by field. */
  readonly documents?: RecordIntent['documents']
  /** Cells that a person corrected. */
  readonly corrections?: RecordIntent['corrections']
  /** The input of each operation in its stored form, for the spend guard; absent from a row that is not sent. */
  readonly checks?: readonly VerificationInput[]
}

/** A row that may be sent. */
export interface TakenRow {
  readonly row: number
  readonly tries: number
  /** What is left to send, in order: each operation is sent at most once. */
  readonly left: readonly OperationId[]
  readonly cells: readonly string[]
  readonly documents?: RecordIntent['documents']
  readonly corrections?: RecordIntent['corrections']
}

/**
 * The result of an attempt to send a row, and whether the row waits for another attempt. Otherwise it waits for its next
 * operation, unless the result stops it; see `stopsCheck`.
 */
export interface RowFinish {
  readonly row: number
  readonly recordId: string
  readonly ending: RecordEnding
  readonly again: boolean
}

/** A row to be recorded and sent, unless the spend guard leaves it out: then the step begins nothing. */
export interface RowBegin {
  readonly row: number
  readonly intent: RecordIntent
  /** Answers to the same verification at or after this time leave it out; undefined where nobody wants that. */
  readonly recentDuplicates?: number | undefined
  /** A colleague has recently sent the same request. */
  readonly colleague?: boolean
  /** Documents of which a copy is wanted beside the batch. */
  readonly wanted?: readonly WantedField[]
  /** Why it is not sent: then it is recorded, and ends with this failure in the same step. */
  readonly unsent?: Failure
}
/** A document behind a link of a row. */
export interface WantedField {
  readonly field: string
  /** When its link expires, Unix milliseconds; absent if it does not say. */
  readonly expires?: number
}

/** One durable step of a run: the result of one row and the intent of the next, in one transaction. */
export interface BatchStep {
  readonly finish?: RowFinish
  readonly begin?: RowBegin
}
export interface StepDone {
  /** The operation was left out because it was answered before: the row waits for its next one. */
  readonly next?: true
  /** The record of the row that was started: its request may be sent now. */
  readonly begun?: { readonly id: string; readonly seq: number }
  /** It was recorded as not sent, as `RowBegin.unsent` says; `next` as well, if the row waits for its next operation. */
  readonly unsent?: true
}

/** A row with everything known about it, for result files. */
export interface RowResult {
  readonly row: number
  readonly state: RowState
  readonly resolved?: BatchResolution
  readonly tries: number
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  readonly corrections?: RecordIntent['corrections']
  readonly record?: Omit<RecordDetail, 'previous'>
  /** Of a batch with several operations: each in order, as far as the row came. */
  readonly calls?: readonly CallResult[]
}
export interface CallResult {
  readonly operation: OperationId
  readonly state: RowState
  readonly record?: Omit<RecordDetail, 'previous'>
}

export interface RowsWanted {
  readonly states?: readonly RowState[]
  readonly unresolved?: boolean
  readonly after: number
  readonly limit: number
  /** Includes the records with their complete responses. */
  readonly records: boolean
}

export interface BatchStore {
  /** Starts creating a batch; it is not visible before `seal`. */
  create(draft: BatchDraft): Promise<Result<{ readonly id: string }, Failure>>
  /**
   * `recentDuplicates`: rows whose verifications were all answered at or after this time are stored as recent duplicates. Rows
   * whose first verification has no known outcome are stored as unknown, with its record.
   */
  add(id: string, rows: readonly NewRow[], recentDuplicates?: number): Promise<Result<null, Failure>>
  seal(id: string): Promise<Result<BatchSummary, Failure>>
  /** Deletes a batch that is being created. */
  discard(id: string): Promise<Result<null, Failure>>
  /** Creates a batch from the rows that can be sent again, or from one kind of them; see `againKind`. */
  again(id: string, kind: AgainKind | undefined, by: Hand): Promise<Result<BatchSummary, Failure>>
  show(id: string): Promise<Result<BatchSummary, Failure>>
  draft(id: string): Promise<Result<BatchDraft, Failure>>
  /** Number of rows that can be sent again, by kind; see `againKind`. */
  againCounts(id: string): Promise<Result<BatchAgain, Failure>>
  /** Number of documents of its waiting rows whose copy an earlier attempt has, so that it is used again. Failure: `batch-missing`. */
  copiesKept(id: string): Promise<Result<number, Failure>>
  /** For each verification, in order, whether it was answered at or after `since`. */
  recentDuplicates(
    of: { readonly operation: OperationId; readonly connectionId: string },
    checks: readonly VerificationInput[],
    since: number
  ): Promise<Result<readonly boolean[], Failure>>
  /** The newest batch with rows to send of the same file, for the same operations and connection. */
  unfinished(of: {
    readonly sha256: string
    readonly operations: readonly OperationId[]
    readonly connectionId: string
  }): Promise<Result<BatchSummary | undefined, Failure>>
  list(query: BatchListQuery): Promise<Result<readonly BatchSummary[], Failure>>
  rows(query: BatchRowsQuery): Promise<Result<BatchRowsPage, Failure>>
  /** The messages of its answers, the most frequent first. */
  messages(id: string): Promise<Result<BatchMessages, Failure>>
  results(
    id: string,
    wanted: RowsWanted
  ): Promise<Result<{ readonly rows: readonly RowResult[]; readonly more: boolean }, Failure>>
  /** Waiting rows after a row number and up to another, with their cells. */
  take(id: string, after: number, limit: number, to?: number): Promise<Result<readonly TakenRow[], Failure>>
  step(id: string, step: BatchStep): Promise<Result<StepDone, Failure>>
  /** Records a batch's new state; `cancelled` cancels its waiting rows. */
  setState(id: string, state: BatchState, by: StateChange, reason?: Failure): Promise<Result<BatchSummary, Failure>>
  resolve(
    id: string,
    rows: readonly number[] | undefined,
    as: BatchResolution,
    by: Hand
  ): Promise<Result<BatchSummary, Failure>>
}
