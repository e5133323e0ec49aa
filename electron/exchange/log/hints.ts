/** Turns the database's notifications into looks. Any role can send them, as many as it likes. */

/** Milliseconds between two looks for which hints are the reason. */
export const hintRest = 250

export interface Hints {
  heard(): void
  /** No look follows. */
  end(): void
}

/**
 * The first hint is a look at once. Those within the rest after it are one look, when it is over: one that was only
 * dropped would let what it is about wait for the next regular look.
 */
export function limitHints(parts: {
  readonly monotonic: () => number
  readonly after: (milliseconds: number, run: () => void) => () => void
  readonly look: () => void
}): Hints {
  let last = -hintRest
  let cancel: (() => void) | undefined
  const look = (): void => {
    cancel = undefined
    last = parts.monotonic()
    parts.look()
  }
  return {
    heard() {
      if (cancel) return
      const left = last + hintRest - parts.monotonic()
      if (left <= 0) look()
      else cancel = parts.after(left, look)
    },
    end: () => {
      cancel?.()
      cancel = undefined
    }
  }
}
