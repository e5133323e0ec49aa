/**
 * Opens and reads files without ever blocking, and within a limit: a pipe, a device or a folder under the name of one of
 * Veridesk's files, or under one that a person gives, would otherwise be read endlessly and block a thread of Node's pool.
 */
import { closeSync, constants, fstatSync, lstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { mkdir, open, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './write.ts'

/** BSD’s error code for a wrong file type; the failures’ phrases know it. */
const notAFile = (path: string): Error => Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' })

const tooLarge = (path: string): Error => Object.assign(new Error(`${path} is too large`), { code: 'EFBIG' })

/** Most bytes of one of Veridesk's own small files; a larger one is not from Veridesk. */
export const ownFileBytes = 8 * 1024 * 1024

/** Windows does not have this flag, and no pipes in folders. */
const nonBlocking = constants.O_NONBLOCK ?? 0

/**
 * Opens a regular file; throws `EFTYPE` for anything else. Throws the file system's errors.
 *
 * @param flags Of `open(2)`. A new file is readable and writable only by its owner.
 */
export async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const found = await stat(path).catch(() => undefined)
  // Opening a device may already have an effect.
  if (found && !found.isFile()) throw notAFile(path)
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

/** What was read of a file. Its size is where the reading begins, and not believed: some file systems say 0. */
class Content {
  private bytes: Buffer
  private length = 0
  private readonly path: string
  private readonly limit: number
  constructor(path: string, size: number, limit: number) {
    if (size > limit) throw tooLarge(path)
    this.bytes = Buffer.allocUnsafe(size + 1)
    this.path = path
    this.limit = limit
  }
  /** Where the next bytes belong. */
  free(): Buffer {
    if (this.length === this.bytes.length)
      this.bytes = Buffer.concat([this.bytes], Math.min(2 * this.length + 4096, this.limit + 1))
    return this.bytes.subarray(this.length)
  }
  /** Takes bytes that were read; the whole content once there are none. */
  took(count: number): Buffer | undefined {
    this.length += count
    if (this.length > this.limit) throw tooLarge(this.path)
    return count === 0 ? this.bytes.subarray(0, this.length) : undefined
  }
}

/**
 * The content of a regular file.
 *
 * @param limitBytes The most bytes that a file for this purpose may have. Throws the file system's errors, `EFTYPE` for
 * anything but a regular file, and `EFBIG` for a larger one.
 */
export async function readRegular(path: string, limitBytes: number): Promise<Buffer> {
  const handle = await openRegular(path, constants.O_RDONLY)
  try {
    const content = new Content(path, (await handle.stat()).size, limitBytes)
    for (;;) {
      const whole = content.took((await handle.read(content.free())).bytesRead)
      if (whole) return whole
    }
  } finally {
    await handle.close()
  }
}

/** Synchronous `readRegular`, for the time before a window and for changes that nothing may come between. */
export function readRegularSync(path: string, limitBytes: number): Buffer {
  if (!statSync(path).isFile()) throw notAFile(path)
  const descriptor = openSync(path, constants.O_RDONLY | nonBlocking)
  try {
    const found = fstatSync(descriptor)
    if (!found.isFile()) throw notAFile(path)
    const content = new Content(path, found.size, limitBytes)
    for (;;) {
      const whole = content.took(readSync(descriptor, content.free()))
      if (whole) return whole
    }
  } finally {
    closeSync(descriptor)
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

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => codeOf(error) !== 'ENOENT'
  )

/** Synchronous `makeFolder`, for the history's thread and for the time before Electron is ready. */
export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (
      codeOf(error) === 'ENOENT' &&
      dirname(path) !== path &&
      statSync(dirname(path), { throwIfNoEntry: false }) === undefined
    ) {
      makeFolderSync(dirname(path))
      return makeFolderSync(path)
    }
    if (codeOf(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
