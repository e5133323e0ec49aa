/** Decides when to test whether something is due, such as a backup: some time after the start, then again and again. */

export interface Schedule {
  start(): void
  /** Tests at once; has no effect before the start. */
  look(): void
  /** Ends the schedule and waits for work in progress. */
  close(): Promise<void>
}

/** Milliseconds: after the start, and between two tests. */
export interface Rhythm {
  readonly first: number
  readonly every: number
}

/** Calls `look`, which decides whether it is due and must not fail. */
export function createSchedule(look: () => Promise<void>, { first, every }: Rhythm): Schedule {
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
        plan(again ? 0 : every)
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
      plan(first)
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
