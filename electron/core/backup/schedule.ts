/** When a backup by schedule is looked at: a while after the start, and every few minutes from then on. */

export interface Schedule {
  start(): void
  /** Looks at once; nothing before the start. */
  look(): void
  /** Ends the schedule and waits for what it has in progress. */
  close(): Promise<void>
}

/** Milliseconds after the start: the first check and the first search of the day come first. */
const firstLook = 30_000
const nextLook = 10 * 60_000

/** `look` decides by itself whether a backup is due, and never fails. */
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
        plan(again ? 0 : nextLook)
        again = false
      })
    }, after)
    // A backup is no reason to keep a process alive.
    timer.unref()
  }
  return {
    start: () => {
      clearTimeout(timer)
      started = true
      plan(firstLook)
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
