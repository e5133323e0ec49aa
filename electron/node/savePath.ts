/** A place for a new file where no dialog can ask for one: the downloads folder, under a name that is still free. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, extname, join } from 'node:path'

/** The path for a suggested name; ` (2)`, ` (3)` and so on are added where the name is taken. */
export function freeDownloadPath(suggestedName: string, home: string = homedir()): string {
  const downloads = join(home, 'Downloads')
  const folder = existsSync(downloads) ? downloads : home
  const name = basename(suggestedName)
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  let path = join(folder, name)
  for (let number = 2; existsSync(path); number += 1) path = join(folder, `${stem} (${number})${extension}`)
  return path
}
