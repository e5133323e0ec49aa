/** The data folder at each start: made where it is missing, tried out, and for its owner alone. */
import { randomBytes } from 'node:crypto'
import { open, readdir, realpath, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { makeFolder } from '#core/files/regular.ts'
import { codeOf } from '#core/files/write.ts'
import { lockDataFolder, type DataLock } from './data-lock.ts'
import { narrowRights } from './folder-rights.ts'

export interface PreparedFolder {
  /** The folder's real path: whoever comes through a link has the same lock. */
  readonly path: string
  /** What a person should know of it. */
  readonly notices: readonly Failure[]
}

/**
 * Makes the folder where it is missing, and finds out whether files can be made in it; other users' rights to what
 * is Veridesk's are taken away. A full disk is no reason to refuse: what is there can still be read.
 *
 * Failure: `data-folder-unusable`; nothing was changed then.
 */
export async function prepareDataFolder(folder: string): Promise<Result<PreparedFolder, Failure>> {
  try {
    await makeFolder(folder)
    const path = await realpath(folder)
    await readdir(path)
    await tryOut(path)
    return ok({ path, notices: await narrowRights(path) })
  } catch (error) {
    return failed('data-folder-unusable', { folder, ...(await reasonAt(folder, error)) })
  }
}

export interface ClaimedFolder extends PreparedFolder {
  /** Undefined where another host holds the folder. */
  readonly lock: DataLock | undefined
}

/** Prepares the folder and takes its lock. @param onRaise As `lockDataFolder`. Failure: `data-folder-unusable`. */
export async function claimDataFolder(folder: string, onRaise: () => void): Promise<Result<ClaimedFolder, Failure>> {
  const prepared = await prepareDataFolder(folder)
  return prepared.ok ? lockPrepared(prepared.value, onRaise) : prepared
}

/** The second half of `claimDataFolder`, for a host that needs the folder before it can hear of a second start. */
export async function lockPrepared(prepared: PreparedFolder, onRaise: () => void): Promise<Result<ClaimedFolder, Failure>> {
  try {
    return ok({ ...prepared, lock: await lockDataFolder(prepared.path, onRaise) })
  } catch (error) {
    return failed('data-folder-unusable', { folder: prepared.path, reason: 'lock', errno: codeOf(error) })
  }
}

/** Only a file that was made proves that files can be made: what the permissions say is not asked of root, and not all that counts. */
async function tryOut(folder: string): Promise<void> {
  const path = join(folder, `.veridesk.new-${process.pid}.${randomBytes(6).toString('hex')}`)
  try {
    await (await open(path, 'wx', 0o600)).close()
    await unlink(path)
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error
  }
}

async function reasonAt(folder: string, error: unknown): Promise<{ readonly reason: 'not-a-folder' } | { readonly errno: string }> {
  const found = await stat(folder).catch(() => undefined)
  if (found && !found.isDirectory()) return { reason: 'not-a-folder' }
  return { errno: codeOf(error) }
}
