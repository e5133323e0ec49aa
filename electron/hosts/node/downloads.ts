/** Where a host without a file dialog saves a file: the user's downloads, under a free name. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { extname, join } from 'node:path'

/** A path that does not exist yet, numbered as browsers do: `name.csv`, `name (2).csv`. */
export function freeDownloadPath(suggestedName: string, home: string = homedir()): string {
  const downloads = join(home, 'Downloads')
  const folder = existsSync(downloads) ? downloads : home
  const extension = extname(suggestedName)
  const stem = suggestedName.slice(0, suggestedName.length - extension.length)
  for (let number = 1; ; number += 1) {
    const path = join(folder, number === 1 ? suggestedName : `${stem} (${number})${extension}`)
    if (!existsSync(path)) return path
  }
}
