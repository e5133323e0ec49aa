/** Removes other users' permissions on the data folder, if it is Veridesk's own, and reports them. */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { isOwnName, ownFolders } from '#wire/files/own-names.ts'

/** Chromium protects its own files, and there are many; its folder is closed to others. */
const notEntered: readonly string[] = [ownFolders.browser]

/** The permissions of the group and of all others. */
const others = 0o077
/** Set on a folder that everybody may write to, such as /tmp. */
const sticky = 0o1000

type Outcome = 'narrow already' | 'narrowed' | 'not ours' | 'shared'

/**
 * Removes others' permissions on the folder and Veridesk's files in it; links are not followed. A folder that
 * contains other things keeps its permissions, which may be intentional. Reports only what others could access: files
 * in a folder that was closed to them are changed without notice. Windows has no such permissions. Never fails: what
 * cannot be changed is reported.
 */
export async function narrowRights(folder: string): Promise<Failure[]> {
  if (process.platform === 'win32') return []
  const names = await readdir(folder)
  const foreign = names.find((name) => !isOwnName(name))
  const itself = await narrow(folder, foreign === undefined)
  const count = { folders: itself === 'narrowed' ? 1 : 0, files: 0 }
  for (const name of names.filter(isOwnName)) await narrowBelow(join(folder, name), !notEntered.includes(name), count)
  const notices: Failure[] = []
  // In a closed folder nobody else had access to them, whatever their own permissions.
  if (itself !== 'narrow already' && count.folders + count.files > 0)
    notices.push(failure('data-folder-narrowed', count))
  if (itself === 'shared')
    notices.push(
      failure('data-folder-open', {
        folder,
        ...(foreign === undefined ? { reason: 'shared' } : { reason: 'other-files', name: foreign })
      })
    )
  if (itself === 'not ours') notices.push(failure('data-folder-open', { folder, reason: 'other-owner' }))
  return notices
}

async function narrowBelow(path: string, enter: boolean, count: { folders: number; files: number }): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => undefined)
  if ((await narrow(path, true)) === 'narrowed') count[entries ? 'folders' : 'files'] += 1
  if (!entries || !enter) return
  for (const entry of entries) {
    if (entry.isDirectory() || entry.isFile()) await narrowBelow(join(path, entry.name), enter, count)
  }
}

/** Works on the opened file and not on its name, which somebody with permissions on the folder could replace. */
async function narrow(path: string, may: boolean): Promise<Outcome> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  const handle = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(() => undefined)
  if (!handle) return 'narrow already'
  try {
    const { mode, uid } = await handle.stat()
    if ((mode & others) === 0) return 'narrow already'
    if (uid !== process.getuid?.()) return 'not ours'
    if (!may || (mode & sticky) !== 0) return 'shared'
    await handle.chmod(mode & 0o700)
    return 'narrowed'
  } catch {
    return 'not ours'
  } finally {
    await handle.close()
  }
}
