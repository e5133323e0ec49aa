/** Rows of a batch or of a checked file, requested page by page as they come into view, so 100,000 rows cost no more than those drawn. */
import { ref, shallowRef, type Ref } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'

const pageSize = 200
/** Pages that are cached beyond those in view. */
const keptPages = 20

interface RowsPage<Row> {
  readonly rows: readonly Row[]
  /** Number of rows that match. */
  readonly total: number
}
export type AskRows<Row> = (offset: number, limit: number) => Promise<Result<RowsPage<Row>, Failure>>

export interface RowList<Row> {
  /** Incremented with each answer. */
  readonly changes: Ref<number>
  readonly failure: Ref<Failure | undefined>
  /** Number of rows; undefined until the first answer. */
  total(): number | undefined
  at(index: number): Row | undefined
  /** Sets which rows are in view. */
  want(first: number, last: number): void
  /** Requests the rows in view again. */
  refresh(): Promise<void>
}

export function batchRows<Row>(askRows: AskRows<Row>): RowList<Row> {
  const pages = new Map<number, readonly Row[]>()
  const fresh = new Set<number>()
  let total: number | undefined
  let wanted = { first: 0, last: 0 }
  let work: Promise<void> | undefined
  const changes = ref(0)
  const failure = shallowRef<Failure>()

  function next(): number | undefined {
    for (let page = wanted.first; page <= wanted.last; page += 1)
      if (!fresh.has(page) && (page === 0 || total === undefined || page * pageSize < total)) return page
    return undefined
  }
  function put(page: number, answer: RowsPage<Row>): void {
    pages.set(page, answer.rows)
    fresh.add(page)
    total = answer.total
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
      const answer = await askRows(page * pageSize, pageSize)
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
    total: () => total,
    at: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    want(first, last) {
      wanted = { first: Math.floor(first / pageSize), last: Math.floor(Math.max(first, last - 1) / pageSize) }
      void run()
    },
    async refresh() {
      await work
      fresh.clear()
      await run()
    }
  }
}
