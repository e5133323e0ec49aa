/** The rows of the work queue: requested in blocks as they come into view. */
import { ref, shallowRef, type Ref, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import {
  maxQueuePage,
  type QueueFacets,
  type QueueFilter,
  type QueueItem,
  type QueueOrder,
  type QueuePage
} from '#contract/applicants/queue.ts'
import { ask } from '../../bridge.ts'
import { queuedOf } from './queue-address.ts'

const block = maxQueuePage / 2

export interface QueueRows {
  readonly total: Ref<number>
  readonly facets: ShallowRef<QueueFacets | undefined>
  readonly failure: ShallowRef<Failure | undefined>
  /** If nothing waits: the next due date. */
  readonly nextDue: ShallowRef<QueuePage['nextDue']>
  /** False until the first answer. */
  readonly loaded: Ref<boolean>
  at(index: number): QueueItem | undefined
  /**
   * Reads the rows in view, with another filter or order or again after a change. `found` is the place of an item, if it
   * is in the list. Undefined if it failed, or a later call was faster.
   */
  load(
    filter: QueueFilter,
    order: QueueOrder,
    find?: string
  ): Promise<{ readonly found?: number | undefined } | undefined>
  /** The rows that are in view. */
  want(first: number, last: number): void
  /** Reads rows that may not be in view. */
  reach(first: number, last: number): Promise<void>
}

export function useQueueRows(): QueueRows {
  const visit = crypto.randomUUID()
  const total = ref(0)
  const facets = shallowRef<QueueFacets>()
  const failure = shallowRef<Failure>()
  const nextDue = shallowRef<QueuePage['nextDue']>()
  const loaded = ref(false)
  const blocks = shallowRef<ReadonlyMap<number, readonly QueueItem[]>>(new Map())
  const asked = new Map<number, Promise<void>>()
  let question = 0
  let from = 0
  let query: { filter: QueueFilter; order: QueueOrder } | undefined

  const cut = (page: QueuePage, first: number): [number, readonly QueueItem[]][] =>
    [0, 1].map((step) => [first + step, page.items.slice(step * block, (step + 1) * block)])

  async function load(
    filter: QueueFilter,
    order: QueueOrder,
    find?: string
  ): Promise<{ found?: number | undefined } | undefined> {
    const mine = ++question
    query = { filter, order }
    const answer = await ask('queue.list', {
      filter,
      order,
      offset: from * block,
      limit: maxQueuePage,
      visit,
      ...(find !== undefined && { find: queuedOf(find) })
    })
    if (mine !== question) return undefined
    loaded.value = true
    failure.value = answer.ok ? undefined : answer.failure
    if (!answer.ok) return undefined
    asked.clear()
    total.value = answer.value.total
    facets.value = answer.value.facets
    nextDue.value = answer.value.nextDue
    blocks.value = new Map(cut(answer.value, from))
    // The view may have moved meanwhile, or the list become shorter than its place.
    if (from * block >= total.value) from = 0
    want(from * block, Math.min(total.value, from * block + 1))
    return { found: answer.value.found }
  }
  function request(first: number): Promise<void> {
    const reading = asked.get(first) ?? readBlock(first)
    asked.set(first, reading)
    return reading
  }
  async function readBlock(first: number): Promise<void> {
    if (!query) return
    const mine = question
    const answer = await ask('queue.list', { ...query, offset: first * block, limit: block, visit })
    if (mine !== question || !answer.ok) return
    blocks.value = new Map([...blocks.value, [first, answer.value.items]])
  }
  async function reach(first: number, last: number): Promise<void> {
    const reads: Promise<void>[] = []
    for (let each = Math.floor(first / block); each * block < Math.min(last + 1, total.value); each += 1)
      if (!blocks.value.has(each)) reads.push(request(each))
    await Promise.all(reads)
  }
  function want(first: number, last: number): void {
    from = Math.floor(first / block)
    void reach(first, last - 1)
  }

  return {
    total,
    facets,
    failure,
    nextDue,
    loaded,
    at: (index) => blocks.value.get(Math.floor(index / block))?.[index % block],
    load,
    want,
    reach
  }
}
