/** What in administration needs the person: the reason of its mark in the side bar. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { BackupList } from '#contract/data-management/data-management.ts'
import { ask } from '../../bridge.ts'
import { useNow } from '../../kit/now.ts'
import { missingCredentials, useConnections } from '../connections/connections-store.ts'
import { useDataManagement } from '../data-management/data-management-store.ts'
import { useRecovery } from '../data-management/recovery-store.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

const hour = 3_600_000

/** Whether the newest backup is older than twice the schedule allows. @param hours Between backups; 0 for no schedule. */
export const isOverdue = (newestAt: number | undefined, hours: number, now: number): boolean =>
  hours > 0 && newestAt !== undefined && now - newestAt > 2 * hours * hour

export const useAdministration = defineStore('administration', () => {
  const app = useApp()
  const connections = useConnections()
  const dataManagement = useDataManagement()
  const recovery = useRecovery()
  const now = useNow(60_000)
  const backups = shallowRef<BackupList>()
  watch(
    [() => app.history.state, () => dataManagement.version],
    async ([state]) => {
      if (state !== 'ready' || app.state?.sample) return
      const answer = await ask('backups.list')
      backups.value = answer.ok ? answer.value : undefined
    },
    { immediate: true }
  )
  /** The first that applies; undefined if nothing does. */
  const reason = computed(() => {
    // What keeps people from working comes first.
    const refused = connections.all.filter((connection) => connection.refused).length
    if (refused > 0) return words.credentialsRefusedForConnections({ refused })
    if (recovery.missing) return words.recoveryKeyNotConfirmed
    if (backups.value?.lastFailure || isOverdue(backups.value?.backups[0]?.at, app.settings.backupHours, now.value))
      return words.backupOverdue
    const missing = connections.all.filter((connection) => missingCredentials(connection).length > 0).length
    return missing > 0 ? words.credentialsMissingForConnections({ missing }) : undefined
  })
  return { reason }
})
