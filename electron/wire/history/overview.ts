import type { Failure } from '#contract/failures/failures.ts'
import type { Overview, OverviewPeriod, OverviewWaiting } from '#contract/history/overview.ts'
import type { Result } from '#contract/failures/result.ts'

/** Figures for the overview. While the records are being read after opening, they say how far that is. */
export interface OverviewStore {
  show(period: OverviewPeriod): Promise<Result<Overview, Failure>>
  /** What waits at a time, by age. */
  waiting(now: number): Promise<Result<OverviewWaiting, Failure>>
}
