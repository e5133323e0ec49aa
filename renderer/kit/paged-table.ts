/** A table whose rows core sorts and answers in pages: its columns, its order, its rows, and which of them are selected. */
import { computed, ref, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef, type WatchSource } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { TableName } from '#contract/history/tables.ts'
import { useApp } from '../features/shell/app-store.ts'
import { copiedTable, type CellTexts } from './copied-table.ts'
import { usePages, type PageOf, type Pages } from './pages.ts'
import { useSelection, type Selection } from './selection.ts'
import { nameInOrder, type Lines, type Sort, type TableColumn, type UsualOrder } from './table-columns.ts'
import { useTableState, type TableState } from './table-state.ts'
import { words } from './words.ts'

export interface PagedTable<Item> {
  readonly table: TableState
  /** The table's name with its order. */
  readonly label: ComputedRef<string>
  readonly sort: Readonly<ShallowRef<Sort>>
  readonly pages: Pages<Item>
  /** Incremented with the first page of another question: the table is then shown from its top. */
  readonly started: Readonly<Ref<number>>
  readonly selection: Selection<Item>
  /** Number of rows as they are drawn. */
  readonly total: ComputedRef<number>
  at(index: number): Item | undefined
  keyOf(item: Item): string
  nameOf(item: Item): string
  sortBy(sort: Sort): void
  /** Copies the selected rows. */
  copy(): Promise<void>
}

interface PagedTableParts<Item, Cursor> {
  readonly name: TableName
  readonly title: string
  readonly columns: readonly TableColumn[]
  readonly texts: CellTexts<Item>
  readonly usual: UsualOrder
  /** Rows of a narrow table. */
  readonly lines?: Lines
  readonly keyOf: (item: Item) => string
  /** What a row is about; its key if absent. */
  readonly nameOf?: (item: Item) => string
  /** Search and filters: with another value, the rows are asked for again and none stays selected. */
  readonly asked: readonly WatchSource[]
  /** The rows that one is drawn as: itself, and those that it was opened to. */
  readonly spread?: (item: Item) => readonly Item[]
  /** Versions of the data: with another value, the rows are read again in their places. */
  readonly versions: readonly WatchSource[]
  readonly read: (
    sort: Sort,
    limit: number,
    after: Cursor | undefined
  ) => Promise<Result<PageOf<Item, Cursor>, Failure>>
  /** The latest state of a row that changes while it is shown. */
  readonly latest?: (item: Item) => Item
  /** Number of rows of the whole result, once it is known. */
  readonly wholeTotal?: () => number | undefined
}

/** Rows are asked for as soon as the history is open. */
export function usePagedTable<Item, Cursor>(parts: PagedTableParts<Item, Cursor>): PagedTable<Item> {
  const { columns, usual, keyOf, latest = (item) => item } = parts
  const app = useApp()
  const table = useTableState(parts.name, columns, { checks: true, ...(parts.lines && { lines: parts.lines }) })
  const sort = shallowRef<Sort>(usual)
  const started = ref(0)
  const pages = usePages<Item, Cursor>((limit, after) => parts.read(sort.value, limit, after))
  const rows = computed(() => (parts.spread ? pages.items.value.flatMap(parts.spread) : pages.items.value))
  const at = (index: number): Item | undefined => {
    const item = rows.value[index]
    return item && latest(item)
  }
  const selection = useSelection<Item>({
    total: () => rows.value.length,
    wholeTotal: () => parts.wholeTotal?.() ?? rows.value.length,
    at,
    keyOf
  })

  // A value of its own: beside a shallow source, a getter would count as changed whenever any of the app's state is.
  const historyState = computed(() => app.history.state)
  watch(
    [...parts.asked, sort, historyState],
    async () => {
      if (app.history.state !== 'ready') return
      selection.clear()
      await pages.start()
      started.value += 1
    },
    { immediate: true }
  )
  watch([...parts.versions], () => {
    if (app.history.state === 'ready') void pages.again()
  })

  return {
    table,
    label: computed(() => nameInOrder(parts.title, sort.value, columns, usual)),
    sort,
    pages,
    started,
    selection,
    total: computed(() => rows.value.length),
    at,
    keyOf,
    nameOf: parts.nameOf ?? keyOf,
    sortBy: (next) => (sort.value = next),
    copy: async () => {
      const some = [...selection.items.value.values()].map(latest)
      await app.copy(copiedTable(table.shown.value, parts.texts, some), words.rows({ some: some.length }))
    }
  }
}
