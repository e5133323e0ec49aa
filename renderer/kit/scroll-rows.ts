/** A scrolling element for a long list of rows of equal height: the composable for `row-window.ts`. */
import { useResizeObserver, useTimeoutFn } from '@vueuse/core'
import { computed, ref, watch, type Ref, type ShallowRef } from 'vue'
import { clampOffset, drawn, offsetAfterScroll, scrollTopOf, spacerHeight, type Measure } from './row-window.ts'

export interface ScrollRows {
  readonly spacer: Ref<number>
  readonly offset: Ref<number>
  readonly window: Ref<{ first: number; last: number }>
  readonly onScroll: () => void
  /** Scrolls a row into view: to the top, or by the shortest distance. */
  show(index: number, where?: 'top' | 'nearest'): void
  /** Keeps the same rows visible after others were added above. */
  shift(rows: number): void
}

export function useScrollRows(
  scroller: Readonly<ShallowRef<HTMLElement | null>>,
  rows: () => number,
  rowHeight: () => number,
  /** In pixels: of a fixed heading at the top, and of the space below the last row. */
  spaces: { readonly head: () => number; readonly below: () => number } = { head: () => 0, below: () => 0 }
): ScrollRows {
  const offset = ref(0)
  const viewHeight = ref(600)
  let lastTop = 0
  const rest = useTimeoutFn(place, 160, { immediate: false })
  const measure = computed<Measure>(() => ({
    rows: rows(),
    rowHeight: rowHeight(),
    viewHeight: viewHeight.value - spaces.head(),
    below: spaces.below()
  }))

  /** Moves the scrollbar to the offset without treating this as scrolling by the user. */
  function place(): void {
    const element = scroller.value
    if (!element) return
    element.scrollTop = scrollTopOf(measure.value, offset.value)
    lastTop = element.scrollTop
  }
  function onScroll(): void {
    const element = scroller.value
    if (!element || element.scrollTop === lastTop) return
    offset.value = offsetAfterScroll(measure.value, offset.value, lastTop, element.scrollTop)
    lastTop = element.scrollTop
    rest.start()
  }
  const moveTo = (next: number): void => {
    offset.value = clampOffset(measure.value, next)
    place()
  }

  useResizeObserver(scroller, ([entry]) => {
    if (entry) viewHeight.value = entry.contentRect.height
  })
  watch(
    scroller,
    (element) => {
      if (!element) return
      viewHeight.value = element.clientHeight
      lastTop = element.scrollTop
    },
    { immediate: true, flush: 'post' }
  )
  watch(measure, () => moveTo(offset.value), { flush: 'post' })

  return {
    spacer: computed(() => spacerHeight(measure.value)),
    offset,
    window: computed(() => drawn(measure.value, offset.value)),
    onScroll,
    show: (index, where = 'nearest') => {
      const { rowHeight: height, viewHeight, below = 0 } = measure.value
      // What lies over the end of the list covers no row that is shown.
      const view = viewHeight - below
      const top = index * height
      if (where === 'top') moveTo(top)
      else if (top < offset.value) moveTo(top)
      else if (top + height > offset.value + view) moveTo(top + height - view)
    },
    shift: (count) => moveTo(offset.value + count * measure.value.rowHeight)
  }
}
