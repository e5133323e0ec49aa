import type { Failure } from '#contract/failures.ts'
import type { OperationId } from '#contract/operations.ts'
import type {
  EarlierCheck,
  HistoryCounts,
  HistoryFilter,
  HistoryPage,
  HistoryPageQuery,
  RecordDetail,
  RecordEnding,
  Resolution
} from '#contract/records.ts'
import type { Result } from '#contract/result.ts'
import type { VerificationInput } from '#contract/verification.ts'
import type { ApplicantStore, Hand } from './applicants.ts'
import type { AuditStore } from './audit.ts'
import type { BackupStore } from './backup.ts'
import type { BatchStore } from './batches.ts'
import type { RetentionStore } from './erasure.ts'
import type { EvidenceStore } from './evidence.ts'
import type { ExportStore } from './exports.ts'
import type { RecordIntent } from './record-intent.ts'

/** The history: append-only, encrypted, on a worker of its own. Every write is synced to disk before it settles. */
export interface HistoryStore {
  /** Records an intent; the request may leave only after this has settled well. */
  begin(intent: RecordIntent): Promise<Result<{ readonly id: string; readonly seq: number }, Failure>>
  /** Records how it ended. Exactly once a record. */
  finish(id: string, ending: RecordEnding): Promise<Result<null, Failure>>
  page(query: HistoryPageQuery): Promise<Result<HistoryPage, Failure>>
  counts(filter: HistoryFilter): Promise<Result<HistoryCounts, Failure>>
  record(id: string): Promise<Result<RecordDetail, Failure>>
  /**
   * The latest answered record of the same operation, connection and input that started at or after `since`; after a
   * restore also a check that was, or may have been, sent since then without a record here.
   */
  earlier(
    same: { operation: OperationId; connectionId: string; input: VerificationInput },
    since: number
  ): Promise<Result<EarlierCheck | undefined, Failure>>
  resolve(id: string, as: Resolution, note: string, by: Hand): Promise<Result<null, Failure>>
  /** Batches and their rows, in the same files: a row's move and its record's are one transaction. */
  readonly batches: BatchStore
  readonly applicants: ApplicantStore
  readonly audit: AuditStore
  readonly backup: BackupStore
  readonly erasure: RetentionStore
  readonly exports: ExportStore
  readonly evidence: EvidenceStore
  close(): Promise<void>
}

/** How a history came to be open. */
export interface HistoryOpened {
  readonly records: number
  /** Open intents of an earlier run, found at start and turned into "unknown". */
  readonly interrupted: number
  /** The disk is full: it was opened for reading only. */
  readonly readOnly?: true
}
