/**
 * Opening what lies in the data folder without ever waiting for it: a pipe, a device or a folder under one of the
 * console's names would otherwise be read endlessly, and with it a thread of Node's pool.
 */
import { constants, lstatSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './write.ts'

/** Not a file: BSD’s own code for it, which the failures’ phrases know. */
const notAFile = (path: string): Error => Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' })

/** Windows knows no such flag, and has no pipes in folders. */
const withoutWaiting = constants.O_NONBLOCK ?? 0

/**
 * Opens a regular file, and throws `EFTYPE` for anything else that lies there. Throws the file system's errors.
 *
 * @param flags Of `open(2)`. A new file is readable and writable by its owner alone.
 */
export async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | withoutWaiting, 0o600).catch((error: unknown) => {
    // A pipe that nobody reads.
    throw codeOf(error) === 'ENXIO' ? notAFile(path) : error
  })
  try {
    // Asked of what is open: what lies under the name may have been exchanged since.
    if (!(await handle.stat()).isFile()) throw notAFile(path)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The text of a regular file. Throws the file system's errors, and `EFTYPE`. */
export async function readRegular(path: string): Promise<string> {
  const handle = await openRegular(path, constants.O_RDONLY)
  try {
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

/** Throws `EFTYPE` where there is something else than a regular file: for those who open by themselves, as SQLite does. */
export function assertRegular(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // A link to nothing, or to itself: whoever opens it would make its file somewhere else.
  if (found === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw notAFile(path)
  if (found && !found.isFile()) throw notAFile(path)
}

/**
 * Makes a folder and what is missing above it, each for this user alone. Node's own recursive `mkdir` asks endlessly
 * where a file system answers "no such folder" though the one above is there, as `/proc` does. Throws the file system's errors.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path && !(await isThere(dirname(path)))) {
      await makeFolder(dirname(path))
      return makeFolder(path)
    }
    if (codeOf(error) !== 'EEXIST' || !(await stat(path)).isDirectory()) throw error
  }
}

const isThere = (path: string): Promise<boolean> => stat(path).then(() => true, (error: unknown) => codeOf(error) !== 'ENOENT')

/** `makeFolder` at once, for the history's thread and for the moment before Electron is up. */
export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) === 'ENOENT' && dirname(path) !== path && statSync(dirname(path), { throwIfNoEntry: false }) === undefined) {
      makeFolderSync(dirname(path))
      return makeFolderSync(path)
    }
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
