/**
 * Preserves write-ahead logs after a crash. When a file is closed, SQLite writes the readable part of its log into
 * the file and removes the log, even if opening the history was refused; data behind a fault in the log would be
 * lost. So each log is copied before anything is opened, and put back if opening fails.
 */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync
} from 'node:fs'
import { assertRegular } from '#wire/files/regular.ts'
import { pathOf, type FileName } from '#wire/sqlite/files.ts'

/** The index is derived, so its log is not needed. */
const names = ['history', 'subjects'] as const
const logOf = (folder: string, name: FileName): string => `${pathOf(folder, name)}-wal`
const keptOf = (folder: string, name: FileName): string => `${logOf(folder, name)}.kept`

/**
 * Copies and syncs a log that is not empty. Throws the file system's errors.
 *
 * @param linked Creates a hard link instead of a copy: possible on a full disk, and safe because nobody writes to the
 * log of a history that is open read-only.
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
    // A partial copy would later replace a log.
    rmSync(kept, { force: true })
    throw error
  }
}

export const keepLogs = (folder: string, linked = false): void => names.forEach((name) => keepLog(folder, name, linked))

/**
 * Restores the logs after a refusal, with every file closed; replaying a log twice changes nothing. Not for files
 * that another process holds: its log continues.
 */
export function putLogsBack(folder: string): void {
  for (const name of names) if (existsSync(keptOf(folder, name))) renameSync(keptOf(folder, name), logOf(folder, name))
}

/** After opening succeeded: the files contain what the logs held. */
export function dropKeptLogs(folder: string): void {
  for (const name of names) rmSync(keptOf(folder, name), { force: true })
}
