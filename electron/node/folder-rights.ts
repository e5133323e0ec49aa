/** Other users' rights to the data folder: taken away where the folder is Veridesk's own, and told of. */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { failure, type Failure } from '#contract/failures.ts'

/** What Veridesk and Electron make in a data folder. */
const ownNames: readonly RegExp[] = [
  /^(settings|connections|data-folder|early-notes|window)(\.damaged-[\w-]+)?\.json$/,
  /^(erased-keys\.txt|running\.lock)$/,
  /^(history|logs|backups|browser|Crashpad|DIPS.*|Singleton.*)$/,
  /^history-(restored|set-aside)[\w.-]*$/,
  /^\..+\.new-[\w.]+$/,
  /^window\.json\.\d+\.tmp$/
]
const isOwn = (name: string): boolean => ownNames.some((own) => own.test(name))

/** What Chromium keeps is its own to guard, and much; its folder is closed to others. */
const notEntered: readonly string[] = ['browser', 'Crashpad']

/** The rights of the group and of all others. */
const others = 0o077
/** Of a folder that all may write to, such as /tmp. */
const sticky = 0o1000

type Outcome = 'narrow already' | 'narrowed' | 'not ours' | 'shared'

/**
 * Takes others' rights to the folder, and to Veridesk's files in it, away; links are not followed. A folder that
 * holds other things too keeps its own rights: they may be somebody's intention. Told is what others could reach: files
 * in a folder that was closed to them are narrowed without a word. Windows has no such rights.
 * Never fails: what cannot be narrowed is told.
 */
export async function narrowRights(folder: string): Promise<Failure[]> {
  if (process.platform === 'win32') return []
  const names = await readdir(folder)
  const foreign = names.find((name) => !isOwn(name))
  const itself = await narrow(folder, foreign === undefined)
  const count = { folders: itself === 'narrowed' ? 1 : 0, files: 0 }
  for (const name of names.filter(isOwn)) await narrowBelow(join(folder, name), !notEntered.includes(name), count)
  const notices: Failure[] = []
  // In a closed folder nobody had access to them, whatever their own rights said.
  if (itself !== 'narrow already' && count.folders + count.files > 0) notices.push(failure('data-folder-narrowed', count))
  if (itself === 'shared') notices.push(failure('data-folder-open', { folder, ...(foreign === undefined ? { reason: 'shared' } : { reason: 'other-files', name: foreign }) }))
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

/** By what was opened and not by its name, which somebody with rights to the folder could exchange. */
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
