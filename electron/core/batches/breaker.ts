/** Stops a batch that meets nothing but trouble, before it has burnt all its rows. */
import { failure, type Failure } from '#contract/failures.ts'
import type { RecordEnding } from '#contract/records.ts'

/** Rows in succession. */
export const breakerLimit = 10

const refusedStatuses = new Set([401, 403, 407, 429])

/**
 * Whether an ending speaks of trouble with the service or the way to it rather than of the row: anything but an
 * answer, and answers that refuse the caller (401, 403, 407, 429) or tell of the service's own fault (5xx).
 */
export function isTrouble({ outcome, reply }: RecordEnding): boolean {
  if (outcome !== 'answered') return true
  const status = reply?.status ?? 0
  return status >= 500 || refusedStatuses.has(status)
}

/** Counts trouble; gives the reason to stop once it has come `limit` times in succession. */
export function createBreaker(limit = breakerLimit): (ending: RecordEnding) => Failure | undefined {
  let count = 0
  return (ending) => {
    count = isTrouble(ending) ? count + 1 : 0
    return count < limit ? undefined : failure('batch-stopped', { count, ...last(ending) })
  }
}

const last = ({ reply, failure: cause }: RecordEnding) => (cause ? { cause } : ({ reason: 'status', status: reply?.status ?? 0 } as const))
