/** The history's interface for exports, in addition to pages. */
import type { Failure } from '#contract/failures/failures.ts'
import type { HistoryFilter, RecordDetail } from '#contract/history/records.ts'
import type { Result } from '#contract/failures/result.ts'

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
