/** Temporary files that killed processes left: removed at a start, by a host that holds the data folder. */
import type { Stats } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownFolders } from '#wire/files/own-names.ts'

/** What is younger may be in use by another process, even one that was suspended for a night. */
const leftAfterMs = 24 * 60 * 60 * 1000

/** Profiles of a browser for printing, and what `reg.exe` wrote; `mkdtemp` adds six characters. Sample data have a lock of their own. */
const ofSystem = /^veridesk-(?:window|policies)-[A-Za-z0-9]{6}$/
/** Of `replaceFile`: `.settings.json.new-123.0123456789ab`; and copies that were read to find out whether a history was used. */
const ofFolder = /^\.(?:.+\.new-\d+\.[0-9a-f]{12}|unused-[A-Za-z0-9]{6})$/

const isOwn = (found: Stats): boolean => process.getuid === undefined || found.uid === process.getuid()

/**
 * Removes what is left in the temporary folder of the system and in the data folder: by its name, older than a day, of this user, and
 * no link. Links in a folder are removed, not followed. Never fails: what cannot be removed stays for the next start.
 *
 * @param temporary The temporary folder of the system.
 */
export async function sweepLeft(dataFolder: string, now = Date.now(), temporary = tmpdir()): Promise<void> {
  const places = [
    [temporary, ofSystem],
    [dataFolder, ofFolder],
    [join(dataFolder, ownFolders.history), ofFolder]
  ] as const
  for (const [folder, pattern] of places) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!pattern.test(name)) continue
      const path = join(folder, name)
      const found = await lstat(path).catch(() => undefined)
      if (!found || found.isSymbolicLink() || !isOwn(found) || now - found.mtimeMs < leftAfterMs) continue
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
    }
  }
}
