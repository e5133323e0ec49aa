/** Closes everything before the app quits. */
import { setTimeout as delay } from 'node:timers/promises'
import { app } from 'electron'

/** Maximum milliseconds for core to end its runs and close the history. */
const closeTimeout = 8000

/** Delays the app's end until everything is closed, for a limited time. */
export function endInOrder(close: () => Promise<unknown>): void {
  let closing = false
  let closed = false
  app.on('will-quit', (event) => {
    if (closed) return
    event.preventDefault()
    if (closing) return
    closing = true
    void Promise.race([close().catch(() => undefined), delay(closeTimeout)]).then(() =>
      // Deferred: if nothing had to be waited for, this still runs inside Electron's handling of the event, which
      // ignores a quit until it has registered that this one was prevented. The app would stay open without a window.
      setImmediate(() => {
        closed = true
        app.quit()
      })
    )
  })
}
