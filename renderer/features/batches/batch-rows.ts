/**
 * Rows of a batch, requested page by page as they come into view, so 100,000 rows cost no more than those drawn. A
 * whole file can be entered anywhere, since its rows can be counted; a filtered one is read page by page, since each page
 * is found by the row before it.
 */
import { ref, shallowRef, type Ref } from 'vue'
import type { BatchRow, BatchRowsPage } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'

const pageSize = 200
/** Pages that are cached beyond those in view. */
const keptPages = 20

export type AskRows = (after: number, limit: number, skip: number) => Promise<Result<BatchRowsPage, Failure>>

export interface BatchRowList {
  /** Incremented with each answer. */
  readonly changes: Ref<number>
  readonly failure: Ref<Failure | undefined>
  total(): number
  at(index: number): BatchRow | undefined
  /** Sets which rows are in view. */
  want(first: number, last: number): void
  /** Requests the rows in view again. */
  refresh(): Promise<void>
}

/**
 * @param whole Whether it is a whole file.
 * @param size Number of rows according to the batch's counts.
 */
export function batchRows(askRows: AskRows, whole: boolean, size: () => number): BatchRowList {
  const pages = new Map<number, readonly BatchRow[]>()
  const fresh = new Set<number>()
  /** The number of the row before each page. */
  let anchors: number[] = [0]
  /** The number of rows, once an answer has shown it. */
  let end: number | undefined
  let wanted = { first: 0, last: 0 }
  let work: Promise<void> | undefined
  const changes = ref(0)
  const failure = shallowRef<Failure>()

  const total = (): number => Math.min(size(), end ?? size())
  const anchorOf = (page: number): number | undefined => (whole ? 0 : anchors[page])
  function next(): number | undefined {
    for (let page = wanted.first; page <= wanted.last; page += 1) {
      if (fresh.has(page) || (page > 0 && page * pageSize >= total())) continue
      return anchorOf(page) === undefined ? anchors.length - 1 : page
    }
    return undefined
  }
  function put(page: number, { rows, more }: BatchRowsPage): void {
    pages.set(page, rows)
    fresh.add(page)
    const last = rows.at(-1)
    if (!whole && last && more) anchors[page + 1] = last.row
    if (!more) end = page * pageSize + rows.length
    else if (end !== undefined && end <= (page + 1) * pageSize) end = undefined
    const middle = (wanted.first + wanted.last) / 2
    while (pages.size > keptPages) {
      const [furthest] = [...pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle))
      if (furthest === undefined || furthest === page) break
      pages.delete(furthest)
      fresh.delete(furthest)
    }
  }
  async function pump(): Promise<void> {
    for (let page = next(); page !== undefined; page = next()) {
      const answer = await askRows(anchorOf(page) ?? 0, pageSize, whole ? page * pageSize : 0)
      failure.value = answer.ok ? undefined : answer.failure
      if (!answer.ok) return
      put(page, answer.value)
      changes.value += 1
    }
  }
  const run = (): Promise<void> => {
    work ??= pump().finally(() => (work = undefined))
    return work
  }

  return {
    changes,
    failure,
    total,
    at: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    want(first, last) {
      wanted = { first: Math.floor(first / pageSize), last: Math.floor(Math.max(first, last - 1) / pageSize) }
      void run()
    },
    async refresh() {
      await work
      fresh.clear()
      end = undefined
      // At the top, reading starts again; further down, visible rows must not move.
      if (wanted.first === 0) anchors = [0]
      await run()
    }
  }
}
