/** Completes a restore that a crash interrupted between its two renames. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownFolders } from '#wire/files/own-names.ts'
import { exists } from './copy-folders.ts'
import { historyFolder } from '#wire/sqlite/files.ts'

/** Where a complete restored copy waits to be moved into place. */
export const readyFolder = (dataFolder: string): string => join(dataFolder, ownFolders.restored)

/**
 * After a crash between the two renames of a restore there is no history folder, and a start would create an empty
 * one. Must be called before the history is opened. False if it cannot be fixed.
 */
export async function finishRestoring(dataFolder: string): Promise<boolean> {
  const ready = readyFolder(dataFolder)
  if (!(await exists(ready))) return true
  try {
    // Both exist: the crash came earlier, the current files are unchanged, and the copy is from a backup.
    if (await exists(historyFolder(dataFolder))) await rm(ready, { recursive: true, force: true })
    else await rename(ready, historyFolder(dataFolder))
    return true
  } catch {
    return false
  }
}
