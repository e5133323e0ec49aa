/** Files that a person names: written whole or not at all, and never in the place of what is no regular file. */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { codeOf, replaceFile, syncFolder, writeFault, type FileText } from './write.ts'

/** Bytes that are written to find out whether there is room at all. */
const probeBytes = 4096

/** What lies in the place of a regular file. */
type Obstacle = 'folder' | 'link' | 'pipe' | 'socket' | 'device'
/** Why a file cannot be written: what lies there, or the system's error code. */
type Why = { readonly reason: Obstacle } | { readonly errno: string }

/** What stands in the way of a regular file. */
function whatStandsThere(found: Stats): Obstacle | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return 'folder'
  // Following it would write where nobody looked; replacing it would break what it was made for.
  if (found.isSymbolicLink()) return 'link'
  if (found.isFIFO()) return 'pipe'
  return found.isSocket() ? 'socket' : 'device'
}

async function obstacle(path: string): Promise<Why | undefined> {
  try {
    const reason = whatStandsThere(await lstat(path))
    return reason && { reason }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : { errno: codeOf(error) }
  }
}

/**
 * Finds out whether a file could be written, before the work whose results it is to hold: nothing but a regular
 * file may be in its place, and its folder must take a new file. Leaves nothing behind. Failure: `file-not-writable`.
 */
export async function tryChosen(path: string): Promise<Result<null, Failure>> {
  const refuse = (why: Why) => failed('file-not-writable', { file: basename(path), ...why })
  const inTheWay = await obstacle(path)
  if (inTheWay !== undefined) return refuse(inTheWay)
  const probe = join(dirname(path), `.${basename(path).slice(0, 100)}.new-${process.pid}.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(probe, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(probeBytes, '\n'))
      await file.sync()
    } finally {
      await file.close().finally(() => unlink(probe))
    }
    // The last step of writing: some file systems refuse it.
    await syncFolder(dirname(path))
    return ok(null)
  } catch (error) {
    const fault = writeFault(error)
    return refuse(fault === 'disk-full' ? { errno: 'ENOSPC' } : fault)
  }
}

/**
 * Writes a file that a person named; what was there before is as it was where it fails.
 *
 * @param code What it fails with besides `disk-full`; its sentence names the file and the reason.
 * @param temporary Where it is written first, as `temporaryPath` gives it.
 */
export async function writeChosen(
  path: string,
  text: FileText,
  code: 'file-unwritable' | 'batch-results-unwritable' = 'file-unwritable',
  temporary?: string
): Promise<Result<null, Failure>> {
  const inTheWay = await obstacle(path)
  const fault = inTheWay === undefined ? await replaceFile(path, text, temporary) : inTheWay
  if (fault === undefined) return ok(null)
  return fault === 'disk-full' ? failed('disk-full') : failed(code, { file: basename(path), ...fault })
}
