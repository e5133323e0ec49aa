/** Prepares the data folder at each start: creates it if missing, tests it, and restricts it to its owner. */
import { randomBytes } from 'node:crypto'
import { open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { makeFolder } from '#wire/files/regular.ts'
import { codeOf } from '#wire/files/write.ts'
import { cloudOf } from './cloud-folder.ts'
import { lockDataFolder, type DataLock } from './data-lock.ts'
import { narrowRights } from './folder-rights.ts'
import { networkOf } from './network-folder.ts'
import { sweepLeft } from './sweep.ts'

export interface PreparedFolder {
  /** The folder's real path, so that the lock is the same through a link. */
  readonly path: string
  /** What the user should know about it. */
  readonly notices: readonly Failure[]
}

/**
 * Creates the folder if it is missing, tests whether files can be created in it, and removes other users' permissions
 * on what belongs to Veridesk. A full disk is accepted: existing data can still be read.
 *
 * Failure: `data-folder-unusable`; nothing was changed then.
 */
export async function prepareDataFolder(folder: string): Promise<Result<PreparedFolder, Failure>> {
  const network = await networkOf(folder)
  if (network !== undefined) return failed('data-folder-unusable', { folder, reason: 'network', network })
  try {
    await makeFolder(folder)
    const path = await realpath(folder)
    await readdir(path)
    await tryOut(path)
    const cloud = await cloudOf(path)
    const synchronised = cloud === undefined ? [] : [failure('data-folder-synchronised', { folder, cloud })]
    return ok({ path, notices: [...synchronised, ...(await narrowRights(path))] })
  } catch (error) {
    return failed('data-folder-unusable', { folder, ...(await reasonAt(folder, error)) })
  }
}

export interface ClaimedFolder extends PreparedFolder {
  /** Undefined if another host holds the folder. */
  readonly lock: DataLock | undefined
}

/**
 * Prepares the folder and takes its lock. Failure: `data-folder-unusable`.
 *
 * @param onRaise As for `lockDataFolder`.
 */
export async function claimDataFolder(folder: string, onRaise: () => void): Promise<Result<ClaimedFolder, Failure>> {
  const prepared = await prepareDataFolder(folder)
  return prepared.ok ? lockPrepared(prepared.value, onRaise) : prepared
}

/** The second half of `claimDataFolder`, which sweeps what killed processes left; for a host that needs the folder before it can react to a second start. */
export async function lockPrepared(
  prepared: PreparedFolder,
  onRaise: () => void
): Promise<Result<ClaimedFolder, Failure>> {
  try {
    const lock = await lockDataFolder(prepared.path, onRaise)
    if (lock) await sweepLeft(prepared.path)
    return ok({ ...prepared, lock })
  } catch (error) {
    return failed('data-folder-unusable', { folder: prepared.path, reason: 'lock', errno: codeOf(error) })
  }
}

/** Creates a file to prove that it is possible: permissions do not apply to root, and are not the only obstacle. */
async function tryOut(folder: string): Promise<void> {
  const path = join(folder, `.veridesk.new-${process.pid}.${randomBytes(6).toString('hex')}`)
  try {
    await (await open(path, 'wx', 0o600)).close()
    await unlink(path)
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
  }
}

async function reasonAt(
  folder: string,
  error: unknown
): Promise<{ readonly reason: 'not-a-folder' } | { readonly errno: string }> {
  const found = await stat(folder).catch(() => undefined)
  if (found && !found.isDirectory()) return { reason: 'not-a-folder' }
  return { errno: codeOf(error) }
}
