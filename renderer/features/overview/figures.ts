/** Figures that core may still be counting: asked for again until it has, and after changes. */
import { useThrottleFn, useTimeoutFn } from '@vueuse/core'
import { shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { latest } from '../../kit/latest.ts'
import { useToday } from '../../kit/now.ts'
import { useApp } from '../shell/app-store.ts'
import { useApplicants } from '../applicants/applicants-store.ts'
import { useBatches } from '../batches/batches-store.ts'
import { useHistory } from '../history/history-store.ts'

interface Counting {
  readonly kind: 'counting'
  readonly counted: number
  readonly of: number
}
export interface Figures<Counted> {
  /** The last figures; those of another request stay until its own arrive. */
  readonly shown: Ref<Counted | undefined>
  readonly counting: Ref<Counting | undefined>
  readonly failure: Ref<Failure | undefined>
  load(): void
}

/**
 * @param ask The request as it is now; undefined: there is nothing to ask for.
 * @param of What it depends on.
 */
export function useFigures<Counted extends { readonly kind: 'counted' }>(
  ask: () => Promise<Result<Counted | Counting, Failure> | undefined>,
  of: () => unknown
): Figures<Counted> {
  const [app, applicants, batches, history] = [useApp(), useApplicants(), useBatches(), useHistory()]
  const shown = shallowRef<Counted>()
  const counting = shallowRef<Counting>()
  const failure = shallowRef<Failure>()
  const again = useTimeoutFn(() => load(), 250, { immediate: false })
  const request = latest<null>(async () => {
    const answer = app.history.state === 'ready' ? await ask() : undefined
    if (!answer) return
    failure.value = answer.ok ? undefined : answer.failure
    counting.value = answer.ok && answer.value.kind === 'counting' ? answer.value : undefined
    if (counting.value) again.start()
    if (answer.ok && answer.value.kind === 'counted') shown.value = answer.value
  })
  const load = (): void => request(null)
  /** A batch changes the history several times a second; the figures follow once. */
  const follow = useThrottleFn(load, 1000, true)
  watch([of, () => app.history.state, useToday()], load, { immediate: true })
  watch([() => history.version, () => applicants.version, () => batches.version], () => void follow())
  return { shown, counting, failure, load }
}
