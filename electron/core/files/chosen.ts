/**
 * Files at a path that the user chose: written completely or not at all, never in place of anything but a regular file,
 * and never in Veridesk's own data. Every writer of such a file passes here.
 */
import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { isOwnPath } from './own.ts'
import { codeOf, replaceFile, syncFolder, writeFault, type FileText } from '#wire/files/write.ts'

/** Bytes written to test whether there is any space. */
const probeBytes = 4096

/** What exists instead of a regular file; `own` is a place in Veridesk's data. */
type Obstacle = 'folder' | 'link' | 'pipe' | 'socket' | 'device' | 'own'
/** Why a file cannot be written: what exists there, or the system's error code. */
type Why = { readonly reason: Obstacle } | { readonly errno: string }

/** The kind of object that prevents writing a regular file. */
function obstacleKind(found: Stats): Obstacle | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return 'folder'
  // Following a link would write to an unexpected place; replacing it would break its purpose.
  if (found.isSymbolicLink()) return 'link'
  if (found.isFIFO()) return 'pipe'
  return found.isSocket() ? 'socket' : 'device'
}

async function obstacle(path: string, dataFolder: string): Promise<Why | undefined> {
  try {
    if (await isOwnPath(path, dataFolder)) return { reason: 'own' }
    const reason = obstacleKind(await lstat(path))
    return reason && { reason }
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : { errno: codeOf(error) }
  }
}

/**
 * Tests whether a file could be written, before the work that produces its content: nothing but a regular file may
 * exist at its path, and its folder must accept a new file. Leaves nothing behind. Failure: `file-not-writable`.
 *
 * @param dataFolder Where nothing is written.
 */
export async function testWritable(path: string, dataFolder: string): Promise<Result<null, Failure>> {
  const refuse = (why: Why) => failed('file-not-writable', { file: basename(path), ...why })
  const inTheWay = await obstacle(path, dataFolder)
  if (inTheWay !== undefined) return refuse(inTheWay)
  const probe = join(
    dirname(path),
    `.${basename(path).slice(0, 100)}.new-${process.pid}.${randomBytes(6).toString('hex')}`
  )
  try {
    const file = await open(probe, 'wx', 0o600)
    try {
      await file.writeFile(Buffer.alloc(probeBytes, '\n'))
      await file.sync()
    } finally {
      await file.close().finally(() => unlink(probe))
    }
    // The last step of writing, which some file systems refuse.
    await syncFolder(dirname(path))
    return ok(null)
  } catch (error) {
    const fault = writeFault(error)
    return refuse(fault === 'disk-full' ? { errno: 'ENOSPC' } : fault)
  }
}

/**
 * Writes a file at a path that the user chose; on failure an existing file stays unchanged.
 *
 * @param dataFolder Where nothing is written.
 * @param code The failure other than `disk-full`; its sentence names the file and the reason.
 * @param temporary The temporary path, from `temporaryPath`.
 */
export async function writeChosen(
  path: string,
  text: FileText,
  dataFolder: string,
  code: 'file-unwritable' | 'batch-results-unwritable' = 'file-unwritable',
  temporary?: string
): Promise<Result<null, Failure>> {
  const inTheWay = await obstacle(path, dataFolder)
  const fault = inTheWay === undefined ? await replaceFile(path, text, temporary) : inTheWay
  if (fault === undefined) return ok(null)
  return fault === 'disk-full' ? failed('disk-full') : failed(code, { file: basename(path), ...fault })
}
