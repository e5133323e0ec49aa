/** The frame: what the core says of itself, the settings, and what is told to the person in passing. */
import { usePreferredDark } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watchEffect } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { AppState } from '#contract/app-state.ts'
import { settingsDefaults } from '#contract/settings-defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { whatToDo } from '../lib/failure-text.ts'
import { ask } from '../bridge.ts'
import { undoKeys } from '../lib/keys.ts'
import { onRemoval } from '../lib/removal.ts'

/** A short confirmation at the window's foot. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'warning'
  readonly undo?: () => void
}

interface ToastOptions {
  readonly tone?: Toast['tone']
  readonly undo?: () => void
  /** Seconds that the undo is offered. */
  readonly undoFor?: number
}

const toastStays = 6000

/** The ways to a history where the usual one does not open. */
export type HistoryOpening = 'history.tryAgain' | 'history.openForSession' | 'history.setAside'

export const useApp = defineStore('app', () => {
  const state = shallowRef<AppState>()
  const failure = shallowRef<Failure>()
  const dismissed = ref<readonly Failure[]>([])
  const toast = shallowRef<Toast>()
  /** Read out by screen readers; see LiveRegion. */
  const announced = ref('')
  let toastNumber = 0
  let toastTimer: ReturnType<typeof setTimeout> | undefined

  const settings = computed<Settings>(() => state.value?.settings ?? settingsDefaults)
  const notices = computed(() => (state.value?.notices ?? []).filter((notice) => !dismissed.value.includes(notice)))
  const history = computed(() => state.value?.history ?? { state: 'opening' as const })
  const keychain = computed(() => state.value?.keychain ?? 'unchecked')

  async function load(): Promise<void> {
    const answer = await ask('app.state')
    if (answer.ok) take(answer.value)
    else failure.value = answer.failure
  }

  /** Whichever way a state came, as an event or as an answer: one that was overtaken on its way is not taken. */
  function take(next: AppState): void {
    if (state.value && next.number <= state.value.number) return
    // Notices are the same objects only by their content: a dismissed one must not come back with each event.
    const gone = new Set(dismissed.value.map((notice) => JSON.stringify(notice)))
    state.value = next
    dismissed.value = next.notices.filter((notice) => gone.has(JSON.stringify(notice)))
  }

  async function change(patch: Partial<Settings>): Promise<Failure | undefined> {
    const answer = await ask('settings.change', patch)
    if (!answer.ok) return answer.failure
    take(answer.value)
    return undefined
  }

  async function tryKeychain(): Promise<Failure | undefined> {
    const answer = await ask('keychain.tryAgain')
    if (!answer.ok) return answer.failure
    take(answer.value)
    return undefined
  }

  async function openHistory(how: HistoryOpening): Promise<Failure | undefined> {
    const answer = await ask(how)
    if (!answer.ok) return answer.failure
    take(answer.value)
    return undefined
  }

  /** Shows and reads out a short confirmation, with an undo where there is one. */
  function showToast(text: string, { tone = 'plain', undo, undoFor = 12 }: ToastOptions = {}): void {
    clearTimeout(toastTimer)
    toastNumber += 1
    toast.value = { id: toastNumber, text, tone, ...(undo && { undo }) }
    // Whoever hears it is far from the button in the order of the keys.
    announce(undo ? `${text.replace(/\.$/, '')}. Press ${undoKeys.join(' ')} to undo.` : text)
    toastTimer = setTimeout(dismissToast, undo ? undoFor * 1000 : toastStays)
  }

  /** Does what the message offers to undo; false where it offers nothing. */
  function undo(): boolean {
    const offered = toast.value?.undo
    if (!offered) return false
    dismissToast()
    offered()
    return true
  }

  function dismissToast(): void {
    clearTimeout(toastTimer)
    toast.value = undefined
  }

  function announce(text: string): void {
    // The same text twice must still be a change, else nothing is read out.
    announced.value = announced.value === text ? `${text}\u00a0` : text
  }

  function dismiss(notice: Failure): void {
    dismissed.value = [...dismissed.value, notice]
  }

  /** Copies through the core, which holds the clipboard. */
  async function copy(text: string, what: string): Promise<void> {
    const answer = await ask('app.copy', { text })
    if (answer.ok) showToast(`${what} copied`)
    else showToast(whatToDo(answer.failure), { tone: 'warning' })
  }

  /** Puts theme and density on the document; called once by the root. */
  function dress(): void {
    const systemDark = usePreferredDark()
    watchEffect(() => {
      const { theme, density } = settings.value
      document.documentElement.dataset['theme'] = theme === 'system' ? (systemDark.value ? 'dark' : 'light') : theme
      document.documentElement.dataset['density'] = density
    })
  }

  // Messages quote what was done, and an undo holds what was there before. Failures and settings name nobody.
  onRemoval('app', () => {
    dismissToast()
    announced.value = ''
  })

  return {
    state, failure, settings, notices, history, keychain, toast, announced,
    load, take, change, tryKeychain, openHistory, showToast, undo, dismissToast, announce, dismiss, copy, dress
  }
})
