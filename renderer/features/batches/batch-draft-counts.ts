/** How many requests a batch being created leads to: some rows were answered recently, or are left out. */
import { computed, ref, shallowRef, watch } from 'vue'
import type { RecentDuplicates } from '#contract/batches/batches.ts'
import { ask } from '../../bridge.ts'
import { useConnections } from '../connections/connections-store.ts'
import { useApp } from '../shell/app-store.ts'
import type { DraftState } from './batch-draft-state.ts'

export function useDraftCounts({
  check,
  order,
  operations,
  choosesEncoding
}: Pick<DraftState, 'check' | 'order' | 'operations' | 'choosesEncoding'>) {
  const app = useApp()
  const connections = useConnections()
  /** Rows recently answered at the chosen connection; undefined while they have not been counted. */
  const recentDuplicates = shallowRef<RecentDuplicates>()
  /** Rows read by the count so far, while it runs. */
  const counting = ref<number>()

  /** Rows to send, before any is skipped because of an earlier answer. */
  const sendable = computed(() => {
    if (!check.value || choosesEncoding.value) return 0
    return check.value.good - (order.value.skipDuplicates ? check.value.duplicates : 0)
  })
  /** The number of those rows that were recently answered. */
  const recentlyAnswered = computed(
    () =>
      recentDuplicates.value &&
      recentDuplicates.value.rows + (order.value.skipDuplicates ? 0 : recentDuplicates.value.duplicates)
  )
  const skipsRecent = computed(() => order.value.skipRecent && app.settings.spendGuardMinutes > 0)
  /** An upper limit while recently answered rows are not counted. */
  const rowsToSend = computed(() => sendable.value - Math.max(skippedRecent.value, leftOut.value))
  const requests = computed(() => rowsToSend.value * operations.value.length)
  const skippedRecent = computed(() => (skipsRecent.value ? (recentlyAnswered.value ?? 0) : 0))
  /** Rows in whose links a check found something, and how many of them are left out. */
  const found = ref(0)
  const setFound = (rows: number): void => void (found.value = rows)
  const leftOut = computed(() => (order.value.skipFound ? found.value : 0))
  // The same row may be left out for both reasons, and a row with several operations may stop early.
  const atMost = computed(
    () =>
      operations.value.length > 1 ||
      (skipsRecent.value && recentDuplicates.value === undefined) ||
      (skippedRecent.value > 0 && leftOut.value > 0)
  )

  /**
   * Counts recently answered rows after each validation and each change of connection or guard period; the latest wins.
   */
  watch(
    [check, () => connections.current?.id, () => app.settings.spendGuardMinutes],
    async ([checked, connectionId, minutes]) => {
      recentDuplicates.value = undefined
      counting.value = undefined
      if (!checked || connectionId === undefined || minutes === 0 || checked.good === 0) return
      counting.value = 0
      const answer = await ask('batches.recentDuplicates', { checkId: checked.checkId, connectionId })
      if (
        check.value !== checked ||
        connections.current?.id !== connectionId ||
        app.settings.spendGuardMinutes !== minutes
      )
        return
      counting.value = undefined
      recentDuplicates.value = answer.ok ? (answer.value ?? undefined) : undefined
    }
  )
  function onCount({ checkId, rows }: { readonly checkId: string; readonly rows: number }): void {
    if (counting.value !== undefined && check.value?.checkId === checkId) counting.value = rows
  }

  function forget(): void {
    recentDuplicates.value = undefined
    counting.value = undefined
    found.value = 0
  }

  /** Those of them that occur in the file for the first time. */
  const recentRows = computed(() => recentDuplicates.value?.rows)

  return { rowsToSend, requests, atMost, recentRows, setFound, recentlyAnswered, counting, onCount, forget }
}
