/** The sizes that a person has given to panes, by dragging the border between them: one for each class of the window's width. */
import { useMediaQuery } from '@vueuse/core'
import { computed, ref, type ComputedRef } from 'vue'
import { useApp } from '../features/shell/app-store.ts'

export type PaneName = 'list' | 'documents' | 'rail'

export interface PaneSize {
  /** Pixels; absent where the design's size applies. */
  readonly size: ComputedRef<number | undefined>
  /** While it is dragged. */
  show(size: number): void
  /** Keeps the size; without one, the design's. */
  keep(size: number | undefined): void
}

export function usePaneSize(name: PaneName): PaneSize {
  const app = useApp()
  const classes = [
    ['XL', useMediaQuery('(min-width: 2200px)')],
    ['L', useMediaQuery('(min-width: 1200px)')],
    ['M', useMediaQuery('(min-width: 1000px)')]
  ] as const
  const key = computed(() => `${name} ${classes.find(([, fits]) => fits.value)?.[0] ?? 'S'}`)
  const dragged = ref<{ readonly key: string; readonly size: number }>()
  return {
    size: computed(() => (dragged.value?.key === key.value ? dragged.value.size : app.settings.paneSizes[key.value])),
    show: (size) => void (dragged.value = { key: key.value, size }),
    keep(size) {
      const of = dragged.value?.key ?? key.value
      dragged.value = undefined
      const { [of]: _before, ...others } = app.settings.paneSizes
      void app.change({ paneSizes: size === undefined ? others : { ...others, [of]: size } })
    }
  }
}
