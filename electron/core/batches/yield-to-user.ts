/** Makes running batches yield to the user: while somebody works in the window, their requests go first. */

/**
 * Milliseconds after a key press or click during which no row starts: time to paint the response and for the next
 * key.
 */
const pauseAfterInput = 200
/**
 * The longest time during which no row starts, however long the user stays active, and the time reserved for batches
 * after it.
 */
const maxPause = 10_000
const batchTurn = 1000

export interface YieldToUser {
  /** The user pressed a key or a button; `now` is of the monotonic clock. */
  yieldToUser(now: number): void
  /** Milliseconds until the next row may start; 0 if now. */
  left(now: number): number
}

/** Does not affect rows in progress: they have been sent, and their results are written. */
export function createYieldToUser(): YieldToUser {
  let since = -Infinity
  let until = -Infinity
  let next = -Infinity
  return {
    yieldToUser(now) {
      if (now >= until && now < next) return
      if (now >= until) since = now
      until = Math.min(now + pauseAfterInput, since + maxPause)
      next = until === since + maxPause ? until + batchTurn : until
    },
    left: (now) => Math.max(0, until - now)
  }
}
