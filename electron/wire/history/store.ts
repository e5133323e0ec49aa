import type { Failure } from '#contract/failures/failures.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type {
  EarlierCheck,
  HistoryCounts,
  HistoryPage,
  RecordDetail,
  RecordEnding,
  Resolution
} from '#contract/history/records.ts'
import type { HistoryFilter, HistoryPageQuery } from '#contract/history/queries.ts'
import type { Result } from '#contract/failures/result.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { ApplicantStore, CatalogueStore, Hand, QueueStore } from './applicants.ts'
import type { ApprovalStore } from './approvals.ts'
import type { AuditStore } from './audit.ts'
import type { BackupStore } from './backup.ts'
import type { BatchStore } from './batches.ts'
import type { RetentionStore } from './erasure.ts'
import type {
  CheckedCounts,
  CheckedFile,
  CopyKeys,
  FoundFile,
  KeptFile,
  LaterCopy,
  MissedPlain,
  RowCopies,
  WantedCopy
} from './copies.ts'
import type { ColleagueCases } from './colleagues.ts'
import type { EvidenceStore } from './evidence.ts'
import type { ExchangeStore } from './exchange.ts'
import type { RecordIntent } from './record-intent.ts'
import type { SharedBatchStore } from './shared-batches.ts'
import type { CopyAmount, FaultyCopy, SeenDocument } from '#contract/documents/documents.ts'
import type { EvidenceAbout } from '#contract/evidence/evidence.ts'
import type { SameFile } from '#contract/links/checks.ts'
import type { ReviewFigures, ReviewsDone } from '#contract/applicants/reviews.ts'
import type { Overview, OverviewPeriod, OverviewWaiting } from '#contract/history/overview.ts'
import type { MonthCounts, TimeRange } from '#contract/overview/report.ts'
import type {
  CountingDecisions,
  DecisionFigures,
  DecisionList,
  DecisionListQuery,
  DecisionQuery
} from '#contract/overview/decisions.ts'

/** The files of all copies; `bytes` of the sealed files, `checkedAt` of the one that was checked longest ago. */
export interface FilesCondition {
  readonly files: number
  readonly bytes: number
  readonly missing: number
  readonly damaged: number
  readonly checkedAt?: number
  readonly faulty: readonly FaultyCopy[]
  readonly unstored: number
}

/** The means of the last 500 copies: bytes of the sealed file, milliseconds to fetch and seal it; null where none was measured. */
export interface TypicalCopy {
  readonly bytes: number | null
  readonly took: number | null
}

export interface DocumentStore {
  /** For each SHA-256 (hex), in order: the newest records of a connection for which a check saw that file. */
  seen(connectionId: string, files: readonly string[]): Promise<Result<readonly (readonly SameFile[])[], Failure>>
  /** The keys for copies of a record that is about to begin. Writes nothing. */
  keys(applicantId: string | undefined): Promise<Result<CopyKeys, Failure>>
  /** The keys for a later copy of a record. Failures: `record-missing`, also if it was erased; `document-copied` while one from the link can be opened. */
  keysOf(copy: Pick<LaterCopy, 'recordId' | 'field' | 'when'>): Promise<Result<CopyKeys, Failure>>
  /** Records it. Failures: `document-copy-failed` if the subject’s key was destroyed in the meantime; `document-copied`. */
  keep(copy: LaterCopy, by: Hand): Promise<Result<null, Failure>>
  /**
   * A copy for a field of a record, with the keys that open it; undefined without one, or if it was erased.
   *
   * @param sha256 Which one; without it, the first whose file is whole, or else the first.
   */
  file(recordId: string, field: string, sha256?: string): Promise<Result<KeptFile | undefined, Failure>>
  typical(): Promise<Result<TypicalCopy, Failure>>
  /** Documents of rows that have begun without a copy, the first `limit` by the expiry of their links. */
  wanted(limit: number): Promise<Result<readonly WantedCopy[], Failure>>
  /** For a row that is about to begin; null if its applicant was erased. Failure: `batch-missing`. */
  ofRow(batchId: string, row: number, operation: OperationId): Promise<Result<RowCopies | null, Failure>>
  /** Records that no copy of a wanted document can be kept; nothing if it is not wanted any more. */
  missed(of: { readonly recordId: string } & MissedPlain, at: number): Promise<Result<null, Failure>>
  /** The copies that a pack with documents would have, each document once. */
  amount(about: EvidenceAbout): Promise<Result<CopyAmount, Failure>>
  /** Those of some names of files that a copy of this history has. */
  named(names: readonly string[]): Promise<Result<readonly string[], Failure>>
  /** The names of files that begin with two hex digits, and those of them that were missing. */
  namesIn(
    part: string
  ): Promise<Result<{ readonly names: readonly string[]; readonly missing: readonly string[] }, Failure>>
  /** Those of some names that have a file here, with the keys of their subjects. */
  filesOf(names: readonly string[]): Promise<Result<readonly CheckedFile[], Failure>>
  /**
   * Files whose last check was before a time, or is dated after now by a clock that was ahead; by name, after a name; at most `limit`. `last` is the name to go on after; absent at
   * the end.
   */
  toCheck(
    due: { readonly before: number; readonly now: number },
    after: string,
    limit: number
  ): Promise<Result<{ readonly files: readonly CheckedFile[]; readonly last?: string }, Failure>>
  /** Records what a check found, of those that were not erased meanwhile, and counts these. */
  checked(found: readonly FoundFile[], at: number): Promise<Result<CheckedCounts, Failure>>
  /** Records which files are missing and which are there again, whose content is checked next. @returns How many are missing that were not. */
  compared(missing: readonly string[], back: readonly string[]): Promise<Result<number, Failure>>
  /** All files by what is known of them, and the first `limit` copies whose file has a fault. */
  condition(limit: number): Promise<Result<FilesCondition, Failure>>
  /** Keeps a document with the record of its link. Failure: `record-missing`. */
  note(recordId: string, field: string, document: SeenDocument, by: Hand): Promise<Result<null, Failure>>
}

export interface ExportStore {
  /** Complete records after a seq, oldest first. */
  records(
    filter: HistoryFilter,
    after: number,
    limit: number
  ): Promise<Result<{ readonly records: readonly RecordDetail[]; readonly more: boolean }, Failure>>
  /** Complete records by their ids; an id without a record is left out. */
  chosen(ids: readonly string[]): Promise<Result<readonly RecordDetail[], Failure>>
}

/** Figures for the overview. While the records are being read after opening, they say how far that is. */
export interface OverviewStore {
  /** @param connection Of one connection’s records alone, without batches. */
  show(period: OverviewPeriod, connection?: string): Promise<Result<Overview, Failure>>
  /** What waits at a time, by age. */
  waiting(now: number): Promise<Result<OverviewWaiting, Failure>>
  /** Periodic reviews at a time, and those of a period. */
  reviews(now: number, period: TimeRange): Promise<Result<ReviewFigures & ReviewsDone, Failure>>
  decisions(query: DecisionQuery, now: number): Promise<Result<DecisionFigures | CountingDecisions, Failure>>
  /** Takes colleagues' decisions, which the figures then include. @returns The version to ask for the next page with; without a page, that of the last one. */
  colleagues(page?: ColleagueCases): Promise<Result<number, Failure>>
  /** What a figure of decisions counts. */
  decisionList(query: DecisionListQuery, now: number): Promise<Result<DecisionList | CountingDecisions, Failure>>
  /** For the monthly report. */
  month(from: number, until: number): Promise<Result<MonthCounts, Failure>>
}

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
