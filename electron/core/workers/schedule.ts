/** Decides when to test whether a scheduled backup is due: some time after the start, then every few minutes. */

export interface Schedule {
  start(): void
  /** Tests at once; has no effect before the start. */
  look(): void
  /** Ends the schedule and waits for work in progress. */
  close(): Promise<void>
}

/** Milliseconds after the start, so that the first verification and search come first. */
const firstTestAfter = 30_000
const testEvery = 10 * 60_000

/** Calls `look`, which decides whether a backup is due and must not fail. */
export function scheduleBackups(look: () => Promise<void>): Schedule {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let closed = false
  let started = false
  let again = false
  const plan = (after: number): void => {
    if (closed) return
    timer = setTimeout(() => {
      looking = look().finally(() => {
        looking = undefined
        plan(again ? 0 : testEvery)
        again = false
      })
    }, after)
    // The timer must not keep the process alive.
    timer.unref()
  }
  return {
    start: () => {
      clearTimeout(timer)
      started = true
      plan(firstTestAfter)
    },
    look: () => {
      if (!started) return
      if (looking) again = true
      else {
        clearTimeout(timer)
        plan(0)
      }
    },
    close: async () => {
      closed = true
      clearTimeout(timer)
      await looking
    }
  }
}
