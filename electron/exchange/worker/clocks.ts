/**
 * This computer's clock and the database's, compared on each line: colleagues' times mean little to a clock that is wrong. The
 * guard against paying twice would not see what they just did, and they would not see what is done here.
 */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { TeamLine } from '#team/transport/line.ts'

/** Milliseconds by which clocks may differ: less than the spend guard looks back. */
const tolerance = 5 * 60_000

export interface Clocks {
  /** Asks the database once for each line. Failures: the line's. */
  compare(line: TeamLine): Promise<Result<null, Failure>>
  /** A moment of this computer's clock or, if that is ahead, of the database's: the earlier one. */
  earlier(at: number): number
  /** That they differ, until a line on which they do not. */
  fault(): Failure | undefined
}

/** @param changed Called when `fault` has changed. */
export function createClocks(changed: () => void): Clocks {
  const compared = new WeakSet<TeamLine>()
  /** Milliseconds by which this computer's clock is ahead; negative if it is behind. */
  let ahead = 0
  const fault = (): Failure | undefined =>
    Math.abs(ahead) > tolerance
      ? failure('team-clock', { minutes: Math.round(Math.abs(ahead) / 60_000), reason: ahead > 0 ? 'ahead' : 'behind' })
      : undefined
  return {
    async compare(line) {
      if (compared.has(line)) return ok(null)
      const [now, from] = [Date.now(), performance.now()]
      const found = await line.query<{ readonly at: unknown }>(
        'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at'
      )
      if (!found.ok) return found
      const at = found.value[0]?.at
      const before = fault()
      if (typeof at === 'number' && Number.isFinite(at)) ahead = now + (performance.now() - from) / 2 - at
      compared.add(line)
      if (fault()?.details?.['minutes'] !== before?.details?.['minutes']) changed()
      return ok(null)
    },
    // A database whose clock is behind, or that says so, makes the guard ask more often, never less.
    earlier: (at) => at - Math.max(0, ahead),
    fault
  }
}
