/**
 * Files in places that a person chose. Each is written whole or not at all, and what a killed program left of one does
 * not stay: the name of its temporary file stands in a list in the data folder from before it is made until it is gone.
 * Whoever has the lock of the data folder is alone with the list, so that a name in it that this program does not write
 * is nobody's.
 */
import type { Stats } from 'node:fs'
import { lstat, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { writeChosen } from './chosen.ts'
import { codeOf, temporaryPath, writeAtomically, type FileText } from './write.ts'

export const unfinishedListName = 'unfinished-files.json'
const listSchema = z.object({ files: z.array(z.string()) })

/** `.NAME.new-PROCESS.RANDOM`, as `temporaryPath` makes it. */
const temporaryName = /^\.(.+)\.new-(\d+)\.[0-9a-f]{12}$/s
/** Milliseconds without a change after which a file that no list names was left by a crash, if its process is gone, too. */
const abandonedAfterMs = 600_000

export interface ChosenFiles {
  /** Writes a file as `writeChosen` does; leftovers of earlier ones go first. Failures: its own, and those of `writeAtomically` for the list. */
  write(path: string, text: FileText, code?: Parameters<typeof writeChosen>[2]): Promise<Result<null, Failure>>
  /** Removes what a killed program has left. Gives the paths of what could not be removed now, such as on a disk that is not there. */
  sweep(): Promise<readonly string[]>
  /** What an earlier program has left and nobody has removed yet. */
  left(): Promise<readonly string[]>
}

/** @param dataFolder Of which this process holds the lock. */
export function createChosenFiles(dataFolder: string): ChosenFiles {
  const path = join(dataFolder, unfinishedListName)
  const active = new Set<string>()
  let leftovers: Promise<Set<string>> | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work)
    turn = mine.catch(() => undefined)
    return mine
  }
  /** What an earlier run was writing; a list that cannot be read names nothing. */
  const earlier = (): Promise<Set<string>> =>
    (leftovers ??= readFile(path, 'utf8')
      .then((text) => new Set(listSchema.parse(JSON.parse(text)).files))
      .catch(() => new Set<string>()))

  async function save(): Promise<Result<null, Failure>> {
    const files = [...(await earlier()), ...active]
    if (files.length > 0) return writeAtomically(path, `${JSON.stringify({ format: 'veridesk-unfinished-files', version: 1, files }, null, 2)}\n`)
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
    async write(to, text, code) {
      await sweep()
      await sweepBeside(to)
      const temporary = temporaryPath(to)
      active.add(temporary)
      const listed = await inTurn(save)
      const written = listed.ok ? await writeChosen(to, text, code, temporary) : listed
      active.delete(temporary)
      await inTurn(save)
      return written
    }
  }
}

const isOurs = (name: string, found: Stats): boolean =>
  temporaryName.test(name) && found.isFile() && found.nlink === 1 && (process.getuid === undefined || found.uid === process.getuid())

/** Whether nothing of ours is left there. What has the name and is none of our temporary files stays, and is not ours. */
async function removed(file: string): Promise<boolean> {
  try {
    if (isOurs(basename(file), await lstat(file))) await unlink(file)
    return true
  } catch (error) {
    // Gone, where its folder is there; a folder that is not there may be on a disk that comes back.
    return codeOf(error) === 'ENOENT' && (await stat(dirname(file)).then(() => true, () => false))
  }
}

/**
 * Versions before the list have left files, too: those in the folder that is written to go where their name was made
 * here, their process has ended, and they have long been as they are. Troubles are left for the next time.
 */
async function sweepBeside(path: string): Promise<void> {
  const folder = dirname(path)
  for (const name of await readdir(folder).catch(() => [])) {
    const [, of, pid] = temporaryName.exec(name) ?? []
    if (of === undefined || pid === undefined || (of !== basename(path) && !of.startsWith('veridesk-')) || lives(Number(pid))) continue
    const left = join(folder, name)
    const found = await lstat(left).catch(() => undefined)
    if (found && isOurs(name, found) && Date.now() - found.mtimeMs > abandonedAfterMs) await unlink(left).catch(() => undefined)
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}
