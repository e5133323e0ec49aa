/**
 * When and by whom the examples of a session with sample data are made. The clock of such a session is the system's, except within
 * the work that adds an example: there it stands at the example's moment. Whatever else is asked for meanwhile has the time of now.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '#kit/clock.ts'

export interface Moment {
  /** Unix milliseconds. */
  readonly at: number
  /** How the person signs who does it. */
  readonly operator: string
}

export function createSampleHand(clock: Clock) {
  // What the work leaves behind, such as a timer, is not of that moment any more.
  const present = new AsyncLocalStorage<{ moment: Moment | undefined }>()
  return {
    clock: {
      now: () => present.getStore()?.moment?.at ?? clock.now(),
      monotonic: () => clock.monotonic()
    } satisfies Clock,
    operator: () => present.getStore()?.moment?.operator,
    async at<T>(moment: Moment, work: () => Promise<T>): Promise<T> {
      const within: { moment: Moment | undefined } = { moment }
      try {
        return await present.run(within, work)
      } finally {
        within.moment = undefined
      }
    }
  }
}
export type SampleHand = ReturnType<typeof createSampleHand>
