/** A view is shown when its parts have their first answers: what came later would push aside what somebody aims at. */
import { useTimeoutFn } from '@vueuse/core'
import { inject, onMounted, provide, ref, shallowReactive, watch, type InjectionKey, type Ref } from 'vue'

/** Notes a part whose first answer is awaited; call what it gives when the answer is there. */
type Await = () => () => void
const key: InjectionKey<Await> = Symbol('arrivals')

/** Milliseconds after which a view is shown in any case: a folder on a network may take its time. */
const longest = 1500

/** For the view: whether it can be shown. Its parts take part by `arrivesLater`, itself by `part`. */
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
    // Once shown, it stays: a part that comes later hides nothing any more.
    watch(() => awaited.size, (size) => (resolved.value ||= size === 0), { immediate: true })
  })
  return { resolved, part }
}

/** For a part, while it is set up; outside of such a view it does nothing. */
export const arrivesLater = (): (() => void) => inject(key, () => () => undefined)()
