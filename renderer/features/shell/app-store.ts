/** State of the frame: core's state, the settings, toasts and announcements. */
import { usePreferredDark } from '@vueuse/core'
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watch, watchEffect } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { AppState } from '#contract/app/app-state.ts'
import { settingsDefaults } from '#contract/settings/defaults.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { whatToDo } from '../../kit/failure-text.ts'
import { ask } from '../../bridge.ts'
import { useFormats } from '../../kit/formats.ts'
import { hideFields } from '../../kit/hidden-fields.ts'
import { undoKeys } from '../../kit/keys.ts'
import { onRemoval } from '../../kit/removal.ts'
import { conceal, isHidden, setHidden } from '../../kit/screen-share.ts'
import { words } from './words.ts'

/** A short confirmation at the bottom of the window. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'warning'
  readonly undo?: () => void
  /** When it appeared, on the page's clock. */
  readonly at: number
}

interface ToastOptions {
  readonly tone?: Toast['tone']
  readonly undo?: () => void
  /** Seconds for which the undo is offered; until it is used or dismissed if absent. */
  readonly undoFor?: number
}

const toastStays = 6000

/** Ways to open a history if the usual one does not open. */
export type HistoryOpening = 'history.tryAgain' | 'history.openForSession' | 'history.setAside'

/** Short confirmations, one at a time, and what is read out. */
function useToasts() {
  const toast = shallowRef<Toast>()
  /** Read out by screen readers; see LiveRegion. */
  const announced = ref('')
  let toastNumber = 0
  /** Milliseconds; undefined until it is dismissed. */
  let stays: number | undefined
  let toastTimer: ReturnType<typeof setTimeout> | undefined

  /** Shows and announces a short confirmation, with an optional undo. */
  function showToast(text: string, { tone = 'plain', undo, undoFor }: ToastOptions = {}): void {
    clearTimeout(toastTimer)
    toastNumber += 1
    toast.value = { id: toastNumber, text, tone, at: performance.now(), ...(undo && { undo }) }
    stays = undo ? (undoFor === undefined ? undefined : undoFor * 1000) : toastStays
    // For a screen reader user the button is many tab stops away.
    announce(
      undo ? words.replacePressUndokeysToUndo({ replace: text.replace(/\.$/, ''), undoKeys: undoKeys.join(' ') }) : text
    )
    releaseToast()
  }

  /** While somebody points at it or is in it, it stays. */
  const holdToast = (): void => clearTimeout(toastTimer)
  function releaseToast(): void {
    clearTimeout(toastTimer)
    if (toast.value && stays !== undefined) toastTimer = setTimeout(dismissToast, stays)
  }

  /** Runs the undo that the toast offers; false if it offers none. */
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
    // The same text twice must still be a change, otherwise it is not announced.
    announced.value = announced.value === text ? `${text}\u00a0` : text
  }

  /** Nothing of what was said stays. */
  function silence(): void {
    dismissToast()
    announced.value = ''
  }

  return { toast, announced, showToast, holdToast, releaseToast, undo, dismissToast, announce, silence }
}

export const useApp = defineStore('app', () => {
  const state = shallowRef<AppState>()
  const failure = shallowRef<Failure>()
  const dismissed = ref<readonly Failure[]>([])
  const toasts = useToasts()
  const { showToast, announce, silence } = toasts

  const settings = computed<Settings>(() => state.value?.settings ?? settingsDefaults)
  const notices = computed(() => (state.value?.notices ?? []).filter((notice) => !dismissed.value.includes(notice)))
  const history = computed(() => state.value?.history ?? { state: 'opening' as const })
  /** Why nothing is decided now. */
  const rulesRefusal = computed(() => state.value?.rulesRefusal)
  const keychain = computed(() => state.value?.keychain ?? 'unchecked')

  async function load(): Promise<void> {
    failure.value = taken(await ask('app.state')) ?? failure.value
  }

  /** States arrive as events and as answers; an outdated one is ignored. */
  function take(next: AppState): void {
    if (state.value && next.number <= state.value.number) return
    // Notices are compared by content: a dismissed one must not reappear with each event.
    const gone = new Set(dismissed.value.map((notice) => JSON.stringify(notice)))
    state.value = next
    // While it is being switched on, an older state must show nothing again.
    if (!hiding) setHidden(next.screenShare.on)
    dismissed.value = next.notices.filter((notice) => gone.has(JSON.stringify(notice)))
  }

  /** Changes of settings in progress. */
  let saving: Promise<unknown> = Promise.resolve()
  function change(patch: Partial<Settings>): Promise<Failure | undefined> {
    const changed = ask('settings.change', patch).then(taken)
    saving = Promise.allSettled([saving, changed])
    return changed
  }
  /** Resolves when the changes so far apply or are refused. Whatever follows a setting waits for this before it reads it. */
  const settingsSaved = (): Promise<unknown> => saving

  /** Locks the console; core then empties the window. */
  async function lock(): Promise<void> {
    const answer = await ask('lock.now')
    if (!answer.ok) showToast(whatToDo(answer.failure), { tone: 'warning' })
  }

  const taken = (answer: Result<AppState, Failure>): Failure | undefined => {
    if (!answer.ok) return answer.failure
    take(answer.value)
    return undefined
  }
  const tryKeychain = async (): Promise<Failure | undefined> => taken(await ask('keychain.tryAgain'))
  const openHistory = async (how: HistoryOpening): Promise<Failure | undefined> => taken(await ask(how))

  /** Whether the mode is being switched on: the window hides at once, and core follows. */
  let hiding = false
  async function switchScreenShare(on: boolean): Promise<void> {
    if (on) {
      hiding = true
      setHidden(true)
      silence()
    }
    const answer = await ask('screenShare.switch', { on })
    hiding = false
    if (!answer.ok) return showToast(whatToDo(answer.failure), { tone: 'warning' })
    take(answer.value)
    announce(on ? words.screenShareModeIsOn : words.screenShareModeIsOff)
  }
  const toggleScreenShare = (): Promise<void> => switchScreenShare(!isHidden.value)

  function dismiss(notice: Failure): void {
    dismissed.value = [...dismissed.value, notice]
  }

  /** Copies through core, which controls the clipboard. */
  async function copy(text: string, what: string): Promise<void> {
    const answer = await ask('app.copy', { text })
    if (answer.ok) showToast(words.copiedWhat({ what }))
    else showToast(whatToDo(answer.failure), { tone: 'warning' })
  }

  /** Applies theme, density, formats and screen-share mode to the document; called once by the root. */
  function applyAppearance(): void {
    watch(isHidden, hideFields, { immediate: true, flush: 'sync' })
    const systemDark = usePreferredDark()
    watchEffect(() => {
      const { theme, density } = settings.value
      useFormats(settings.value)
      document.documentElement.dataset['theme'] = theme === 'system' ? (systemDark.value ? 'dark' : 'light') : theme
      document.documentElement.dataset['density'] = density
    })
  }

  // Toasts quote actions, and an undo holds previous values. Failures and settings name nobody.
  onRemoval('app', () => {
    conceal()
    silence()
  })

  return {
    state,
    failure,
    settings,
    notices,
    history,
    rulesRefusal,
    keychain,
    ...toasts,
    load,
    take,
    change,
    settingsSaved,
    lock,
    tryKeychain,
    openHistory,
    switchScreenShare,
    toggleScreenShare,
    dismiss,
    copy,
    applyAppearance
  }
})
