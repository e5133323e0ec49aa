/** Locations of copies of the history, and the description that each folder contains. */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { backupIdSchema, type Backup } from '#contract/data-management/data-management.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { ownFolders, setAsideName } from '#wire/files/own-names.ts'
import { ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { codeOf, writeAtomically } from '#wire/files/write.ts'

/** The history's master key, encrypted with the recovery key; in the history's folder and in each copy. */
export const recoveryFileName = 'recovery.sealed'

export const backupsFolder = (dataFolder: string): string => join(dataFolder, ownFolders.backups)

const unfinished = '.unfinished-'
/** Where a restore prepares its copy. */
export const unfinishedRestore = (dataFolder: string): string => join(dataFolder, ownFolders.unfinishedRestore)
const manifestName = 'backup.json'
const manifestSchema = z.strictObject({
  format: z.literal('veridesk-backup'),
  version: z.literal(1),
  at: z.int().nonnegative(),
  events: z.int().nonnegative(),
  records: z.int().nonnegative(),
  head: z.string().regex(/^[0-9a-f]{64}$/),
  /** Of history.db, which does not change again; subjects.db is rewritten by each erasure. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  historyBytes: z.int().positive(),
  /** The sealed files of documents that history.db names, which are not in the backup; `names`: SHA-256 over the sorted names, a line each. */
  documents: z.strictObject({
    count: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
    names: z.string().regex(/^[0-9a-f]{64}$/)
  })
})
export type BackupManifest = z.output<typeof manifestSchema>

/** A new backup's id; ids sort by time. */
export function newBackupId(at: number): string {
  return `${new Date(at).toISOString().replace(/[-:.]/g, '')}-${randomBytes(2).toString('hex')}`
}
export const unfinishedFolder = (dataFolder: string, id: string): string =>
  join(backupsFolder(dataFolder), unfinished + id)

export function writeManifest(
  folder: string,
  manifest: Omit<BackupManifest, 'format' | 'version'>
): Promise<Result<null, Failure>> {
  const whole: BackupManifest = { format: 'veridesk-backup', version: 1, ...manifest }
  return writeAtomically(join(folder, manifestName), `${JSON.stringify(whole, null, 2)}\n`)
}

export async function readManifest(folder: string): Promise<BackupManifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(String(await readRegular(join(folder, manifestName), ownFileBytes))))
  } catch {
    return undefined
  }
}

/** Ids of finished backups, newest first. */
export async function backupIds(dataFolder: string): Promise<string[]> {
  const names = await readdir(backupsFolder(dataFolder)).catch(() => [])
  return names
    .filter((name) => backupIdSchema.safeParse(name).success)
    .sort()
    .reverse()
}

/** Ids with those dated after `now` at the end: a clock that was ahead dated them, and when they were made is not known. */
export function inOrderAt(ids: readonly string[], now: number): string[] {
  const isDated = (id: string): boolean => timeOf(id) <= now
  return [...ids.filter(isDated), ...ids.filter((id) => !isDated(id))]
}

/** Describes a backup from its manifest and file sizes; only a check reads its content. */
export async function describeBackup(dataFolder: string, id: string): Promise<Backup> {
  const folder = join(backupsFolder(dataFolder), id)
  const manifest = await readManifest(folder)
  const blank = { id, at: timeOf(id), bytes: 0, events: 0, records: 0, head: '', documents: 0 }
  if (!manifest) return { ...blank, state: 'unreadable', failure: failure('backup-invalid', { reason: 'no-manifest' }) }
  const [history, subjects] = await Promise.all(['history.db', 'subjects.db'].map((name) => sizeOf(join(folder, name))))
  const { at, events, records, head } = manifest
  const documents = manifest.documents.count
  const known = { id, at, events, records, head, documents, bytes: (history ?? 0) + (subjects ?? 0) }
  if (history === undefined || subjects === undefined)
    return {
      ...known,
      state: 'unreadable',
      failure: failure('backup-invalid', {
        reason: 'file-missing',
        file: history === undefined ? 'history.db' : 'subjects.db'
      })
    }
  if (history !== manifest.historyBytes)
    return {
      ...known,
      state: 'invalid',
      failure: failure('backup-invalid', { reason: 'other-size', file: 'history.db' })
    }
  return { ...known, state: 'whole' }
}

const timeOf = (id: string): number =>
  Date.parse(id.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'))
const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined
  )
export const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false
  )

/** Removes partial folders that a crash left, including their keys; never a folder with a final name. */
export async function sweepUnfinished(dataFolder: string): Promise<void> {
  await rm(unfinishedRestore(dataFolder), { recursive: true, force: true })
  const folder = backupsFolder(dataFolder)
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/** Histories set aside at or after `at`, newest first: they may contain requests sent since. All, if `at` is after `now`. */
export async function setAsideSince(dataFolder: string, at: number, now: number): Promise<string[]> {
  const names = (await readdir(dataFolder).catch(() => [])).filter((name) => name.startsWith(setAsideName))
  const timeOfName = (name: string): number =>
    Date.parse(name.replace(/^history-set-aside-(.+)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, '$1T$2:$3:$4.$5Z'))
  // A name without a time was not given by Veridesk and may be of any time.
  return names
    .filter((name) => at > now || !(timeOfName(name) < at))
    .sort()
    .reverse()
    .map((name) => join(dataFolder, name))
}

/** Every folder besides the current history that may contain keys: backups, and histories that were set aside. */
export async function copyFolders(dataFolder: string): Promise<string[]> {
  const aside = (await readdir(dataFolder).catch(() => [])).filter((name) => name.startsWith(setAsideName)).sort()
  const ids = await backupIds(dataFolder)
  return [...ids.map((id) => join(backupsFolder(dataFolder), id)), ...aside.map((name) => join(dataFolder, name))]
}

/**
 * Every folder that has a history or should have one, besides the current one, relative to the data folder; also under a name that
 * Veridesk does not give, since a person may have renamed it. What is half made is a copy of one of these. Throws the file system's errors.
 */
export async function historiesBeside(
  dataFolder: string
): Promise<readonly { readonly name: string; readonly isBackup: boolean }[]> {
  const found: { readonly name: string; readonly isBackup: boolean }[] = []
  const besides: readonly string[] = [ownFolders.history, ownFolders.unfinishedRestore]
  for (const isBackup of [false, true]) {
    const folder = isBackup ? backupsFolder(dataFolder) : dataFolder
    const names = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    })
    for (const name of names) {
      if (isBackup ? name.startsWith(unfinished) : besides.includes(name)) continue
      const isExpected = isBackup ? backupIdSchema.safeParse(name).success : name.startsWith(setAsideName)
      if (isExpected || (await exists(join(folder, name, 'history.db'))))
        found.push({ name: isBackup ? join(ownFolders.backups, name) : name, isBackup })
    }
  }
  return found
}

/** Every key file except the current one. */
export async function copiesOfKeys(dataFolder: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of await copyFolders(dataFolder)) {
    const names = await readdir(folder).catch((): string[] => [])
    found.push(...names.filter((name) => name === 'subjects.db').map((name) => join(folder, name)))
  }
  return found
}

export const recoveryFiles = (folders: readonly string[]): string[] =>
  folders.map((folder) => join(folder, recoveryFileName))
