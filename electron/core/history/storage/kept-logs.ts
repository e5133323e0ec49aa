/**
 * The write-ahead logs that a crash left. SQLite writes what it can read of a log into its file and removes
 * the log when the file is closed, even where the history was refused: what stands behind a fault in the log
 * would be gone. So each is copied before anything is opened, and put back where the opening fails.
 */
import { closeSync, copyFileSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { assertRegular } from '#core/files/regular.ts'
import { pathOf, type FileName } from './files.ts'

/** The index is derived: its log is not missed. */
const names = ['history', 'subjects'] as const
const logOf = (folder: string, name: FileName): string => `${pathOf(folder, name)}-wal`
const keptOf = (folder: string, name: FileName): string => `${logOf(folder, name)}.kept`

/**
 * Copies a log that holds anything, synced. Throws the file system's errors.
 *
 * @param linked A second name in the place of a copy: a full disk has room for it, and nobody writes into the log of a
 *   history that is open for reading only.
 */
export function keepLog(folder: string, name: FileName, linked = false): void {
  const log = logOf(folder, name)
  if (!statSync(log, { throwIfNoEntry: false })?.size) return
  const kept = keptOf(folder, name)
  for (const path of [log, kept]) assertRegular(path)
  try {
    if (linked) {
      rmSync(kept, { force: true })
      linkSync(log, kept)
      return
    }
    copyFileSync(log, kept)
    const descriptor = openSync(kept, 'r+')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    // Half a copy would be put in the place of a log later.
    rmSync(kept, { force: true })
    throw error
  }
}

export const keepLogs = (folder: string, linked = false): void => names.forEach((name) => keepLog(folder, name, linked))

/**
 * After a refusal, with every file closed: the logs are as they were; replaying one twice changes nothing.
 * Never where another program holds the files: its log goes on.
 */
export function putLogsBack(folder: string): void {
  for (const name of names) if (existsSync(keptOf(folder, name))) renameSync(keptOf(folder, name), logOf(folder, name))
}

/** After a success: what the logs held is in the files. */
export function dropKeptLogs(folder: string): void {
  for (const name of names) rmSync(keptOf(folder, name), { force: true })
}
