/** A session with sample data: adds the examples once the history is open, and knows how far that is. */
import type { SampleState } from '#contract/app/app-state.ts'
import { failure } from '#contract/failures/failures.ts'
import type { Router } from '#core/ipc/router.ts'
import type { FillParts } from './fill.ts'

export interface SampleSession {
  state(): SampleState
  /** Opens the history, as on the first of the days that it tells of. */
  open(work: () => Promise<void>): Promise<void>
  /** Adds the examples by the requests of a window; never rejects. */
  fill(handle: Router): Promise<void>
  /** Ends the filling, and waits for its step in progress. */
  stop(): Promise<void>
}

/** Steps between two events to the window. */
const announceEvery = 25

export function createSampleSession(
  parts: Omit<FillParts, 'handle' | 'signal' | 'progress'> & { readonly changed: () => void }
): SampleSession {
  const stopping = new AbortController()
  let state: SampleState = { done: 0, total: 1 }
  let filling: Promise<void> | undefined
  const progress = (next: SampleState): void => {
    state = next
    if (next.failure || next.done === next.total || next.done % announceEvery === 0) parts.changed()
  }
  const fill = async (handle: Router): Promise<void> => {
    try {
      // Loaded here only: no other session needs it.
      const { fillWithExamples } = await import('./fill.ts')
      await fillWithExamples({ ...parts, handle, signal: stopping.signal, progress })
    } catch {
      progress({ ...state, failure: failure('sample-incomplete', { reason: 'error' }) })
    }
  }
  return {
    state: () => state,
    async open(work) {
      const { sampleBeginning } = await import('./past.ts')
      return parts.hand.at(sampleBeginning(parts.hand.clock.now()), work)
    },
    fill: (handle) => (filling ??= fill(handle)),
    async stop() {
      stopping.abort()
      await filling
    }
  }
}
