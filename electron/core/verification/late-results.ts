/** Results of single verifications that a full disk kept from being written: paid for, and otherwise lost with the window that shows them. */
import type { RecordEnding } from '#contract/history/records.ts'
import type { HistoryStore } from '#wire/history/store.ts'

export interface LateResults {
  add(store: HistoryStore, recordId: string, ending: RecordEnding): void
  /** Writes them; false if some still wait for space. One that fails for another reason stays unknown, as after a crash. */
  write(): Promise<boolean>
}

/** @param written Called after a result was written. */
export function createLateResults(written: () => void): LateResults {
  const waiting = new Map<string, { readonly store: HistoryStore; readonly ending: RecordEnding }>()
  return {
    add: (store, recordId, ending) => void waiting.set(recordId, { store, ending }),
    async write() {
      for (const [recordId, { store, ending }] of [...waiting]) {
        const done = await store.finish(recordId, ending)
        if (!done.ok && done.failure.code === 'disk-full') continue
        waiting.delete(recordId)
        if (done.ok) written()
      }
      return waiting.size === 0
    }
  }
}
