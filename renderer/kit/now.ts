import { useIntervalFn } from '@vueuse/core'
import { ref, type Ref } from 'vue'

/** The wall clock in Unix milliseconds, updated every `every` milliseconds while the component is mounted. */
export function useNow(every: number): Ref<number> {
  const now = ref(Date.now())
  useIntervalFn(() => (now.value = Date.now()), every)
  return now
}
