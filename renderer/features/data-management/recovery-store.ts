/** The state of the recovery key, and the reminder of it. */
import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import type { RecoveryState } from '#contract/data-management/data-management.ts'
import { ask } from '../../bridge.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { useNow } from '../../kit/now.ts'
import { useApp } from '../shell/app-store.ts'
import { useDataManagement } from './data-management-store.ts'
import { useHistory } from '../history/history-store.ts'
import { words } from './words.ts'

/** Milliseconds for which the reminder can be put off. */
export const snoozeTime = 7 * 86_400_000

export interface ReminderFacts {
  /** The history is open and stored in files; in memory, a key would open nothing. */
  readonly onFile: boolean
  /** Records that would be lost. */
  readonly records: number
  readonly recovery: RecoveryState | undefined
  readonly snoozedUntil: number
  readonly now: number
}

/** The sentence; undefined if there is nothing to remind of. */
export function recoveryReminder({ onFile, records, recovery, snoozedUntil, now }: ReminderFacts): string | undefined {
  // A clock that was set back must not put it off for longer.
  const snoozed = snoozedUntil > now && snoozedUntil - now <= snoozeTime
  if (!onFile || records === 0 || !recovery || recovery.confirmed || snoozed) return undefined
  return recovery.exists ? words.thereIsARecoveryKeyBut : words.thereIsNoRecoveryKeyIf
}

export const useRecovery = defineStore('recovery', () => {
  const app = useApp()
  const dataManagement = useDataManagement()
  const history = useHistory()
  const state = shallowRef<RecoveryState>()
  const now = useNow(60_000)
  /** Sample data are deleted at the end of their session, so a key would open nothing. */
  const onFile = computed(() => app.history.state === 'ready' && app.history.kept === 'file' && !app.state?.sample)

  const reminder = computed(() =>
    recoveryReminder({
      onFile: onFile.value,
      records: history.total,
      recovery: state.value,
      snoozedUntil: app.settings.recoverySnoozedUntil,
      now: now.value
    })
  )
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
  /** Puts the reminder off for a week. */
  async function snooze(): Promise<void> {
    const refused = await app.change({ recoverySnoozedUntil: now.value + snoozeTime })
    if (refused) app.showToast(whatToDo(refused), { tone: 'warning' })
    else app.showToast(words.youWillBeRemindedIn)
  }
  const set = (next: RecoveryState): void => void (state.value = next)
  return { reminder, set, snooze }
})
