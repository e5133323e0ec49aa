/** Backups: list, create (manually or on schedule), check and restore, one operation at a time. */
import { isDeepStrictEqual } from 'node:util'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { Backup, BackupList, Restored } from '#contract/data-management/data-management.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { SinceBackup } from '#contract/data-management/since-backup.ts'
import { backupIds, backupsFolder, describeBackup, inOrderAt } from '#core/history/copy-folders.ts'
import { checkBackup } from './check.ts'
import { createBackup, type CreateParts } from './create.ts'
import { restoreBackup, type RestoreParts } from './restore.ts'
import { createTurns } from '#kit/async/in-turn.ts'

export interface BackupParts extends CreateParts, RestoreParts {
  readonly changed: () => void
  /** Called with each backup created and what requested it. Must not fail. */
  readonly made: (backup: Backup, by: 'person' | 'schedule') => Promise<void>
  /** Called when `notices` has changed. */
  readonly noticed: () => void
}

export interface Backups {
  list(): Promise<Result<BackupList, Failure>>
  make(): Promise<Result<Backup, Failure>>
  check(id: string): Promise<Result<Backup, Failure>>
  /** What a restore would carry over or leave behind; null if the present history does not say. Failure: `backup-missing`. */
  since(id: string): Promise<Result<SinceBackup | null, Failure>>
  restore(id: string): Promise<Result<Restored, Failure>>
  /** Runs something while no backup is created, checked or restored. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Creates a backup if the schedule asks for one. Never fails: the list and the notices show the result. */
  makeWhenDue(): Promise<void>
  /** Reports that the last scheduled backup failed, until one succeeds. */
  notices(): readonly Failure[]
}

export function createBackups(parts: BackupParts): Backups {
  const { dataFolder } = parts
  let lastFailure: Failure | undefined
  const inTurn = createTurns()

  function setFailure(next: Failure | undefined): void {
    const same = isDeepStrictEqual(lastFailure, next)
    lastFailure = next
    if (!same) parts.noticed()
  }

  async function makeFor(by: 'person' | 'schedule'): Promise<Result<Backup, Failure>> {
    const made = await createBackup(parts)
    if (!made.ok) return made
    setFailure(undefined)
    await parts.made(made.value, by)
    return made
  }

  const announced = <T extends Result<unknown, Failure>>(result: T): T => {
    parts.changed()
    return result
  }

  return {
    list: async () => {
      const ids = await backupIds(dataFolder)
      const backups = await Promise.all(ids.map((id) => describeBackup(dataFolder, id)))
      return ok({ folder: backupsFolder(dataFolder), backups, ...(lastFailure !== undefined && { lastFailure }) })
    },
    exclusively: inTurn,
    make: () => inTurn(async () => announced(await makeFor('person'))),
    check: (id) => inTurn(() => checkBackup(parts, id)),
    since: async (id) => {
      if (!(await backupIds(dataFolder)).includes(id)) return failed('backup-missing')
      const { events: seq, head: hash, state } = await describeBackup(dataFolder, id)
      const store = await parts.store()
      return store.ok && state === 'whole' ? store.value.backup.since({ seq, hash }) : ok(null)
    },
    restore: (id) => inTurn(async () => announced(await restoreBackup(parts, id))),
    makeWhenDue: () =>
      inTurn(async () => {
        const { backupHours } = parts.settings()
        const store = await parts.store()
        const state = parts.historyState()
        if (backupHours === 0 || state.state !== 'ready' || state.kept !== 'file' || !store.ok) return
        const counts = await store.value.counts({})
        if (!counts.ok || counts.value.total === 0) return
        const now = parts.clock.now()
        const [newest] = inOrderAt(await backupIds(dataFolder), now)
        const last = newest && (await describeBackup(dataFolder, newest))
        const age = last && last.state === 'whole' ? now - last.at : undefined
        // One that is dated in the future is of no age.
        if (age !== undefined && age >= 0 && age < backupHours * 3_600_000) return
        // A bug here must not end the application over a backup that nobody requested.
        const made = await makeFor('schedule').catch(() => failed('internal', { reason: 'scheduled-backup' }))
        if (!made.ok) setFailure(failure('backup-by-schedule-failed', { cause: made.failure }))
        parts.changed()
      }),
    notices: () => (lastFailure ? [lastFailure] : [])
  }
}
