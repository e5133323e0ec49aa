/** Rate limit and progress rate of a batch. Times are milliseconds of the monotonic clock. */

export interface Pace {
  /** Milliseconds until the next request may be sent; 0 if it may be sent now. */
  wait(now: number): number
  /** Records that a request is sent now. */
  leave(now: number): void
  /** The request that left last was not sent after all. */
  back(): void
  /** Blocks requests for `wait` milliseconds because the service asked for it. */
  hold(now: number, wait: number): void
  /** Milliseconds left of the wait that the service asked for. */
  held(now: number): number
}

/**
 * Requests are spread evenly; unused capacity does not accumulate.
 *
 * @param perMinute 0 for no limit.
 */
export function createPace(perMinute: number): Pace {
  const between = perMinute > 0 ? 60_000 / perMinute : 0
  let next = -Infinity
  let held = -Infinity
  return {
    wait: (now) => Math.max(0, next - now, held - now),
    leave(now) {
      next = between === 0 ? -Infinity : Math.max(now, next) + between
    },
    back: () => void (next -= between),
    hold(now, wait) {
      held = Math.max(held, now + wait)
    },
    held: (now) => Math.max(0, held - now)
  }
}

export interface Rate {
  /** Records that a row has ended. */
  note(): void
  /** Rows per second, weighted towards the last seconds; undefined until there is enough data. */
  perSecond(now: number): number | undefined
}

/** Milliseconds after which an older rate has lost about two thirds of its weight. */
const decayTime = 5000

/** A moving average of rows per second. */
export function createRate(begun: number): Rate {
  let ended = 0
  let since = begun
  let rate: number | undefined
  return {
    note: () => void (ended += 1),
    perSecond(now) {
      const passed = now - since
      if (passed >= 200) {
        const latest = (ended * 1000) / passed
        rate =
          rate === undefined
            ? ended > 0
              ? latest
              : undefined
            : rate + (1 - Math.exp(-passed / decayTime)) * (latest - rate)
        ended = 0
        since = now
      }
      return rate
    }
  }
}

/**
 * Estimated seconds for the remaining rows at `rate` rows per second. The rate limit sets a lower bound, because rows
 * that ran before the limit took effect do not predict the rest.
 *
 * @param perMinute 0 for no limit.
 */
export const secondsLeft = (rows: number, rate: number, perMinute: number): number =>
  Math.max(rows / rate, perMinute > 0 ? (rows * 60) / perMinute : 0)
