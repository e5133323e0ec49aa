/** Which paths lead into a data folder of Veridesk: nothing that a person names is written there. */
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isOwnName, ownFiles } from '#wire/files/own-names.ts'

/** Which file it is, whatever its path: links and other spellings lead to the same one. Undefined if it cannot be examined. */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  return found && `${found.dev}-${found.ino}`
}

/**
 * Whether a file at this path would be in a data folder, this or another, or is a file of this one under another name.
 * Never rejects: a path that cannot be examined cannot be written to either.
 *
 * @param dataFolder May be missing.
 */
export async function isOwnPath(path: string, dataFolder: string): Promise<boolean> {
  const names = (await readdir(dataFolder).catch(() => [])).filter(isOwnName)
  // A part of the data folder may be a link to another disk.
  const own = new Set(await Promise.all(['.', ...names].map((name) => identityOf(join(dataFolder, name)))))
  own.delete(undefined)
  let folder = await realpath(dirname(path)).catch(() => undefined)
  while (folder !== undefined) {
    const identity = await identityOf(folder)
    if ((identity !== undefined && own.has(identity)) || (await identityOf(join(folder, ownFiles.dataFolder))))
      return true
    folder = dirname(folder) === folder ? undefined : dirname(folder)
  }
  const target = await identityOf(path)
  if (target === undefined || own.has(target)) return target !== undefined
  if (!(await hasOtherNames(path))) return false
  for (const name of names) if (await contains(join(dataFolder, name), target)) return true
  return false
}

const hasOtherNames = (path: string): Promise<boolean> =>
  lstat(path).then(
    ({ nlink }) => nlink > 1,
    () => false
  )

/** Whether a file is in the folder or below it; links are not followed. */
async function contains(folder: string, identity: string): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && (await identityOf(path)) === identity) return true
    if (entry.isDirectory() && (await contains(path, identity))) return true
  }
  return false
}
