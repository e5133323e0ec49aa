/** The lock at the window's side: tells core that somebody is there, and what the lock page says. */
import type { LockReason, LockState } from '#contract/lock/lock.ts'
import { ask } from '../../bridge.ts'

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
  'idle': 'Nobody used this window for a while.',
  'suspend': 'The computer was suspended.',
  'screen': 'The screen was locked.',
  'user-switch': 'Another user signed in.',
  'person': 'You locked it.',
  'start': 'Veridesk starts locked.'
}

/** What is still in memory, as sentences; none once the keys are wiped. */
export function memorySentence({ working, inMemory }: LockState): string | undefined {
  if (working === 'batch')
    return 'A batch is still running. The history stays open until it ends or pauses; then its keys are removed from memory.'
  if (working === 'request')
    return 'A request is being completed. After that, the history is closed and its keys are removed from memory.'
  if (working === 'closing') return 'The history is being closed.'
  if (working === 'unwritten')
    return 'The disk is full, and results of a batch are in memory only. The history stays open so that they are not lost.'
  return inMemory ? 'This history exists in memory only, so it stays open. Closing Veridesk deletes it.' : undefined
}
