/** Writes a file atomically: after a crash at any moment, either the old or the new text is complete on disk. */
import { randomBytes } from 'node:crypto'
import { open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'

/** Temporary files older than this many milliseconds were left by a crash; younger ones may be in use. */
const abandonedAfterMs = 60_000

/** Readable and writable only by its owner. Windows keeps the folder's permissions. */
const ownerOnly = 0o600

/**
 * Replaces a file: creates a new file in the same folder, syncs it, renames it over the old one, and syncs the
 * folder. A symbolic link at `path` is replaced, never followed. A large text may be passed in pieces.
 *
 * Failures: `disk-full`, `settings-locked`; the old file is then unchanged, and no temporary file is left.
 */
export async function writeAtomically(path: string, text: FileText): Promise<Result<null, Failure>> {
  const fault = await replaceFile(path, text)
  if (fault === undefined) return ok(null)
  return fault === 'disk-full'
    ? failed('disk-full')
    : failed('settings-locked', { file: basename(path), errno: fault.errno })
}

export type FileText = string | Uint8Array | Iterable<Uint8Array> | AsyncIterable<string | Uint8Array>

/** Why a file could not be written. */
export type WriteFault = 'disk-full' | { readonly errno: string }

/**
 * Like `writeAtomically`, for callers with their own failures; undefined on success.
 *
 * @param temporary The temporary path, from `temporaryPath`.
 */
export async function replaceFile(
  path: string,
  text: FileText,
  temporary = temporaryPath(path)
): Promise<WriteFault | undefined> {
  const folder = dirname(path)
  try {
    // `wx` never opens an existing file, so a planted link has no effect.
    const file = await open(temporary, 'wx', ownerOnly)
    try {
      await file.writeFile(text, 'utf8')
      await file.sync()
    } finally {
      await file.close()
    }
    await renamePatiently(temporary, path)
    await syncFolder(folder)
    return undefined
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    return writeFault(error)
  }
}

/** Removes temporary files of this file that killed processes left. Errors are ignored until the next start. */
export async function sweepAbandoned(path: string, now: number): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(temporaryPrefix(path)))) {
    const left = join(folder, name)
    const found = await stat(left).catch(() => undefined)
    if (found && Math.abs(now - found.mtimeMs) > abandonedAfterMs) await unlink(left).catch(() => undefined)
  }
}

/** A new temporary path beside a file; it contains the id of the writing process. */
export const temporaryPath = (path: string): string =>
  join(dirname(path), `${temporaryPrefix(path)}${process.pid}.${randomBytes(6).toString('hex')}`)

const temporaryPrefix = (path: string): string => `.${basename(path)}.new-`

/** On Windows a virus scanner may hold either file briefly. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let left = process.platform === 'win32' ? 5 : 0; ; left -= 1) {
    try {
      return await rename(from, to)
    } catch (error) {
      if (left === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error))) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

/** Without this, a power cut may undo a rename in a folder. Windows has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The system's error code, such as `ENOSPC`; `unknown` if there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'unknown'
}

/** The write fault for a file system error. */
export const writeFault = (error: unknown): WriteFault =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'disk-full' : { errno: codeOf(error) }
