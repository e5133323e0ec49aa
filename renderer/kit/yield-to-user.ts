/** Gives users at the window priority over a running batch. */
import { ask } from '../bridge.ts'

/** Minimum milliseconds between two notifications; a user is faster only with a key held down. */
const apart = 100

/** Notifies core of keys, clicks and scrolling while `running()`, for the lifetime of the window. */
export function yieldToUser(running: () => boolean): void {
  let notifiedAt = -Infinity
  const notify = ({ timeStamp }: Event): void => {
    if (timeStamp - notifiedAt < apart || !running()) return
    notifiedAt = timeStamp
    void ask('batches.yieldToUser')
  }
  for (const kind of ['keydown', 'pointerdown', 'wheel'])
    addEventListener(kind, notify, { capture: true, passive: true })
}
