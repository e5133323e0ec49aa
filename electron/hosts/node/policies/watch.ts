/** Notices that a source of policies may have changed. */
import { statSync, watch, type FSWatcher } from 'node:fs'
import { dirname } from 'node:path'

/** Milliseconds between two readings where the system does not notify, or might not have. */
const pollEvery = 60_000

/** Calls `changed` regularly; returns a function that ends this. */
export function poll(changed: () => void): () => void {
  const timer = setInterval(changed, pollEvery)
  timer.unref()
  return () => clearInterval(timer)
}

/** Calls `changed` soon after something in the folder of a file changes, or after the folder is created, and regularly. */
export function watchFile(path: string, changed: () => void): () => void {
  const folder = dirname(path)
  let watchers: FSWatcher[] = []
  let watched = ''
  const follow = (place: string, noticed: () => void): boolean => {
    try {
      const begun = watch(place, { persistent: false }, noticed)
      begun.on('error', () => begun.close())
      watchers.push(begun)
      return true
    } catch {
      return false
    }
  }
  const begin = (): void => {
    for (const each of watchers) each.close()
    watchers = []
    // The folder, because a file that is replaced is another one; and the one above, in which the folder appears or is replaced.
    follow(dirname(folder), () => {
      const now = identity(folder)
      if (now === watched) return
      begin()
      changed()
    })
    watched = identity(folder)
    follow(folder, changed)
  }
  begin()
  const stop = poll(() => {
    begin()
    changed()
  })
  return () => {
    for (const each of watchers) each.close()
    stop()
  }
}

/** Tells one folder from another at the same path; empty if there is none. */
function identity(folder: string): string {
  const found = statSync(folder, { throwIfNoEntry: false, bigint: true })
  return found ? `${found.dev}-${found.ino}` : ''
}
