/**
 * The history's rows for a scrolling list. One interface for three implementations: the whole history by position
 * (records are numbered without gaps, so any row can be requested), a filtered one page by page, and one in another
 * order by position in core's list.
 */
import { shallowRef, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { HistoryPage, RecordSummary } from '#contract/history/records.ts'
import type { HistoryFilter, HistoryOrder, HistoryPageQuery } from '#contract/history/queries.ts'
import type { Result } from '#contract/failures/result.ts'

export type AskPage = (query: HistoryPageQuery) => Promise<Result<HistoryPage, Failure>>

export interface Rows {
  /** Incremented whenever a row or the number of rows changes. */
  readonly changes: ShallowRef<number>
  readonly failure: ShallowRef<Failure | undefined>
  total(): number
  at(index: number): RecordSummary | undefined
  /** Reports which rows are visible, so that they are loaded. */
  want(first: number, last: number): void
  /** Loads rows that may not be visible. */
  load(first: number, last: number): Promise<void>
  /** Index of the newest record at or before a time. */
  jumpTo(time: number): Promise<number>
  /** Reloads after a change; resolves to the number of rows added at the top. */
  refresh(): Promise<number>
  start(): Promise<void>
  /** Whether newer rows exist above the first; `refresh` adds them. */
  newer(): boolean
}

const blockSize = 100
const keptBlocks = 60

/** The whole history. Row `index` is record `head - index`. */
export function wholeRows(askPage: AskPage): Rows {
  const changes = shallowRef(0)
  const failure = shallowRef<Failure>()
  const blocks = new Map<number, Map<number, RecordSummary>>()
  const asked = new Map<number, Promise<void>>()
  let head = 0

  const put = (records: readonly RecordSummary[]): void => {
    for (const record of records) {
      const key = Math.floor((record.seq - 1) / blockSize)
      const block = blocks.get(key) ?? new Map<number, RecordSummary>()
      block.set(record.seq, record)
      blocks.delete(key)
      blocks.set(key, block)
    }
    while (blocks.size > keptBlocks) blocks.delete(blocks.keys().next().value as number)
    changes.value += 1
  }

  const complete = (key: number): boolean => (blocks.get(key)?.size ?? 0) >= Math.min(blockSize, head - key * blockSize)

  function fetchBlock(key: number): Promise<void> {
    const reading = asked.get(key) ?? readBlock(key).finally(() => asked.delete(key))
    asked.set(key, reading)
    return reading
  }
  async function readBlock(key: number): Promise<void> {
    const answer = await askPage({ filter: {}, limit: blockSize, before: (key + 1) * blockSize + 1 })
    if (answer.ok) put(answer.value.records)
    else failure.value = answer.failure
  }

  async function readHead(): Promise<number> {
    const answer = await askPage({ filter: {}, limit: blockSize })
    if (!answer.ok) {
      failure.value = answer.failure
      return 0
    }
    failure.value = undefined
    const before = head
    head = answer.value.records[0]?.seq ?? 0
    put(answer.value.records)
    return Math.max(0, head - before)
  }

  const load = async (first: number, last: number): Promise<void> => {
    if (head === 0) return
    const newest = Math.floor((Math.max(1, head - first) - 1) / blockSize)
    const oldest = Math.floor((Math.max(1, head - last + 1) - 1) / blockSize)
    const reads: Promise<void>[] = []
    for (let key = newest; key >= oldest; key -= 1) if (!complete(key)) reads.push(fetchBlock(key))
    await Promise.all(reads)
  }

  return {
    changes,
    failure,
    total: () => head,
    at: (index) => {
      const seq = head - index
      return blocks.get(Math.floor((seq - 1) / blockSize))?.get(seq)
    },
    want: (first, last) => void load(first, last),
    load: (first, last) => load(first, last + 1),
    jumpTo: async (time) => {
      const answer = await askPage({ filter: {}, limit: 1, at: time })
      if (!answer.ok) failure.value = answer.failure
      const found = answer.ok ? answer.value.records[0] : undefined
      return found ? head - found.seq : Math.max(0, head - 1)
    },
    refresh: async () => {
      const came = await readHead()
      // Only open records can change, apart from resolutions; both are rare, so only their blocks are read again.
      for (const [key, block] of blocks) {
        for (const record of block.values()) {
          if (record.state === 'open' || (record.state === 'unknown' && !record.resolved)) {
            void fetchBlock(key)
            break
          }
        }
      }
      return came
    },
    start: async () => void (await readHead()),
    newer: () => false
  }
}

/** A filtered history: pages are appended on scrolling, and prepended after a jump into the past. */
export function filteredRows(askPage: AskPage, filter: HistoryFilter, size = blockSize): Rows {
  const changes = shallowRef(0)
  const failure = shallowRef<Failure>()
  let list: RecordSummary[] = []
  let older = false
  let newer = false
  let busy = false

  async function load(
    query: Omit<HistoryPageQuery, 'filter' | 'limit'>,
    place: 'all' | 'end' | 'top'
  ): Promise<number> {
    if (busy) return 0
    busy = true
    const answer = await askPage({ filter, limit: size, ...query })
    busy = false
    if (!answer.ok) {
      failure.value = answer.failure
      return 0
    }
    failure.value = undefined
    const { records } = answer.value
    list = place === 'all' ? [...records] : place === 'end' ? [...list, ...records] : [...records, ...list]
    if (place !== 'top') older = answer.value.older
    if (place !== 'end') newer = answer.value.newer
    changes.value += 1
    return records.length
  }

  const above = async (): Promise<number> => {
    const top = list[0]
    return top ? load({ after: top.seq }, 'top') : load({}, 'all')
  }

  return {
    changes,
    failure,
    total: () => list.length,
    at: (index) => list[index],
    want: (_first, last) => {
      const bottom = list[list.length - 1]
      if (older && bottom && last > list.length - size / 2) void load({ before: bottom.seq }, 'end')
    },
    // What the list has is loaded.
    load: async () => undefined,
    jumpTo: async (time) => {
      await load({ at: time }, 'all')
      return 0
    },
    refresh: async () => {
      const openOnes = list.filter(
        (record) => record.state === 'open' || (record.state === 'unknown' && !record.resolved)
      )
      for (const record of openOnes.slice(0, 20)) {
        const answer = await askPage({ filter: {}, limit: 1, before: record.seq + 1 })
        const again = answer.ok ? answer.value.records[0] : undefined
        if (again?.id === record.id) list = list.map((other) => (other.id === record.id ? again : other))
      }
      changes.value += 1
      return above()
    },
    start: async () => {
      await load({}, 'all')
      if (newer) await above()
    },
    newer: () => newer
  }
}

/** The records of a filter in another order, in blocks of the list that core sorted. */
export function sortedRows(askPage: AskPage, filter: HistoryFilter, order: HistoryOrder): Rows {
  const changes = shallowRef(0)
  const failure = shallowRef<Failure>()
  let blocks = new Map<number, readonly RecordSummary[]>()
  let asked = new Map<number, Promise<void>>()
  let total = 0
  let question = 0
  /** The rows in view. */
  let seen: readonly [first: number, last: number] = [0, 0]

  async function sort(): Promise<void> {
    const mine = ++question
    const place = Math.max(0, Math.min(Math.floor(seen[0] / blockSize), Math.ceil(total / blockSize) - 1))
    // The rows in view stay until their new content arrives.
    const answer = await askPage({ filter, limit: blockSize, order, offset: place * blockSize, again: true })
    if (mine !== question) return
    failure.value = answer.ok ? undefined : answer.failure
    if (answer.ok) {
      asked = new Map()
      total = answer.value.total ?? 0
      blocks = new Map([[place, answer.value.records]])
      void load(...seen)
    }
    changes.value += 1
  }
  async function read(block: number): Promise<void> {
    const mine = question
    const answer = await askPage({ filter, limit: blockSize, order, offset: block * blockSize })
    if (mine !== question) return
    asked.delete(block)
    if (answer.ok) blocks.set(block, answer.value.records)
    else failure.value = answer.failure
    while (blocks.size > keptBlocks) blocks.delete(blocks.keys().next().value as number)
    changes.value += 1
  }
  async function load(first: number, last: number): Promise<void> {
    const reads: Promise<void>[] = []
    for (let block = Math.floor(first / blockSize); block * blockSize < Math.min(last, total); block += 1) {
      if (blocks.has(block)) continue
      const reading = asked.get(block) ?? read(block)
      asked.set(block, reading)
      reads.push(reading)
    }
    await Promise.all(reads)
  }
  return {
    changes,
    failure,
    total: () => total,
    at: (index) => blocks.get(Math.floor(index / blockSize))?.[index % blockSize],
    want: (first, last) => {
      seen = [first, last]
      void load(first, last)
    },
    load: (first, last) => load(first, last + 1),
    // A time has no place in this order.
    jumpTo: async () => 0,
    refresh: async () => {
      await sort()
      return 0
    },
    start: sort,
    newer: () => false
  }
}
