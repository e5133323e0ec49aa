import { onBeforeUnmount, ref, type Ref } from 'vue'

/** The wall clock in Unix milliseconds, looked at every `every` milliseconds while the component lives. */
export function useNow(every: number): Ref<number> {
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), every)
  onBeforeUnmount(() => clearInterval(timer))
  return now
}
