/** The window's state of the history: changes, unknown outcomes, and requests for pages and records. */
import { useTimeoutFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { HistoryCounts, RecordDetail, Resolution } from '#contract/history/records.ts'
import type { HistoryFilter } from '#contract/history/queries.ts'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useRun } from '../verify/run-store.ts'

export const useHistory = defineStore('history', () => {
  /** Incremented with each change; views watch it. */
  const version = ref(0)
  const unresolved = ref(0)
  /** Number of records in the whole history. */
  const total = ref(0)
  /** The last filter, restored when the user returns. */
  const lastQuery = shallowRef<Record<string, unknown>>({})

  async function counts(filter: HistoryFilter): Promise<{ counts?: HistoryCounts; failure?: Failure }> {
    const answer = await ask('history.counts', { filter })
    if (!answer.ok) return { failure: answer.failure }
    unresolved.value = answer.value.unresolved
    if (Object.keys(filter).length === 0) total.value = answer.value.total
    return { counts: answer.value }
  }

  const lookAgain = useTimeoutFn(
    () => {
      version.value += 1
      void counts({})
    },
    150,
    { immediate: false }
  )
  /** A batch may change the history a hundred times a second; the window updates a few times. */
  function changed(): void {
    if (!lookAgain.isPending.value) lookAgain.start()
  }

  async function record(id: string, visit: string): Promise<{ record?: RecordDetail; failure?: Failure }> {
    const answer = await ask('history.record', { id, visit })
    return answer.ok ? { record: answer.value } : { failure: answer.failure }
  }

  async function resolve(
    id: string,
    as: Resolution,
    note: string
  ): Promise<{ record?: RecordDetail; failure?: Failure }> {
    const answer = await ask('history.resolve', { id, as, note })
    if (answer.ok) {
      changed()
      useRun().onResolved(answer.value)
    }
    return answer.ok ? { record: answer.value } : { failure: answer.failure }
  }

  onRemoval('history', () => {
    lastQuery.value = {}
    unresolved.value = 0
    total.value = 0
    changed()
  })

  return { version, unresolved, total, lastQuery, counts, changed, record, resolve }
})
