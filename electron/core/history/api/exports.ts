/** What exports ask of the history beside its pages. */
import type { Failure } from '#contract/failures.ts'
import type { HistoryFilter, RecordDetail } from '#contract/records.ts'
import type { Result } from '#contract/result.ts'

export interface ExportStore {
  /** Whole records after a seq, oldest first. */
  records(filter: HistoryFilter, after: number, limit: number): Promise<Result<{ readonly records: readonly RecordDetail[]; readonly more: boolean }, Failure>>
}
