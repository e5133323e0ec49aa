/** A list whose pages are appended as the person scrolls; each page says where the next begins. */
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'

export interface PageOf<Item, Cursor> {
  readonly items: readonly Item[]
  /** Absent on the last page. */
  readonly next?: Cursor | undefined
}

export interface Pages<Item> {
  readonly items: ShallowRef<readonly Item[]>
  readonly failure: ShallowRef<Failure | undefined>
  /** False until the first answer to the present question. */
  readonly loaded: Ref<boolean>
  readonly more: ComputedRef<boolean>
  /** Asks a new question from its beginning; what is shown stays until the answer is here. */
  start(): Promise<void>
  /** Looks again after a change, as far as the largest page goes. */
  again(): Promise<void>
  append(): Promise<void>
  /** Says up to which row is on screen. */
  reach(last: number): void
}

/** Rows below the screen from which the next page is asked for. */
const ahead = 40

/** @param largest The most rows that one answer may hold. */
export function usePages<Item, Cursor>(
  ask: (limit: number, after: Cursor | undefined) => Promise<Result<PageOf<Item, Cursor>, Failure>>,
  size = 100,
  largest = 200
): Pages<Item> {
  const items = shallowRef<readonly Item[]>([])
  const failure = shallowRef<Failure>()
  const loaded = ref(false)
  const next = shallowRef<Cursor>()
  let question = 0
  let appending = false

  async function load(limit: number): Promise<void> {
    const mine = ++question
    const answer = await ask(limit, undefined)
    if (mine !== question) return
    appending = false
    loaded.value = true
    failure.value = answer.ok ? undefined : answer.failure
    items.value = answer.ok ? answer.value.items : []
    next.value = answer.ok ? answer.value.next : undefined
  }
  async function append(): Promise<void> {
    const after = next.value
    if (after === undefined || appending) return
    const mine = question
    appending = true
    const answer = await ask(size, after)
    if (mine !== question) return
    appending = false
    failure.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) return
    items.value = [...items.value, ...answer.value.items]
    next.value = answer.value.next
  }

  return {
    items,
    failure,
    loaded,
    more: computed(() => next.value !== undefined),
    start: () => {
      loaded.value = false
      return load(size)
    },
    again: () => load(Math.min(largest, Math.max(size, items.value.length))),
    append,
    reach: (last) => {
      if (last > items.value.length - ahead) void append()
    }
  }
}
