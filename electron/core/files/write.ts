/** Writing a file so that at any moment, on any crash, either the old text or the new one is there whole. */
import { randomBytes } from 'node:crypto'
import { open, readdir, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'

/** Temporary files older than this many milliseconds were left by a crash; younger ones may be in use. */
const abandonedAfterMs = 60_000

/** Readable and writable by its owner alone. Windows keeps the folder's own permissions. */
const ownerOnly = 0o600

/**
 * Replaces a file: a new file in the same folder, synced, renamed over the old one, the folder synced.
 * A symbolic link at `path` is replaced, never followed. A large text may come in pieces.
 *
 * Failures: `disk-full`, `settings-locked`; the old file is as it was, and no temporary file stays.
 */
export async function writeAtomically(path: string, text: FileText): Promise<Result<null, Failure>> {
  const fault = await replaceFile(path, text)
  if (fault === undefined) return ok(null)
  return fault === 'disk-full' ? failed('disk-full') : failed('settings-locked', { file: basename(path), errno: fault.errno })
}

export type FileText = string | Uint8Array | AsyncIterable<string>

/** Why a file could not be written. */
export type WriteFault = 'disk-full' | { readonly errno: string }

/**
 * As `writeAtomically`, for who has sentences of their own; undefined where it was written.
 *
 * @param temporary Where it is written first, as `temporaryPath` gives it.
 */
export async function replaceFile(path: string, text: FileText, temporary = temporaryPath(path)): Promise<WriteFault | undefined> {
  const folder = dirname(path)
  try {
    // `wx` never opens what is there already, so a planted link leads nowhere.
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

/** Removes what writers of this file left behind when they were killed. Troubles are left for the next start. */
export async function sweepAbandoned(path: string, now: number): Promise<void> {
  const folder = dirname(path)
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(temporaryPrefix(path)))) {
    const left = join(folder, name)
    const found = await stat(left).catch(() => undefined)
    if (found && now - found.mtimeMs > abandonedAfterMs) await unlink(left).catch(() => undefined)
  }
}

/** A new name beside a file, which tells the process that writes it. */
export const temporaryPath = (path: string): string => join(dirname(path), `${temporaryPrefix(path)}${process.pid}.${randomBytes(6).toString('hex')}`)

const temporaryPrefix = (path: string): string => `.${basename(path)}.new-`

/** On Windows a virus scanner may hold either file for a moment. */
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

/** Without this a power cut may bring an old name in a folder back. Windows knows no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The system's error code, such as `ENOSPC`; `unknown` where there is none. */
export function codeOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'unknown'
}

/** What an error of the file system means for whoever writes. */
export const writeFault = (error: unknown): WriteFault =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'disk-full' : { errno: codeOf(error) }
