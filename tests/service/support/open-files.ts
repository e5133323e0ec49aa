/** Files that this process has open. Linux only. */
import { readdirSync, readlinkSync } from 'node:fs'

/** The paths of open files below a folder, one for each descriptor. */
export const openFilesBelow = (folder: string): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      // It was closed meanwhile.
      return []
    }
  })
