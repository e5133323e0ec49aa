/**
 * Keeps the input of unfinished forms across restarts: core stores it sealed. Drafts of texts that belong to no other
 * store are held here, by a name such as `tag APP-1`.
 */
import { useEventListener, useTimeoutFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import {
  computed,
  reactive,
  ref,
  shallowReactive,
  shallowRef,
  watch,
  type Reactive,
  type WritableComputedRef
} from 'vue'
import { ask } from '../../bridge.ts'
import { onRemoval } from '../../kit/removal.ts'
import { useApp } from './app-store.ts'
import { useApplicantDrafts } from '../applicants/applicant-drafts-store.ts'
import { useDecideMany } from '../applicants/decide-many-store.ts'
import { useRun } from '../verify/run-store.ts'

/** Milliseconds without a change, after which drafts are stored. */
const pause = 600

/** Longer texts are not kept: all drafts together have a limit. */
const longestText = 50_000

/** A form whose input is kept. */
export interface KeptForm<T extends object> {
  readonly form: Reactive<T>
  /** Returns the form to its first values, and keeps nothing of it. */
  drop(): void
  /** Keeps nothing of it until it is changed again; the form stays as it is. */
  forget(): void
}

/** Every store with drafts: what of it is kept, and how it is restored. Input typed since the start is never replaced. */
interface Source {
  readonly take: () => unknown
  readonly restore: (kept: never) => void
}

/**
 * A form that is kept under a name while it differs from its first values. Call it in a component's setup.
 * @param fresh The first values: what JSON can hold.
 */
function keptForm<T extends object>(texts: Map<string, string>, name: string, fresh: T): KeptForm<T> {
  const first = JSON.stringify(fresh)
  const form = reactive(JSON.parse(first) as T)
  let written = first
  watch(
    () => texts.get(name),
    (kept) => {
      if (kept === undefined || kept === written) return
      const known = new Set(Object.keys(fresh))
      Object.assign(form, Object.fromEntries(Object.entries(parsed(kept)).filter(([key]) => known.has(key))))
      written = kept
    },
    { immediate: true }
  )
  watch(
    form,
    () => {
      written = JSON.stringify(form)
      if (written === first) texts.delete(name)
      else texts.set(name, written)
    },
    { deep: true, flush: 'sync' }
  )
  const forget = (): void => void texts.delete(name)
  return {
    form,
    forget,
    drop() {
      Object.assign(form, JSON.parse(first) as T)
      forget()
    }
  }
}

/** Where a person was when the window was locked. */
export interface LeftPlace {
  readonly path: string
  /** What had the focus: its element's name, its text or label, and its number among those alike. */
  readonly focus?: readonly [tag: string, text: string, at: number]
}

export const useDrafts = defineStore('drafts', () => {
  const app = useApp()
  const texts = reactive(new Map<string, string>())
  /** Where the person is while a lock begins. */
  const left = shallowRef<LeftPlace>()
  /** Where the person was when the window was locked, kept with the drafts until they are back. */
  const back = shallowRef<LeftPlace>()
  /** Whether the earlier drafts of this history have been read. */
  const isRead = ref(false)
  const sources = shallowReactive<Record<string, Source>>({
    verifications: useRun().kept,
    applicants: useApplicantDrafts().kept,
    decideMany: useDecideMany().kept,
    left: { take: () => left.value ?? back.value, restore: (kept: LeftPlace) => void (back.value = kept) },
    texts: {
      take: () => [...texts].filter(([, text]) => text.length <= longestText),
      restore: (kept: readonly (readonly [string, string])[]) =>
        kept.forEach(([name, text]) => texts.has(name) || texts.set(name, text))
    }
  })
  /** Drafts of stores that no page has needed yet: kept as they are. */
  const waiting = shallowReactive(new Map<string, unknown>())
  /** Until the earlier drafts have been read, nothing may replace them. */
  let round: string | undefined
  const taken = (): Record<string, unknown> => ({
    ...Object.fromEntries(waiting),
    ...Object.fromEntries(Object.entries(sources).map(([name, { take }]) => [name, take()]))
  })
  const snapshot = (): string => JSON.stringify(taken())
  let empty = snapshot()
  let stored = ''

  /** Keeps what a store has from now on; what was kept of it is restored. @param name The same in every session. */
  function keep(name: string, source: Source): void {
    const nothing = source.take()
    sources[name] = source
    empty = JSON.stringify({ ...(JSON.parse(empty) as object), [name]: nothing })
    if (waiting.has(name)) source.restore(waiting.get(name) as never)
    waiting.delete(name)
  }

  async function store(): Promise<void> {
    if (round === undefined) return
    const now = snapshot()
    const text = now === empty ? '' : now
    if (text === stored) return
    stored = text
    const mine = round
    const answer = await ask('drafts.keep', { round, text })
    // Personal data was removed meanwhile; if the window has heard of it, it has read the new round already.
    if (answer.ok && !answer.value && round === mine) await read()
  }
  const later = useTimeoutFn(() => void store(), pause, { immediate: false })

  async function read(): Promise<void> {
    const answer = await ask('drafts.read')
    isRead.value = true
    if (!answer.ok) return
    round = answer.value.round
    stored = answer.value.text ?? ''
    try {
      const kept = JSON.parse(stored || '{}') as Readonly<Record<string, never>>
      for (const [name, draft] of Object.entries(kept)) {
        const source = sources[name]
        if (source) source.restore(draft)
        else waiting.set(name, draft)
      }
    } catch {
      // A later version wrote them in another form: they are replaced with the next change.
    }
    later.start()
  }
  watch(
    () => app.history.state,
    (state) => {
      if (state === 'ready' && round === undefined) void read()
    },
    { immediate: true }
  )
  watch(snapshot, () => later.start())
  // What was typed just before the window is closed.
  useEventListener('pagehide', () => void store())

  /** A text that is kept under a name until it is emptied. */
  const textOf = (name: () => string): WritableComputedRef<string> =>
    computed({
      get: () => texts.get(name()) ?? '',
      set: (text) => {
        if (text === '') texts.delete(name())
        else texts.set(name(), text)
      }
    })

  const formOf = <T extends object>(name: string, fresh: T): KeptForm<T> => keptForm(texts, name, fresh)

  onRemoval('drafts', () => {
    texts.clear()
    waiting.clear()
    left.value = undefined
    back.value = undefined
    isRead.value = false
    later.stop()
    round = undefined
    stored = ''
    if (app.history.state === 'ready') void read()
  })
  /** Stores at once what was typed, before the window is emptied. */
  const flush = (): Promise<void> => {
    later.stop()
    return store()
  }
  return { texts, textOf, formOf, keep, flush, left, back, isRead }
})

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
