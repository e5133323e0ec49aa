/** A list whose pages are appended on scrolling; each page contains the cursor for the next. */
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'

export interface PageOf<Item, Cursor> {
  readonly items: readonly Item[]
  /** Absent on the last page. */
  readonly next?: Cursor | undefined
}

export interface Pages<Item> {
  readonly items: ShallowRef<readonly Item[]>
  readonly failure: ShallowRef<Failure | undefined>
  /** False until the current query has its first answer. */
  readonly loaded: Ref<boolean>
  readonly more: ComputedRef<boolean>
  /** Starts a new query; the old content is shown until the answer arrives. */
  start(): Promise<void>
  /** Reloads after a change, up to the largest page. */
  again(): Promise<void>
  append(): Promise<void>
  /** Reports the last visible row. */
  reach(last: number): void
}

/** Rows below the visible area at which the next page is requested. */
const ahead = 40

/** @param largest Maximum number of rows in one answer. */
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
