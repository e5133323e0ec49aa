/** A restore that a crash has interrupted between its two renames, and where its copy waits. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from './copy-folders.ts'
import { historyFolder } from './storage/files.ts'

/** Where a restored pair waits, whole, for the moment in which it takes its place. */
export const readyFolder = (dataFolder: string): string => join(dataFolder, 'history-restored')

/**
 * After a crash between the two renames of a restoring there is no history folder, and a start would
 * make an empty one in its place. To be called before the history is opened. False where it cannot be fixed.
 */
export async function finishRestoring(dataFolder: string): Promise<boolean> {
  const ready = readyFolder(dataFolder)
  if (!(await exists(ready))) return true
  try {
    // Both are there: the crash came earlier, the present files are untouched, and the copy is one of a backup.
    if (await exists(historyFolder(dataFolder))) await rm(ready, { recursive: true, force: true })
    else await rename(ready, historyFolder(dataFolder))
    return true
  } catch {
    return false
  }
}
