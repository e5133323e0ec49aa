import { useIntervalFn } from '@vueuse/core'
import { ref, type Ref } from 'vue'

/** The wall clock in Unix milliseconds, looked at every `every` milliseconds while the component lives. */
export function useNow(every: number): Ref<number> {
  const now = ref(Date.now())
  useIntervalFn(() => (now.value = Date.now()), every)
  return now
}
