/**
 * The temporary data folder of a session with sample data: created for it alone, deleted when it ends, and deleted by the next
 * one if it was killed.
 */
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { locksFolder } from '#core/files/locks-folder.ts'
import { takeLock, type OsLock } from '#core/files/os-lock.ts'
import { createChosenFiles } from '#core/files/unfinished.ts'
import { codeOf } from '#wire/files/write.ts'
import { lockDataFolder, type DataLock } from './data-lock.ts'
import type { ClaimedFolder } from './prepare-folder.ts'

/** Begins the name of each such folder; `mkdtemp` adds six characters. */
const beginning = 'veridesk-sample-'
const folderName = /^veridesk-sample-[A-Za-z0-9]{6}$/

/** Milliseconds to wait for another session that is starting; removing what a crash left takes less. */
const maxWait = 10_000
/** Milliseconds between two attempts. */
const retryEvery = 50

export interface SampleFolder extends ClaimedFolder {
  readonly lock: DataLock
  /** Deletes the folder with all that is in it, and releases its lock. Never fails: the next session deletes what is left. */
  remove(): Promise<void>
}

/**
 * Creates the folder with its lock, after deleting what killed sessions left. Several sessions may run at once, each in a folder
 * of its own. Failure: `data-folder-unusable`.
 *
 * @param onRaise As for `lockDataFolder`.
 */
export async function openSampleFolder(onRaise: () => void): Promise<Result<SampleFolder, Failure>> {
  const parent = await realpath(tmpdir()).catch(() => tmpdir())
  // One start at a time: a folder that is not locked yet must not be taken for one that a crash left.
  const starting = await startLock(parent)
  if (!starting) return failed('data-folder-unusable', { folder: parent, reason: 'lock', errno: 'ETIMEDOUT' })
  try {
    await deleteLeft(parent)
    // Accessible only to this user, like every folder that mkdtemp creates.
    const path = await mkdtemp(join(parent, beginning))
    const lock = await lockDataFolder(path, onRaise)
    if (!lock) return failed('data-folder-unusable', { folder: path, reason: 'lock', errno: 'EBUSY' })
    // However the process ends, unless it is killed.
    process.once('exit', () => deleteNow(path))
    const remove = async (): Promise<void> => {
      await deleteFolder(path)
      await lock.release()
    }
    return ok({ path, lock, notices: [], remove })
  } catch (error) {
    return failed('data-folder-unusable', { folder: parent, errno: codeOf(error) })
  } finally {
    await starting.release()
  }
}

async function startLock(parent: string): Promise<OsLock | undefined> {
  const until = performance.now() + maxWait
  for (;;) {
    const lock = await takeLock(
      join(
        await locksFolder(),
        `veridesk-samples-${createHash('sha256').update(parent).digest('hex').slice(0, 16)}.lock`
      )
    ).catch(() => undefined)
    if (lock || performance.now() >= until) return lock
    await delay(retryEvery)
  }
}

/** Deletes the folders of sessions that have ended without doing so. What cannot be deleted stays for the next start. */
async function deleteLeft(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    if (!folderName.test(name) || !(await isOwnFolder(path))) continue
    const lock = await lockDataFolder(path, () => undefined).catch(() => undefined)
    if (!lock) continue
    // Exports that were being written into folders of the user.
    await createChosenFiles(path)
      .sweep()
      .catch(() => undefined)
    await deleteFolder(path)
    await lock.release()
  }
}

/** A folder of this user, and no link to one. */
async function isOwnFolder(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid())
}

/** Links in it are removed, not followed. On Windows a file may be in use for a moment longer. */
async function deleteFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }).catch(() => undefined)
}

function deleteNow(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // The next session deletes it.
  }
}
