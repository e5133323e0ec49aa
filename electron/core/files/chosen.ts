/** Files that a person names: written whole or not at all, and never in the place of what is no regular file. */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, type Failure, type FailureCode } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { codeOf, reasonOf, replaceFile, syncFolder, writeFault, type FileText } from './write.ts'

/** Bytes that are written to find out whether there is room at all. */
const probeBytes = 4096

/** What stands in the way of a regular file, as the end of a sentence. */
function whatStandsThere(found: Stats): string | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return 'a folder is in its place'
  // Following it would write where nobody looked; replacing it would break what it was made for.
  if (found.isSymbolicLink()) return 'a link is in its place; name the file that it leads to'
  if (found.isFIFO()) return 'a pipe is in its place'
  return found.isSocket() ? 'a socket is in its place' : 'a device is in its place'
}

async function obstacle(path: string): Promise<string | undefined> {
  try {
    return whatStandsThere(await lstat(path))
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : reasonOf(error)
  }
}

/**
 * Finds out whether a file could be written, before the work whose results it is to hold: nothing but a regular
 * file may be in its place, and its folder must take a new file. Leaves nothing behind. Failure: `file-not-writable`.
 */
export async function tryChosen(path: string): Promise<Result<null, Failure>> {
  const refuse = (detail: string) => failed('file-not-writable', { file: basename(path), detail })
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
    return refuse(fault === 'disk-full' ? 'the disk is full' : fault.reason)
  }
}

/**
 * Writes a file that a person named; what was there before is as it was where it fails.
 *
 * @param code What it fails with besides `disk-full`; its sentence has a `{file}` and a `{detail}`.
 * @param temporary Where it is written first, as `temporaryPath` gives it.
 */
export async function writeChosen(
  path: string,
  text: FileText,
  code: FailureCode = 'file-unwritable',
  temporary?: string
): Promise<Result<null, Failure>> {
  const inTheWay = await obstacle(path)
  const fault = inTheWay === undefined ? await replaceFile(path, text, temporary) : { reason: inTheWay }
  if (fault === undefined) return ok(null)
  return fault === 'disk-full' ? failed('disk-full') : failed(code, { file: basename(path), detail: fault.reason })
}
