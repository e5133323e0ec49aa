/** The batch being created: kept while the user is on other pages, dropped when it is created or discarded. */
import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { BatchSummary, TableFormat } from '#contract/batches/batches.ts'
import { whatHappened, whatToDo } from '../../kit/failure-text.ts'
import { ask, listen } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApp } from '../shell/app-store.ts'
import { useDrafts } from '../shell/drafts-store.ts'
import { useDraftCounts } from './batch-draft-counts.ts'
import { useDraftReading } from './batch-draft-reading.ts'
import { createDraftState } from './batch-draft-state.ts'
import { savedRows } from './batch-words.ts'
import { useBatches } from './batches-store.ts'
import { words } from './words.ts'

export const useBatchDraft = defineStore('batch-draft', () => {
  const app = useApp()
  const batches = useBatches()
  const state = createDraftState()
  const { check, order, refused } = state
  const making = ref(false)
  const saving = ref(false)
  const { forget: forgetCounts, onCount, ...counts } = useDraftCounts(state)
  const { forget: forgetQuestion, ...rows } = useDraftReading(state)

  async function make(connectionId: string, another = false): Promise<BatchSummary | undefined> {
    if (!check.value || making.value) return undefined
    making.value = true
    const answer = await ask('batches.create', {
      checkId: check.value.checkId,
      connectionId,
      ...order.value,
      ...(another && { another: true })
    })
    making.value = false
    refused.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) {
      app.announce(whatHappened(answer.failure))
      return undefined
    }
    clear()
    return batches.take(answer.value)
  }
  /** Saves the invalid rows with their errors, to be fixed and read again. */
  async function saveInvalid(format: TableFormat): Promise<void> {
    if (!check.value || saving.value) return
    saving.value = true
    const answer = await ask('batches.saveInvalid', { checkId: check.value.checkId, format })
    saving.value = false
    if (!answer.ok) app.showToast(whatToDo(answer.failure), { tone: 'warning' })
    else if (answer.value) app.showToast(...savedRows(answer.value, words.invalidRowsSavedAsPath))
  }
  function clear(): void {
    forgetQuestion()
    state.clear()
  }

  useDrafts().keep('batch', state.kept)
  listen((event) => void (event.kind === 'recent-duplicates-progress' && onCount(event)))
  onRemoval('batch-draft', () => {
    clear()
    forgetCounts()
  })

  const { wanted: _, asking: __, clear: ___, kept: ____, ...shown } = state
  return { ...shown, ...counts, ...rows, making, saving, saveInvalid, make, clear }
})
