/** Notices that a source of policies may have changed. */
import { watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds between two readings where the system does not notify, or might not have. */
const pollEvery = 60_000

/** Calls `changed` regularly; returns a function that ends this. */
export function poll(changed: () => void): () => void {
  const timer = setInterval(changed, pollEvery)
  timer.unref()
  return () => clearInterval(timer)
}

/** Calls `changed` soon after something in the folder of a file changes, and regularly. */
export function watchFile(path: string, changed: () => void): () => void {
  let watcher: FSWatcher | undefined
  const begin = (): void => {
    watcher?.close()
    watcher = undefined
    try {
      // The folder, because a file that is replaced is another one.
      const begun = watch(dirname(path), { persistent: false }, changed)
      begun.on('error', () => begun.close())
      watcher = begun
    } catch {
      // There is no such folder yet.
    }
  }
  begin()
  const stop = poll(() => {
    // The folder may be new, or another one than before.
    begin()
    changed()
  })
  return () => {
    watcher?.close()
    stop()
  }
}
