/** Watches a full disk for free space. */
import { statfs } from 'node:fs/promises'

export interface SpaceWatch {
  /** Starts watching, if not already watching. */
  watch(): void
  stop(): void
}

/** Milliseconds between two tests: about the time a user needs to free space and return to the window. */
const testEvery = 10_000
/** Bytes that must be free; with less, the next records would fill the disk again. */
const requiredBytes = 16 * 1024 * 1024

/** Calls `onSpace` once after each `watch()`, when the folder's disk has 16 MiB for this user again. Never fails. */
export function watchForSpace(folder: string, onSpace: () => void): SpaceWatch {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }
  const look = async (): Promise<void> => {
    const found = await statfs(folder).catch(() => undefined)
    if (timer === undefined || !found || found.bavail * found.bsize < requiredBytes) return
    stop()
    onSpace()
  }
  return {
    watch() {
      timer ??= setInterval(() => void look(), testEvery).unref()
    },
    stop
  }
}
