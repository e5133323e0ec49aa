/** Watches for a time without input. */
import type { Clock } from '#kit/clock.ts'

export interface IdleWatch {
  /** Somebody used the window: the time begins again. */
  active(): void
  /** Tests at once whether the time is over. */
  look(): void
  close(): void
}

/** Milliseconds between two looks: the lock is late by this much at most. */
const lookEvery = 5000

/**
 * Calls `onIdle` each time that nobody used the window for that long. By the clock that cannot be set: it may stand still
 * while the computer sleeps, for which the system's own event locks.
 *
 * @param minutes The time without input now; 0 for never.
 */
export function watchIdle(parts: {
  readonly clock: Pick<Clock, 'monotonic'>
  minutes(): number
  onIdle(): void
}): IdleWatch {
  let last = parts.clock.monotonic()
  const look = (): void => {
    const minutes = parts.minutes()
    const now = parts.clock.monotonic()
    if (minutes === 0 || now - last < minutes * 60_000) return
    last = now
    parts.onIdle()
  }
  const timer = setInterval(look, lookEvery)
  timer.unref()
  return { active: () => void (last = parts.clock.monotonic()), look, close: () => clearInterval(timer) }
}
