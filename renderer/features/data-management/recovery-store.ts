/** The state of the recovery key, and whether the person has to do something about it. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { RecoveryState } from '#contract/data-management/data-management.ts'
import { ask } from '../../bridge.ts'
import { useApp } from '../shell/app-store.ts'
import { useDataManagement } from './data-management-store.ts'
import { useHistory } from '../history/history-store.ts'

export interface RecoveryFacts {
  /** The history is open and stored in files; in memory, a key would open nothing. */
  readonly onFile: boolean
  /** Records that would be lost. */
  readonly records: number
  readonly recovery: RecoveryState | undefined
}

/** Whether records would be lost with the keychain, because no copy of a recovery key was confirmed. */
export const isMissing = ({ onFile, records, recovery }: RecoveryFacts): boolean =>
  onFile && records > 0 && recovery !== undefined && !recovery.confirmed

export const useRecovery = defineStore('recovery', () => {
  const app = useApp()
  const dataManagement = useDataManagement()
  const history = useHistory()
  const state = shallowRef<RecoveryState>()
  /** Sample data are deleted at the end of their session, so a key would open nothing. */
  const onFile = computed(() => app.history.state === 'ready' && app.history.kept === 'file' && !app.state?.sample)
  const missing = computed(() => isMissing({ onFile: onFile.value, records: history.total, recovery: state.value }))
  async function load(): Promise<void> {
    const answer = await ask('recovery.state')
    if (answer.ok) state.value = answer.value
  }
  watch(
    [onFile, () => dataManagement.version],
    () => {
      if (onFile.value) void load()
    },
    { immediate: true }
  )
  const set = (next: RecoveryState): void => void (state.value = next)
  return { missing, set }
})
