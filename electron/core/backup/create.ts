/** Creates a backup and deletes the oldest ones. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { Backup } from '#contract/data-management/data-management.ts'
import type { HistoryState } from '#contract/history/records.ts'
import type { Settings } from '#contract/settings/settings.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { makeFolder, ownFileBytes, readRegular } from '#wire/files/regular.ts'
import { codeOf, syncFolder, writeAtomically } from '#wire/files/write.ts'
import { copyId } from '#core/history/folder-keys.ts'
import { historyFolder } from '#core/history/open.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { sizeOf } from './disk.ts'
import {
  backupIds,
  backupsFolder,
  describeBackup,
  inOrderAt,
  newBackupId,
  sweepUnfinished,
  unfinishedFolder,
  writeManifest,
  recoveryFileName
} from '#core/history/copy-folders.ts'

/** Dependencies of `createBackup`. */
export interface CreateParts {
  readonly dataFolder: string
  readonly clock: Clock
  readonly settings: () => Settings
  /** Whether the number of backups to keep is known: using a default instead could delete wanted ones. */
  readonly mayDeleteOld?: () => boolean
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  readonly historyState: () => HistoryState
}

/**
 * Creates a backup: copies, rewrites, checks and describes it, then gives it its final name. Partial backups are
 * removed. Failures: the history’s, `history-not-on-file`, `backup-failed`, `disk-full`, and those of checking the
 * copy.
 */
export async function createBackup(parts: CreateParts): Promise<Result<Backup, Failure>> {
  const { dataFolder } = parts
  const store = await parts.store()
  if (!store.ok) return store
  const state = parts.historyState()
  if (state.state !== 'ready' || state.kept !== 'file') return failed('history-not-on-file')
  const at = parts.clock.now()
  const id = newBackupId(at)
  const unfinished = unfinishedFolder(dataFolder, id)
  const give = async <T extends Result<Backup, Failure>>(result: T): Promise<T> => {
    if (!result.ok) await rm(unfinished, { recursive: true, force: true }).catch(() => undefined)
    return result
  }
  try {
    await sweepUnfinished(dataFolder)
    await makeFolder(unfinished)
    const made = await store.value.backup.make(unfinished)
    if (!made.ok) return await give(made)
    const { events, records, head, sha256, documents } = made.value
    await copyRecovery(dataFolder, unfinished)
    await copyId(dataFolder, unfinished)
    const size = await sizeOf(join(unfinished, 'history.db'))
    const written = await writeManifest(unfinished, {
      at,
      events,
      records,
      head,
      sha256,
      historyBytes: size,
      documents
    })
    if (!written.ok) return await give(written)
    await rename(unfinished, join(backupsFolder(dataFolder), id))
    // A recovery key created in the meantime was only added to backups that already had their final name.
    await copyRecovery(dataFolder, join(backupsFolder(dataFolder), id))
    await syncFolder(backupsFolder(dataFolder))
    await deleteOldBackups(parts, id, at)
    const described = await describeBackup(dataFolder, id)
    return described.state === 'whole'
      ? ok(described)
      : failed('backup-failed', { cause: described.failure ?? failure('backup-invalid', { reason: 'damaged' }) })
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error
    return give(codeOf(error) === 'ENOSPC' ? failed('disk-full') : failed('backup-failed', { errno: codeOf(error) }))
  }
}

/** Copies the current history’s recovery file into a backup, if there is one. Throws the file system’s errors. */
async function copyRecovery(dataFolder: string, to: string): Promise<void> {
  const text = await readRegular(join(historyFolder(dataFolder), recoveryFileName), ownFileBytes).catch(
    (error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  )
  const written = text === undefined ? ok(null) : await writeAtomically(join(to, recoveryFileName), text)
  if (!written.ok)
    throw Object.assign(new Error(written.failure.code), {
      code: written.failure.code === 'disk-full' ? 'ENOSPC' : 'EIO'
    })
}

/**
 * Deletes backups beyond the configured number. Only intact ones count; a damaged one is kept until that many intact
 * ones are newer. The one that was just made is never deleted, whatever the others are dated.
 */
async function deleteOldBackups(
  { dataFolder, settings, mayDeleteOld }: CreateParts,
  made: string,
  now: number
): Promise<void> {
  if (mayDeleteOld?.() === false) return
  let whole = 1
  for (const id of inOrderAt(await backupIds(dataFolder), now)) {
    if (id === made) continue
    if (whole >= settings().backupCount) await rm(join(backupsFolder(dataFolder), id), { recursive: true, force: true })
    else if ((await describeBackup(dataFolder, id)).state === 'whole') whole += 1
  }
}
