/**
 * The one announcement that data of persons is gone: an erasure destroyed keys, or another history took the place of
 * the one that was open. Whatever holds such data in memory, in core and in every window, empties itself then.
 */
import type { RemovalCause } from '#contract/ipc.ts'

export interface Removals {
  /** Registers what is to be emptied. It must not throw. */
  on(empty: () => void): void
  /** Empties everything that is registered, then tells every window. */
  announce(cause: RemovalCause): void
}

/** @param announce Notifies every window; called after core itself is empty, so that no window can ask for what was there. */
export function createRemovals(announce: (cause: RemovalCause) => void): Removals {
  const registered: (() => void)[] = []
  return {
    on: (empty) => void registered.push(empty),
    announce(cause) {
      for (const empty of registered) empty()
      announce(cause)
    }
  }
}
