/** The frame: what the core says of itself, the settings, and what is told to the person in passing. */
import { defineStore } from 'pinia'
import { computed, ref, shallowRef, watchEffect } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { AppState } from '#contract/ipc.ts'
import { settingsDefaults } from '#contract/settings-defaults.ts'
import type { Settings } from '#contract/settings.ts'
import { ask } from '../bridge.ts'
import { undoKeys } from '../lib/keys.ts'
import { onRemoval } from '../lib/removal.ts'

/** A short confirmation at the window's foot. */
export interface Word {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'warning'
  readonly undo?: () => void
}

interface WordOptions {
  readonly tone?: Word['tone']
  readonly undo?: () => void
  /** Seconds that the undo is offered. */
  readonly undoFor?: number
}

const wordStays = 6000

/** The ways to a history where the usual one does not open. */
export type HistoryOpening = 'history.tryAgain' | 'history.openForSitting' | 'history.setAside'

export const useApp = defineStore('app', () => {
  const state = shallowRef<AppState>()
  const failure = shallowRef<Failure>()
  const dismissed = ref<readonly Failure[]>([])
  const word = shallowRef<Word>()
  /** Read out by screen readers; see LiveRegion. */
  const announced = ref('')
  let wordNumber = 0
  let wordTimer: ReturnType<typeof setTimeout> | undefined

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
    // Notices are the same objects only by their words: a dismissed one must not come back with each event.
    const gone = new Set(dismissed.value.map((notice) => notice.code + notice.what))
    state.value = next
    dismissed.value = next.notices.filter((notice) => gone.has(notice.code + notice.what))
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
  function say(text: string, { tone = 'plain', undo, undoFor = 12 }: WordOptions = {}): void {
    clearTimeout(wordTimer)
    wordNumber += 1
    word.value = { id: wordNumber, text, tone, ...(undo && { undo }) }
    // Whoever hears it is far from the button in the order of the keys.
    announce(undo ? `${text.replace(/\.$/, '')}. ${undoKeys.join(' ')} undoes it.` : text)
    wordTimer = setTimeout(hush, undo ? undoFor * 1000 : wordStays)
  }

  /** Does what the message offers to undo; false where it offers nothing. */
  function undo(): boolean {
    const offered = word.value?.undo
    if (!offered) return false
    hush()
    offered()
    return true
  }

  function hush(): void {
    clearTimeout(wordTimer)
    word.value = undefined
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
    if (answer.ok) say(`${what} copied`)
    else say(`${answer.failure.what} ${answer.failure.todo}`, { tone: 'warning' })
  }

  /** Puts theme and density on the document; called once by the root. */
  function dress(): void {
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const systemDark = ref(dark.matches)
    dark.addEventListener('change', () => (systemDark.value = dark.matches))
    watchEffect(() => {
      const { theme, density } = settings.value
      document.documentElement.dataset['theme'] = theme === 'system' ? (systemDark.value ? 'dark' : 'light') : theme
      document.documentElement.dataset['density'] = density
    })
  }

  // Messages quote what was done, and an undo holds what was there before. Failures and settings name nobody.
  onRemoval('app', () => {
    hush()
    announced.value = ''
  })

  return {
    state, failure, settings, notices, history, keychain, word, announced,
    load, take, change, tryKeychain, openHistory, say, undo, hush, announce, dismiss, copy, dress
  }
})
