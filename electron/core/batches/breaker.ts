/** Stops a batch when requests keep failing, before it has used up all its rows. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { RecordEnding } from '#contract/history/records.ts'

/** Failed rows in succession after which a batch stops. */
export const breakerLimit = 10

const refusedStatuses = new Set([401, 403, 407, 429])

/**
 * Whether a result indicates a problem with the service or the network rather than with the row: every outcome other
 * than an answer, and answers that reject the caller (401, 403, 407, 429) or report a server error (5xx).
 */
export function isServiceProblem({ outcome, reply }: RecordEnding): boolean {
  if (outcome !== 'answered') return true
  const status = reply?.status ?? 0
  return status >= 500 || refusedStatuses.has(status)
}

/** Counts problems; returns the reason to stop after `limit` in succession. */
export function createBreaker(limit = breakerLimit): (ending: RecordEnding) => Failure | undefined {
  let count = 0
  return (ending) => {
    count = isServiceProblem(ending) ? count + 1 : 0
    return count < limit ? undefined : failure('batch-stopped', { count, ...last(ending) })
  }
}

const last = ({ reply, failure: cause }: RecordEnding) =>
  cause ? { cause } : ({ reason: 'status', status: reply?.status ?? 0 } as const)
