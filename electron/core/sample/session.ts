/** A session with sample data: adds the examples once the history is open, and knows how far that is. */
import type { SampleState } from '#contract/app-state.ts'
import { failure } from '#contract/failures.ts'
import type { FillParts } from './fill.ts'

export interface SampleSession {
  state(): SampleState
  /** Adds the examples; never rejects. */
  fill(): Promise<void>
  /** Ends the filling, and waits for its step in progress. */
  stop(): Promise<void>
}

/** Steps between two events to the window. */
const announceEvery = 5

export function createSampleSession(
  parts: Omit<FillParts, 'signal' | 'progress'> & { readonly changed: () => void }
): SampleSession {
  const stopping = new AbortController()
  let state: SampleState = { done: 0, total: 1 }
  let filling: Promise<void> | undefined
  const progress = (next: SampleState): void => {
    state = next
    if (next.failure || next.done === next.total || next.done % announceEvery === 0) parts.changed()
  }
  const fill = async (): Promise<void> => {
    try {
      // Loaded here only: no other session needs it.
      const { fillWithExamples } = await import('./fill.ts')
      await fillWithExamples({ ...parts, signal: stopping.signal, progress })
    } catch {
      progress({ ...state, failure: failure('sample-incomplete', { reason: 'error' }) })
    }
  }
  return {
    state: () => state,
    fill: () => (filling ??= fill()),
    async stop() {
      stopping.abort()
      await filling
    }
  }
}
