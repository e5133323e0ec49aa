/** The columns of one table as the user has them: shown, ordered, sized. Kept in the settings. */
import {
  columnOrderingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  tableFeatures,
  useTable
} from '@tanstack/vue-table'
import { useEventListener, useTimeoutFn } from '@vueuse/core'
import {
  computed,
  onBeforeUnmount,
  onMounted,
  ref,
  shallowRef,
  watch,
  type ComputedRef,
  type Ref,
  type WatchSource
} from 'vue'
import type { TableColumns, TableName } from '#contract/history/tables.ts'
import { useApp } from '../features/shell/app-store.ts'
import { neededWidths } from './column-widths.ts'
import { withLongestText } from './longest-texts.ts'
import { isHidden } from './screen-share.ts'
import {
  columnsOfLines,
  fitting,
  inOrder,
  isTall,
  leastTableWidth,
  moved,
  movedTo,
  tracks,
  widthsOf,
  withinWidth,
  type ColumnChoice,
  type Lines,
  type NeededWidths,
  type TableColumn
} from './table-columns.ts'

/** Where the user's choice is kept, if not under the table's name in the settings. */
export interface ColumnStore {
  readonly saved: TableColumns | undefined
  save(now: TableColumns | undefined): void
}

export interface TableState {
  /** All columns in the user's order. */
  readonly all: ComputedRef<readonly TableColumn[]>
  readonly shown: ComputedRef<readonly TableColumn[]>
  /** The columns of each line of a row, where the table is too narrow for columns beside each other. */
  readonly lines: ComputedRef<readonly (readonly TableColumn[])[] | undefined>
  /** Whether rows have the space of two lines: of their own, or of a text that wraps. */
  readonly tall: ComputedRef<boolean>
  /** The layout of headings and rows. */
  readonly tracks: ComputedRef<string>
  /** Width below which the table scrolls sideways. */
  readonly least: ComputedRef<number>
  readonly changed: ComputedRef<boolean>
  /** Width of a shown column in pixels. */
  widthOf(column: TableColumn): number
  readonly checks: boolean
  /** Width of the table in pixels. */
  readonly width: Readonly<Ref<number>>
  /** Notes that width. */
  fit(width: number): void
  /** Notes the widths that drawn texts need; of a column without any, the last ones stay. */
  measured(widths: NeededWidths): void
  show(name: string, shown: boolean): void
  /** Moves a column by one place; returns its new place from 1, or undefined at the edge. */
  move(name: string, step: 1 | -1): number | undefined
  drop(name: string, beside: string, behind: boolean): void
  /** Returns the width that it has now. */
  resize(name: string, width: number): number
  /** The table's own choice again. */
  reset(name?: string): void
}

const features = tableFeatures({ columnOrderingFeature, columnSizingFeature, columnVisibilityFeature })
/** The same map if nothing changed: what is measured leads to another layout, which is measured again. */
function withMeasured(known: NeededWidths, found: NeededWidths): NeededWidths {
  const changed = [...found].some(([name, texts]) => texts.join() !== known.get(name)?.join())
  return changed ? new Map([...known, ...found]) : known
}
/** A key that is held down changes a width many times; it is saved once. */
const saveAfter = 400

