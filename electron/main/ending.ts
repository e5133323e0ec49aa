/** The app's end: what is open is closed first. */
import { setTimeout as delay } from 'node:timers/promises'
import { app } from 'electron'

/** Longest wait for core to end its runs and close the history, in milliseconds. */
const closingTime = 8000

/** Lets everything close before the app goes, for a bounded time. */
export function endInOrder(close: () => Promise<unknown>): void {
  let closing = false
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    if (closing) return
    closing = true
    void Promise.race([close().catch(() => undefined), delay(closingTime)]).then(() =>
      // Not at once: where nothing had to be waited for, this still runs within Electron's own handling of the event,
      // which ignores a quit until it has taken note that this one was put off. The app would stay, without a window.
      setImmediate(() => {
        closed = true
        app.quit()
      })
    )
  })
}
