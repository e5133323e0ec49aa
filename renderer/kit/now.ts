import { useIntervalFn } from '@vueuse/core'
import { computed, ref, type ComputedRef, type Ref } from 'vue'
import { localDay } from './time.ts'

/** The wall clock in Unix milliseconds, updated every `every` milliseconds while the component is mounted. */
export function useNow(every: number): Ref<number> {
  const now = ref(Date.now())
  useIntervalFn(() => (now.value = Date.now()), every)
  return now
}

/** The day of the calendar that it is, such as `2026-12-01`; the next one within a minute of its midnight. */
export function useToday(): ComputedRef<string> {
  const now = useNow(60_000)
  return computed(() => localDay(now.value))
}
