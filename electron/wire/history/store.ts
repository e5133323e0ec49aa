import type { Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type {
  EarlierCheck,
  HistoryCounts,
  HistoryFilter,
  HistoryPage,
  HistoryPageQuery,
  RecordDetail,
  RecordEnding,
  Resolution
} from '#contract/history/records.ts'
import type { Result } from '#contract/failures/result.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { ApplicantStore, CatalogueStore, Hand, QueueStore } from './applicants.ts'
import type { ApprovalStore } from './approvals.ts'
import type { AuditStore } from './audit.ts'
import type { BackupStore } from './backup.ts'
import type { BatchStore } from './batches.ts'
import type { DocumentStore } from './documents.ts'
import type { RetentionStore } from './erasure.ts'
import type { EvidenceStore } from './evidence.ts'
import type { ExchangeStore } from './exchange.ts'
import type { ExportStore } from './exports.ts'
import type { OverviewStore } from './overview.ts'
import type { RecordIntent } from './record-intent.ts'
import type { SharedBatchStore } from './shared-batches.ts'

/** Verifications and their records. */
export interface RecordStore {
  /** Records an intent; the request may be sent only after this has succeeded. */
  begin(intent: RecordIntent): Promise<Result<{ readonly id: string; readonly seq: number }, Failure>>
  /** Records the result. Exactly once per record. */
  finish(id: string, ending: RecordEnding): Promise<Result<null, Failure>>
  page(query: HistoryPageQuery): Promise<Result<HistoryPage, Failure>>
  counts(filter: HistoryFilter): Promise<Result<HistoryCounts, Failure>>
  record(id: string): Promise<Result<RecordDetail, Failure>>
  /**
   * The latest answered record with the same operation, connection and input that started at or after `since`; after
   * a restore also a verification without a record here that was, or may have been, sent since then.
   */
  earlier(
    same: { operation: OperationId; connectionId: string; input: VerificationInput },
    since: number
  ): Promise<Result<EarlierCheck | undefined, Failure>>
  resolve(id: string, as: Resolution, note: string, by: Hand): Promise<Result<null, Failure>>
}

/**
 * The history: append-only, encrypted, in its own worker. Every write is synced to disk before its promise resolves.
 */
export interface HistoryStore extends RecordStore {
  /** Batches and their rows, in the same files: a row and its record change in one transaction. */
  readonly batches: BatchStore
  readonly sharedBatches: SharedBatchStore
  readonly applicants: ApplicantStore
  readonly queue: QueueStore
  readonly catalogue: CatalogueStore
  readonly approvals: ApprovalStore
  readonly audit: AuditStore
  readonly documents: DocumentStore
  readonly backup: BackupStore
  readonly erasure: RetentionStore
  readonly exports: ExportStore
  readonly evidence: EvidenceStore
  /** Events for a team. */
  readonly exchange: ExchangeStore
  readonly overview: OverviewStore
  close(): Promise<void>
}

/** Result of opening a history. */
export interface HistoryOpened {
  readonly records: number
  /** Number of open intents of an earlier run that became "unknown" at start. */
  readonly interrupted: number
  /** The disk is full: the history was opened read-only. */
  readonly readOnly?: true
}
