/**
 * Whether a folder is synchronised with other computers, by whom: a database that is copied while it is written may be damaged, and
 * its files leave the computer. Known by the programs' own names and marks; one that is renamed is not seen.
 */
import { lstat } from 'node:fs/promises'
import { dirname, posix, win32 } from 'node:path'

/** The folders that these programs make, by their usual names. */
const folderNames: readonly (readonly [name: string, folder: RegExp])[] = [
  ['OneDrive', /^OneDrive(?: ?- ?.+)?$/i],
  ['Dropbox', /^Dropbox(?: \(.+\))?$/i],
  ['iCloud Drive', /^(?:iCloud ?Drive|Mobile Documents|com~apple~CloudDocs)$/i],
  ['Google Drive', /^(?:Google ?Drive(?:-.+)?|DriveFS)$/i]
]
/** What they leave in the folder that they synchronise. */
const marks: readonly (readonly [name: string, mark: string])[] = [
  ['OneDrive', '.849C9593-D756-4E56-8D6E-42412F2A707B'],
  ['Dropbox', '.dropbox'],
  ['Dropbox', '.dropbox.cache'],
  ['Google Drive', '.tmp.driveupload'],
  ['Google Drive', '.tmp.drivedownload']
]
/** Variables that name a folder of OneDrive, which may have any name. */
const variables = ['OneDrive', 'OneDriveCommercial', 'OneDriveConsumer']

/** Whose folder a path is in, by names alone. @param path Absolute and real. */
export function cloudByName(
  platform: NodeJS.Platform,
  path: string,
  environment: NodeJS.ProcessEnv = {}
): string | undefined {
  const { sep, relative, isAbsolute } = platform === 'win32' ? win32 : posix
  const inside = (folder: string | undefined): boolean => {
    if (!folder) return false
    const rest = relative(folder, path)
    return !isAbsolute(rest) && rest.split(sep)[0] !== '..'
  }
  if (platform === 'win32' && variables.some((name) => inside(environment[name]))) return 'OneDrive'
  const parts = path.split(sep)
  return folderNames.find(([, folder]) => parts.some((part) => folder.test(part)))?.[0]
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false
  )

/** The program that synchronises a folder; undefined if none is known to. @param path Real. */
export async function cloudOf(path: string): Promise<string | undefined> {
  const named = cloudByName(process.platform, path, process.env)
  if (named !== undefined) return named
  for (let folder = path; ; folder = dirname(folder)) {
    for (const [name, mark] of marks) if (await isThere(`${folder}/${mark}`)) return name
    if (dirname(folder) === folder) return undefined
  }
}
