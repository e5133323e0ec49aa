/** The list of the work queue: which rows it has, which is active, and what comes after a decision. */
import { ref, type Ref } from 'vue'
import type { QueueFilter, QueueItem, QueueOrder } from '#contract/applicants/queue.ts'
import { keyOfItem } from './queue-address.ts'
import { useQueueRows, type QueueRows } from './queue-rows.ts'

export interface QueueList {
  readonly rows: QueueRows
  /** Index of the active row. */
  readonly active: Ref<number>
  activeItem(): QueueItem | undefined
  /** Reads another list, with the open item active if it is in it. */
  start(open: string | undefined): Promise<void>
  /** Reads the list again after a change; the active item stays active while it waits. */
  refresh(): Promise<void>
  /** The item to handle after `done`, which is active once this returns; undefined if nothing is left. */
  next(done: string): Promise<QueueItem | undefined>
}

/** @param asked The filter and order that are shown. */
export function useQueueList(asked: () => { readonly filter: QueueFilter; readonly order: QueueOrder }): QueueList {
  const rows = useQueueRows()
  const active = ref(0)
  const activeItem = (): QueueItem | undefined => rows.at(active.value)
  const load = async (find: string | undefined): ReturnType<QueueRows['load']> =>
    rows.load(asked().filter, asked().order, find)
  const within = (index: number): number => Math.max(0, Math.min(index, rows.total.value - 1))

  /** The item after a decision, and the row of the decided one: the next look finds it if this one is discarded. */
  let wanted: { readonly key: string; readonly from: number } | undefined

  async function refresh(): Promise<void> {
    const before = active.value
    // The user may have moved since the decision.
    if (wanted?.from !== before) wanted = undefined
    const item = activeItem()
    const answer = await load(wanted?.key ?? (item && keyOfItem(item)))
    if (!answer) return
    wanted = undefined
    // Or during this look.
    active.value = within(active.value === before ? (answer.found ?? before) : active.value)
  }
  return {
    rows,
    active,
    activeItem,
    start: async (open) => {
      wanted = undefined
      const answer = await load(open)
      if (answer) active.value = answer.found ?? 0
    },
    refresh,
    next: async (done) => {
      const here = active.value
      const item = activeItem()
      // The list may already have been read again without the item that is done.
      const after = item && keyOfItem(item) === done ? here + 1 : here
      const following = rows.at(after) ?? rows.at(here - 1)
      wanted = following && { key: keyOfItem(following), from: here }
      const answer = await load(wanted?.key)
      if (!answer) return following
      wanted = undefined
      active.value = within(answer.found ?? here)
      const next = activeItem()
      return next && keyOfItem(next) !== done ? next : undefined
    }
  }
}
