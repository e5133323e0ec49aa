/** Where locks are that belong to a user and not to a data folder. */
import { stat } from 'node:fs/promises'
import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { makeFolder } from '#wire/files/regular.ts'

/**
 * A folder that only this user may write to, and the same for all of the user's processes, whatever their environment says. The
 * temporary folder of macOS and Windows is one already. On Linux all users share it, so it is only used if there is nothing else.
 */
export async function locksFolder(): Promise<string> {
  const uid = process.getuid?.()
  if (process.platform !== 'linux' || uid === undefined) return tmpdir()
  const candidates = [`/run/user/${uid}`, join(homeOfAccount(), '.cache', 'veridesk')]
  for (const folder of candidates) {
    if (folder !== candidates[0]) await makeFolder(folder).catch(() => undefined)
    const found = await stat(folder).catch(() => undefined)
    if (found?.isDirectory() && found.uid === uid && (found.mode & 0o022) === 0) return folder
  }
  return tmpdir()
}

/** By the list of accounts; a container may have none for this user. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir
  } catch {
    return homedir()
  }
}
