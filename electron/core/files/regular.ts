/**
 * Opens files in the data folder without ever blocking: a pipe, a device or a folder with one of Veridesk's file
 * names would otherwise be read endlessly and block a thread of Node's pool.
 */
import { constants, lstatSync, mkdirSync, statSync } from 'node:fs'
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './write.ts'

/** BSD’s error code for a wrong file type; the failures’ phrases know it. */
const notAFile = (path: string): Error => Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' })

/** Windows does not have this flag, and no pipes in folders. */
const nonBlocking = constants.O_NONBLOCK ?? 0

/**
 * Opens a regular file; throws `EFTYPE` for anything else. Throws the file system's errors.
 *
 * @param flags Of `open(2)`. A new file is readable and writable only by its owner.
 */
export async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags | nonBlocking, 0o600).catch((error: unknown) => {
    // A pipe without a reader.
    throw codeOf(error) === 'ENXIO' ? notAFile(path) : error
  })
  try {
    // Tests the open file: what is at the path may have been replaced.
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

/** Throws `EFTYPE` if the path is not a regular file; for code that opens files itself, such as SQLite. */
export function assertRegular(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  // A dangling or circular link: opening it would create the file somewhere else.
  if (found === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw notAFile(path)
  if (found && !found.isFile()) throw notAFile(path)
}

/**
 * Creates a folder and missing parents, accessible only to this user. Node's recursive `mkdir` loops endlessly if a
 * file system reports "no such folder" although the parent exists, as `/proc` does. Throws the file system's errors.
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

/** Synchronous `makeFolder`, for the history's thread and for the time before Electron is ready. */
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
