/** Whoever works at the window goes before a batch that runs. */
import { ask } from '../bridge.ts'

/** Least milliseconds between two notes to the core; a person at the keys is quicker only with a key held down. */
const apart = 100

/** Notifies the core of keys, clicks and turns of the wheel while `running()`; for as long as the window stands. */
export function yieldToUser(running: () => boolean): void {
  let notifiedAt = -Infinity
  const notify = ({ timeStamp }: Event): void => {
    if (timeStamp - notifiedAt < apart || !running()) return
    notifiedAt = timeStamp
    void ask('batches.yieldToUser')
  }
  for (const kind of ['keydown', 'pointerdown', 'wheel']) addEventListener(kind, notify, { capture: true, passive: true })
}
