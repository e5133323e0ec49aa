/** The router's guard: while the console is locked, it refuses every channel but those of the lock. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { ChannelName } from '#contract/ipc/ipc.ts'
import type { Result } from '#contract/failures/result.ts'
import type { LockPhase } from './states.ts'

type Route = (name: unknown, payload: unknown) => Promise<Result<unknown, Failure>>

/** Answered in every phase. `app.state` leaves out everything personal while the console is locked. */
const always: readonly ChannelName[] = [
  'app.state',
  'lock.now',
  'lock.ready',
  'lock.active',
  'lock.unlock',
  'lock.recover'
]
/** Answered as well until the window is empty: it stores what was typed. */
const whileLocking: readonly ChannelName[] = ['drafts.keep']

/** Whether a request with this name is answered in a phase. */
export function isAnswered(name: unknown, { phase }: LockPhase): boolean {
  if (phase === 'open' || always.includes(name as ChannelName)) return true
  return phase === 'locking' && whileLocking.includes(name as ChannelName)
}

export interface Gate {
  /** The same route, while it is answered. */
  guard(route: Route): Route
  /** Resolves when no request about data is in progress. */
  quiet(): Promise<void>
  isBusy(): boolean
}

/** An answer that a lock overtook is not given: it may hold what the lock hides. */
export function createGate(phase: () => LockPhase): Gate {
  const inProgress = new Set<Promise<unknown>>()
  return {
    guard: (route) => async (name, payload) => {
      if (!isAnswered(name, phase())) return failed('locked')
      const answering = route(name, payload)
      const counts = !always.includes(name as ChannelName)
      if (counts) inProgress.add(answering)
      const answer = await answering.finally(() => inProgress.delete(answering))
      return isAnswered(name, phase()) ? answer : failed('locked')
    },
    isBusy: () => inProgress.size > 0,
    async quiet() {
      while (inProgress.size > 0) await Promise.allSettled(inProgress)
    }
  }
}
