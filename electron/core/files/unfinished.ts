/**
 * Files at paths that the user chose. Each is written completely or not at all, and leftovers of a killed process are
 * removed: the path of the temporary file is listed in the data folder before it is created and until it is gone.
 * Only the process that holds the data folder's lock uses the list, so a listed path that it is not writing is a
 * leftover.
 */
import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { writeChosen } from './chosen.ts'
import { isOwnPath } from './own.ts'
import { ownFiles } from '#wire/files/own-names.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { codeOf, temporaryPath, writeAtomically, type FileText } from '#wire/files/write.ts'
import { createTurns } from '#kit/async/in-turn.ts'

const listSchema = z.object({ files: z.array(z.string()) })

/** `.NAME.new-PROCESS.RANDOM`, from `temporaryPath`. */
const temporaryName = /^\..+\.new-\d+\.[0-9a-f]{12}$/s

export interface ChosenFiles {
  /**
   * Writes a file like `writeChosen`, after removing leftovers. Failures: its own, and those of `writeAtomically` for
   * the list.
   */
  write(path: string, text: FileText, code?: Parameters<typeof writeChosen>[3]): Promise<Result<null, Failure>>
  /** Makes a folder in one that is there, or takes an empty one. Failures: `authority-folder-used`, `file-unwritable`. */
  folder(path: string): Promise<Result<null, Failure>>
  /**
   * Removes leftovers of a killed process. Returns the paths that could not be removed now, such as on a detached
   * disk.
   */
  sweep(): Promise<readonly string[]>
  /** Leftovers of earlier processes that are not removed yet. */
  left(): Promise<readonly string[]>
}

/** @param dataFolder This process must hold its lock. */
export function createChosenFiles(dataFolder: string): ChosenFiles {
  const path = join(dataFolder, ownFiles.unfinishedFiles)
  const active = new Set<string>()
  let leftovers: Promise<Set<string>> | undefined
  const inTurn = createTurns()
  /** What an earlier process was writing; empty if the list is unreadable. */
  const earlier = (): Promise<Set<string>> =>
    (leftovers ??= readRegular(path, ownFileBytes)
      .then((text) => new Set(listSchema.parse(JSON.parse(String(text))).files))
      .catch(() => new Set<string>()))

  async function save(): Promise<Result<null, Failure>> {
    const files = [...(await earlier()), ...active]
    if (files.length > 0)
      return writeAtomically(
        path,
        `${JSON.stringify({ format: 'veridesk-unfinished-files', version: 1, files }, null, 2)}\n`
      )
    await unlink(path).catch(() => undefined)
    return ok(null)
  }

  const sweep = (): Promise<readonly string[]> =>
    inTurn(async () => {
      const found = await earlier()
      if (found.size === 0) return []
      for (const file of found) if (await removed(file)) found.delete(file)
      await save()
      return [...found]
    })

  return {
    sweep,
    left: async () => [...(await earlier())],
    async folder(path) {
      const file = basename(path)
      if (await isOwnPath(path, dataFolder)) return failed('file-unwritable', { file, reason: 'own' })
      try {
        await mkdir(path, { mode: 0o700 })
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') return failed('file-unwritable', { file, errno: codeOf(error) })
        const isEmpty = await readdir(path).then(
          (names) => names.length === 0,
          () => false
        )
        // A link leads to where nobody has looked.
        if (!isEmpty || !(await lstat(path)).isDirectory()) return failed('authority-folder-used', { file })
      }
      return ok(null)
    },
    async write(to, text, code) {
      await sweep()
      const temporary = temporaryPath(to)
      active.add(temporary)
      const listed = await inTurn(save)
      const written = listed.ok ? await writeChosen(to, text, dataFolder, code, temporary) : listed
      active.delete(temporary)
      await inTurn(save)
      return written
    }
  }
}

const isOurs = (name: string, found: Stats): boolean =>
  temporaryName.test(name) &&
  found.isFile() &&
  found.nlink === 1 &&
  (process.getuid === undefined || found.uid === process.getuid())

/** Whether the temporary file is gone. A file with the same name that is not a temporary file of Veridesk stays. */
async function removed(file: string): Promise<boolean> {
  try {
    if (isOurs(basename(file), await lstat(file))) await unlink(file)
    return true
  } catch (error) {
    // Deleted, if its folder exists; a missing folder may be on a disk that is detached.
    return (
      codeOf(error) === 'ENOENT' &&
      (await stat(dirname(file)).then(
        () => true,
        () => false
      ))
    )
  }
}
