/** The tour of a session with sample data: which of its steps is shown. */
import { defineStore } from 'pinia'
import { computed, ref } from 'vue'
import { onRemoval } from '../../kit/removal.ts'
import { tourSteps } from './steps.ts'

export const useTour = defineStore('tour', () => {
  /** The number of the step, from 0; undefined while there is no tour. */
  const at = ref<number>()
  const step = computed(() => (at.value === undefined ? undefined : tourSteps[at.value]))
  const start = (): void => void (at.value = 0)
  const end = (): void => void (at.value = undefined)
  function next(): void {
    const following = (at.value ?? 0) + 1
    at.value = following < tourSteps.length ? following : undefined
  }
  const back = (): void => void (at.value = Math.max(0, (at.value ?? 0) - 1))
  onRemoval('tour', end)
  return { at, step, start, next, back, end }
})
