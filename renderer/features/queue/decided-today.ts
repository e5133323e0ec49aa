/** What was decided today, for a queue in which nothing waits. */
import { computed, shallowRef, type ComputedRef } from 'vue'
import type { RouteLocationRaw } from 'vue-router'
import { ask } from '../../bridge.ts'
import { useNow } from '../../kit/now.ts'
import { localDay } from '../../kit/time.ts'
import { useFigures } from '../overview/figures.ts'
import { toList } from '../overview/overview-address.ts'
import { rangeOf, requestOf, type Range } from '../overview/overview-period.ts'

export interface DecidedToday {
  readonly all: number
  /** Those that this person made. */
  readonly own: number
  /** The list of all of them. */
  readonly list: RouteLocationRaw
}

/** @param empty Whether nothing waits; nothing is asked for otherwise. @returns Undefined until it is known, and if nobody decided. */
export function useDecidedToday(empty: () => boolean): ComputedRef<DecidedToday | undefined> {
  const now = useNow(60_000)
  /** The day that the figures are of. */
  const day = shallowRef<Range>()
  const { shown } = useFigures(
    async () => {
      const today = empty() ? rangeOf({ days: 1 }, Date.now()) : undefined
      if (!today) return undefined
      const answer = await ask('overview.decisions', { period: requestOf(today), before: { from: 0, until: 0 } })
      day.value = today
      return answer
    },
    () => [empty(), localDay(now.value)]
  )
  return computed(() => {
    if (!empty() || !shown.value || !day.value || shown.value.decided === 0) return undefined
    const { decided: all, own } = shown.value
    return { all, own, list: toList({ what: 'decided', ...day.value }, {}) }
  })
}