/** @param options `checks`: whether rows can be selected; `lines`: of rows in a narrow table; `without`: columns that show nothing at present. */
export function useTableState(
  place: TableName | ColumnStore,
  given: readonly TableColumn[],
  options: { readonly checks?: boolean; readonly lines?: Lines; readonly without?: () => readonly string[] } = {}
): TableState {
  const app = useApp()
  const { checks = false, without = () => [] } = options
  const saved: TableColumns = (typeof place === 'string' ? app.settings.tables[place] : place.saved) ?? {}
  const width = ref(window.innerWidth)
  const needed = shallowRef<NeededWidths>(new Map())
  const columns = computed(() => given.filter(({ name }) => !without().includes(name)).map(withLongestText))
  const table = useTable({
    features,
    data: [] as object[],
    columns: given.map(({ name: id, label, width: size }) => ({ id, header: label, size })),
    initialState: {
      columnOrder: [...(saved.order ?? [])],
      columnVisibility: { ...saved.shown },
      columnSizing: { ...saved.widths }
    }
  })
  const choice = computed<ColumnChoice>(() => ({
    order: table.atoms.columnOrder.get(),
    shown: table.atoms.columnVisibility.get(),
    widths: table.atoms.columnSizing.get()
  }))
  const all = computed(() => inOrder(columns.value, choice.value.order))
  const shown = computed(() => fitting(all.value, choice.value, width.value, checks, needed.value))
  const lines = computed(() => columnsOfLines(columns.value, options.lines, choice.value, width.value))
  const widths = computed(() => widthsOf(shown.value, choice.value, width.value, checks, needed.value))

  function kept(): TableColumns | undefined {
    const { order, shown: visible, widths: sizes } = choice.value
    const some = {
      ...(order.length > 0 && { order: [...order] }),
      ...(Object.keys(visible).length > 0 && { shown: { ...visible } }),
      ...(Object.keys(sizes).length > 0 && { widths: { ...sizes } })
    }
    return Object.keys(some).length > 0 ? some : undefined
  }
  async function save(): Promise<void> {
    const now = kept()
    if (typeof place !== 'string') {
      place.save(now)
      return
    }
    const { [place]: _before, ...others } = app.settings.tables
    await app.change({ tables: { ...others, ...(now && { [place]: now }) } })
  }
  const later = useTimeoutFn(() => void save(), saveAfter, { immediate: false })
  onBeforeUnmount(() => {
    if (!later.isPending.value) return
    later.stop()
    void save()
  })

  function order(names: readonly string[] | undefined): void {
    if (!names) return
    table.setColumnOrder([...names])
    later.start()
  }
  return {
    all,
    shown,
    ...{ lines, tall: computed(() => isTall(lines.value, shown.value, width.value)) },
    checks,
    tracks: computed(() => tracks(widths.value, checks)),
    least: computed(() => leastTableWidth(shown.value, choice.value, width.value, checks)),
    changed: computed(() => kept() !== undefined),
    widthOf: ({ name }) => widths.value[shown.value.findIndex((column) => column.name === name)] ?? 0,
    width,
    fit: (available) => (width.value = available),
    measured: (found) => (needed.value = withMeasured(needed.value, found)),
    show: (column, visible) => {
      table.setColumnVisibility((now) => ({ ...now, [column]: visible }))
      later.start()
    },
    move: (column, step) => {
      const names = moved(all.value, shown.value, column, step)
      order(names)
      return names && shown.value.findIndex((each) => each.name === column) + 1
    },
    drop: (column, beside, behind) => void (column !== beside && order(movedTo(all.value, column, beside, behind))),
    resize: (column, wanted) => {
      const next = withinWidth(wanted)
      table.setColumnSizing((now) => ({ ...now, [column]: next }))
      later.start()
      return next
    },
    reset: (column) => {
      const without = <T>(now: Readonly<Record<string, T>>): Record<string, T> =>
        Object.fromEntries(Object.entries(now).filter(([each]) => column !== undefined && each !== column))
      table.setColumnSizing(without)
      if (column === undefined) {
        table.setColumnVisibility({})
        table.setColumnOrder([])
      }
      later.start()
    }
  }
}

/**
 * Measures the texts of a table when its rows are read, its width changes or its columns do, and never while it is scrolled.
 *
 * @param of `grid`: the table's element; `loads`: one has another value when rows are read; `atTop`: the table is not scrolled.
 */
export function useMeasuredColumns(
  table: TableState,
  of: {
    readonly grid: () => HTMLElement | undefined
    readonly loads: readonly WatchSource[]
    readonly atTop: () => boolean
  }
): void {
  const app = useApp()
  let ever = false
  function measure(): void {
    const grid = of.grid()
    // While it is not shown, it has no width.
    if (!grid || grid.clientWidth === 0 || table.lines.value) return
    const found = neededWidths(grid)
    table.measured(found)
    ever ||= [...found.values()].some((texts) => texts.length > 1)
  }
  const columns = (): string => table.shown.value.map(({ name }) => name).join()
  watch([() => app.settings.density, isHidden, table.width, columns, () => !table.lines.value], measure, {
    flush: 'post'
  })
  watch([...of.loads], () => (!ever || of.atTop()) && measure(), { flush: 'post' })
  onMounted(measure)
  // A font that loads late has other widths.
  useEventListener(document.fonts, 'loadingdone', measure)
}
