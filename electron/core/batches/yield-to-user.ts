/** A running batch yields to the user for a moment while somebody works at the window: their requests go first. */

/** Milliseconds after a key or a click in which a batch begins no row: in them an answer is painted, and the next key comes. */
const moment = 200
/** Longest time in which no row is begun, however long somebody goes on, and what a batch has for itself after it. */
const longest = 10_000
const turn = 1000

export interface YieldToUser {
  /** Somebody pressed a key or a button; `now` by the monotonic clock. */
  yieldToUser(now: number): void
  /** Milliseconds until a further row may be begun; 0 where nobody is waited for. */
  left(now: number): number
}

/** Rows in progress are not held up: they have left, and their endings are written. */
export function createYieldToUser(): YieldToUser {
  let since = -Infinity
  let until = -Infinity
  let next = -Infinity
  return {
    yieldToUser(now) {
      if (now >= until && now < next) return
      if (now >= until) since = now
      until = Math.min(now + moment, since + longest)
      next = until === since + longest ? until + turn : until
    },
    left: (now) => Math.max(0, until - now)
  }
}
