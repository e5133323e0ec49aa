/** How many requests a minute leave, and how quickly a batch gets on. By the monotonic clock, in milliseconds. */

export interface Pace {
  /** Milliseconds until the next request may leave; 0 where it may leave now. */
  wait(now: number): number
  /** Notes that a request leaves now. */
  leave(now: number): void
  /** Lets nothing leave for a time: the service asked for it. */
  hold(now: number, wait: number): void
  /** Milliseconds that are left of what the service asked for. */
  held(now: number): number
}

/** @param perMinute 0 for no limit. Requests are spread evenly: none is saved up while nothing could leave. */
export function createPace(perMinute: number): Pace {
  const between = perMinute > 0 ? 60_000 / perMinute : 0
  let next = -Infinity
  let held = -Infinity
  return {
    wait: (now) => Math.max(0, next - now, held - now),
    leave(now) {
      next = between === 0 ? -Infinity : Math.max(now, next) + between
    },
    hold(now, wait) {
      held = Math.max(held, now + wait)
    },
    held: (now) => Math.max(0, held - now)
  }
}

export interface Rate {
  /** One row has ended. */
  note(): void
  /** Rows a second, the last seconds weighing most; undefined until there is something to tell. */
  perSecond(now: number): number | undefined
}

/** Milliseconds after which an older rate has lost about two thirds of its weight. */
const memory = 5000

/** A moving average of rows a second. */
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
        rate = rate === undefined ? (ended > 0 ? latest : undefined) : rate + (1 - Math.exp(-passed / memory)) * (latest - rate)
        ended = 0
        since = now
      }
      return rate
    }
  }
}

/**
 * Seconds that so many rows still take at a rate of rows a second. A pace bounds it from below: what was quick before
 * its limit came into force says nothing of what is left.
 *
 * @param perMinute 0 for no limit.
 */
export const secondsLeft = (rows: number, rate: number, perMinute: number): number =>
  Math.max(rows / rate, perMinute > 0 ? (rows * 60) / perMinute : 0)
