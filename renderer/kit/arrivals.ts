/**
 * A view is shown once its parts have their first answers, so that late content does not move what the user is about to
 * click.
 */
import { useTimeoutFn } from '@vueuse/core'
import { inject, onMounted, provide, ref, shallowReactive, watch, type InjectionKey, type Ref } from 'vue'

/** Registers a part whose first answer is awaited; call the returned function when the answer has arrived. */
type Await = () => () => void
const key: InjectionKey<Await> = Symbol('arrivals')

/** Milliseconds after which a view is shown in any case, for example with a slow network folder. */
const longest = 1500

/** For the view: whether it can be shown. Its parts register with `arrivesLater`, the view itself with `part`. */
export function awaitParts(): { readonly resolved: Readonly<Ref<boolean>>; readonly part: Await } {
  const awaited = shallowReactive(new Set<symbol>())
  const resolved = ref(false)
  const part: Await = () => {
    const one = Symbol('part')
    awaited.add(one)
    return () => void awaited.delete(one)
  }
  provide(key, part)
  const limit = useTimeoutFn(() => (resolved.value = true), longest, { immediate: false })
  onMounted(() => {
    limit.start()
    // Once shown, it stays: parts that are added later no longer hide it.
    watch(
      () => awaited.size,
      (size) => (resolved.value ||= size === 0),
      { immediate: true }
    )
  })
  return { resolved, part }
}

/** For a part, during setup; does nothing outside such a view. */
export const arrivesLater = (): (() => void) => inject(key, () => () => undefined)()
