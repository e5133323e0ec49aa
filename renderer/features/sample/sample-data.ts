/** Opening sample data in a window of its own, and closing that window. */
import { computed, ref, shallowRef, type ComputedRef, type Ref, type ShallowRef } from 'vue'
import type { SampleState } from '#contract/app/app-state.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { ask } from '../../bridge.ts'
import { useClosed } from '../settings/closed.ts'
import { useApp } from '../shell/app-store.ts'
import { words } from './words.ts'

export interface SampleOpening {
  /** Whether it can be offered: not in a session that has sample data already. */
  readonly offered: ComputedRef<boolean>
  /** The place of the policy that turns it off. */
  readonly off: ComputedRef<string | undefined>
  readonly opening: Ref<boolean>
  readonly failure: ShallowRef<Failure | undefined>
  open(): Promise<void>
}

/** One offer of sample data, with its own failure. */
export function useSampleOpening(): SampleOpening {
  const app = useApp()
  const opening = ref(false)
  const failure = shallowRef<Failure>()
  return {
    offered: computed(() => app.state !== undefined && app.state.sample === undefined),
    off: useClosed('PracticeAllowed'),
    opening,
    failure,
    async open() {
      opening.value = true
      const answer = await ask('sample.open')
      opening.value = false
      failure.value = answer.ok ? undefined : answer.failure
      if (answer.ok) app.showToast(words.sampleDataIsOpenIn)
    }
  }
}

/** Whether examples are still being added. */
export const isAdding = (sample: SampleState | undefined): boolean =>
  sample !== undefined && !sample.failure && sample.done < sample.total

/** Closes the window of a session with sample data. */
export async function closeSample(): Promise<Failure | undefined> {
  const answer = await ask('sample.close')
  return answer.ok ? undefined : answer.failure
}
