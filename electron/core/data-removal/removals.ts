/**
 * Announces that personal data was removed: an erasure destroyed keys, the open history was replaced, or the console was
 * locked. Everything that holds such data in memory, in core and in every window, then drops it.
 */
import type { RemovalCause } from '#contract/ipc/ipc.ts'

export interface Removals {
  /** Registers a function that drops data. It must not throw. */
  on(empty: (cause: RemovalCause) => void): void
  /** Calls every registered function, then notifies every window. */
  announce(cause: RemovalCause): void
}

/** @param announce Notifies every window; called after core has dropped its data, so that no window can request it. */
export function createRemovals(announce: (cause: RemovalCause) => void): Removals {
  const registered: ((cause: RemovalCause) => void)[] = []
  return {
    on: (empty) => void registered.push(empty),
    announce(cause) {
      for (const empty of registered) empty(cause)
      announce(cause)
    }
  }
}
