/** The open history, for the parts of batches. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { BatchStore } from '#wire/history/batches.ts'
import type { HistoryStore } from '#wire/history/store.ts'

export type Answer<T> = Promise<Result<T, Failure>>

export interface HistoryParts {
  history(): Answer<HistoryStore>
}

/** Asks the open history, or says why there is none. */
export async function inHistory<T>(parts: HistoryParts, ask: (history: HistoryStore) => Answer<T>): Answer<T> {
  const history = await parts.history()
  return history.ok ? ask(history.value) : history
}

/** Asks the batches of the open history. */
export const inBatches = <T>(parts: HistoryParts, ask: (store: BatchStore) => Answer<T>): Answer<T> =>
  inHistory(parts, ({ batches }) => ask(batches))
