/** Selected rows of a table: single rows by their keys, or the whole result. */
import { maxSelectedRows } from '#contract/data-management/data-management.ts'
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'

export interface Selection<Item> {
  /** The single rows, in the order they were selected. Empty if the whole result is selected. */
  readonly items: ShallowRef<ReadonlyMap<string, Item>>
  readonly whole: Ref<boolean>
  /** Number of selected rows. */
  readonly size: ComputedRef<number>
  has(key: string): boolean
  toggle(index: number): void
  /** All rows from the one that was last selected singly. Returns false if these are too many; then nothing changes. */
  extend(index: number): Promise<boolean>
  /** All rows that are loaded, from the first on, as many as can be selected singly. */
  loaded(): void
  /** The whole result. */
  everything(): void
  clear(): void
  /** Rows were added above. */
  shift(rows: number): void
}

/** Rows that can be selected one by one or as a range. */
const mostSelected = maxSelectedRows

interface Source<Item> {
  readonly total: () => number
  /** Number of rows of the whole result, if not all of them are in the list yet. */
  readonly wholeTotal?: () => number
  readonly at: (index: number) => Item | undefined
  readonly keyOf: (item: Item) => string
  /** Loads the rows from the first to the last. */
  readonly load?: (first: number, last: number) => Promise<void>
}

export function useSelection<Item>({ total, wholeTotal = total, at, keyOf, load }: Source<Item>): Selection<Item> {
  const items = shallowRef<ReadonlyMap<string, Item>>(new Map())
  const whole = ref(false)
  /** The row that was last selected singly: where a range begins. */
  let anchor = 0

  const entries = (first: number, last: number): [string, Item][] => {
    const found: [string, Item][] = []
    for (let index = first; index <= last && found.length < mostSelected; index += 1) {
      const item = at(index)
      if (item !== undefined) found.push([keyOf(item), item])
    }
    return found
  }
  const set = (next: ReadonlyMap<string, Item>): void => {
    whole.value = false
    items.value = next
  }
  return {
    items,
    whole,
    size: computed(() => (whole.value ? wholeTotal() : items.value.size)),
    has: (key) => whole.value || items.value.has(key),
    toggle: (index) => {
      anchor = index
      const item = at(index)
      if (item === undefined) return
      const key = keyOf(item)
      // Of the whole result, the loaded rows but this one stay selected.
      const next = new Map(whole.value ? entries(0, total() - 1) : items.value)
      if (!next.delete(key)) next.set(key, item)
      if (next.size <= mostSelected) set(next)
    },
    extend: async (index) => {
      const [first, last] = [Math.min(anchor, index), Math.max(anchor, index)]
      if (last - first >= mostSelected) return false
      await load?.(first, last)
      set(new Map(entries(first, last)))
      return true
    },
    loaded: () => set(new Map(entries(0, total() - 1))),
    everything: () => {
      items.value = new Map()
      whole.value = true
    },
    clear: () => {
      if (items.value.size > 0) items.value = new Map()
      whole.value = false
    },
    shift: (rows) => void (anchor += rows)
  }
}
