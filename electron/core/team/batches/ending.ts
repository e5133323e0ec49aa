/** The questions of a run that is ending: it does not wait, one question after another, for a database that is away. */
import type { Failure } from '#contract/failures/failures.ts'
import { fail } from '#contract/failures/result.ts'
import { isPassing } from '#team/log/schedule.ts'
import type { Answer, BatchPort } from '#team/thread/batch-ports.ts'

/** What a run that has been opened asks. */
export type RunPort = Omit<BatchPort, 'open' | 'compare'>

/** @returns The same, until a question fails in passing while the run is ending: the next ones fail likewise, unasked. Leases end by themselves. */
export function untilAway(port: RunPort, isEnding: () => boolean): RunPort {
  let away: Failure | undefined
  const asking = async <T>(ask: () => Answer<T>): Answer<T> => {
    if (away) return fail(away)
    const answer = await ask()
    if (!answer.ok && isEnding() && isPassing(answer.failure)) away = answer.failure
    return answer
  }
  return {
    take: (...given) => asking(() => port.take(...given)),
    rows: (...given) => port.rows(...given),
    spent: (...given) => port.spent(...given),
    claims: (...given) => port.claims(...given),
    confirm: (...given) => asking(() => port.confirm(...given)),
    watch: (...given) => asking(() => port.watch(...given)),
    unsent: (...given) => asking(() => port.unsent(...given)),
    reopen: (...given) => asking(() => port.reopen(...given)),
    intend: (...given) => asking(() => port.intend(...given)),
    takeLane: (...given) => asking(() => port.takeLane(...given)),
    renew: (...given) => asking(() => port.renew(...given)),
    leave: (...given) => asking(() => port.leave(...given)),
    runners: (...given) => asking(() => port.runners(...given))
  }
}
