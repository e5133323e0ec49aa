/** The lock at the window's side: tells core that somebody is there, and what the lock page says. */
import type { LockReason, LockState } from '#contract/lock/lock.ts'
import { ask } from '../../bridge.ts'
import { words } from './words.ts'

/** Minimum milliseconds between two notifications: the time without input is counted in minutes. */
const apart = 10_000

/** Notifies core of input, for the lifetime of the window. */
export function noteActivity(): void {
  let notifiedAt = -Infinity
  const notify = ({ timeStamp }: Event): void => {
    if (timeStamp - notifiedAt < apart) return
    notifiedAt = timeStamp
    void ask('lock.active')
  }
  for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
    addEventListener(kind, notify, { capture: true, passive: true })
}

/** Why the console is locked, as a sentence. */
export const lockSentences: Readonly<Record<LockReason, string>> = {
  'idle': words.nobodyUsedThisWindowFor,
  'suspend': words.theComputerWasSuspended,
  'screen': words.theScreenWasLocked,
  'user-switch': words.anotherUserSignedIn,
  'person': words.youLockedIt,
  'start': words.verideskStartsLocked
}

/** What is still in memory, as sentences; none once the keys are wiped. */
export function memorySentence({ working, inMemory }: LockState): string | undefined {
  if (working === 'batch') return words.aBatchIsStillRunning
  if (working === 'request') return words.aRequestIsBeingCompleted
  if (working === 'closing') return words.theHistoryIsBeingClosed
  if (working === 'unwritten') return words.theDiskIsFullAnd
  return inMemory ? words.thisHistoryExistsInMemory : undefined
}
