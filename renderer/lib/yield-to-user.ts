/** Whoever works at the window goes before a batch that runs. */
import { ask } from '../bridge.ts'

/** Least milliseconds between two words to the core; a person at the keys is quicker only with a key held down. */
const apart = 100

/** Tells the core of keys, clicks and turns of the wheel while `running()`; for as long as the window stands. */
export function yieldToUser(running: () => boolean): void {
  let told = -Infinity
  const tell = ({ timeStamp }: Event): void => {
    if (timeStamp - told < apart || !running()) return
    told = timeStamp
    void ask('batches.yieldToUser')
  }
  for (const kind of ['keydown', 'pointerdown', 'wheel']) addEventListener(kind, tell, { capture: true, passive: true })
}
