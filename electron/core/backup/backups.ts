/** Backups: made, listed, checked, thinned out, and put back in place of the present history. */
import { isDeepStrictEqual } from 'node:util'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures.ts'
import type { Backup, BackupList, Restored } from '#contract/data-management.ts'
import type { HistoryState } from '#contract/records.ts'
import type { Settings } from '#contract/settings.ts'
import { ok, type Result, fail } from '#contract/result.ts'
import { forgetAnchor } from '#core/audit/anchor.ts'
import { makeFolder, readRegular } from '#core/files/regular.ts'
import { codeOf, syncFolder, writeAtomically } from '#core/files/write.ts'
import { historyFolder, masterKeyAccount, setAsideHistory } from '#core/history/open.ts'
import { copyPort } from '#core/history/data-management-port.ts'
import type { Clock } from '#core/ports/clock.ts'
import type { HistoryStore } from '#core/history/api/store.ts'
import type { LaunchWorker } from '#core/ports/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { copyAndSync, sizeOf } from './disk.ts'
import { readErased, rememberErased, undecided, type BegunErasure } from '#core/erasure/store/erased-list.ts'
import type { HeldRestore } from '#core/history/api/backup.ts'
import {
  backupIds, backupsFolder, describeBackup, exists, newBackupId, readManifest, setAsideSince, sweepUnfinished, unfinishedFolder, unfinishedRestore, writeManifest
} from '#core/history/copy-folders.ts'
import { recoveryFileName } from '#core/history/copy-folders.ts'
import { readyFolder } from '#core/history/unfinished-restore.ts'

export interface BackupParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly launch: LaunchWorker
  readonly clock: Clock
  readonly settings: () => Settings
  /** Whether the number of copies to keep is known: a default in its place could delete some that are wanted. */
  readonly mayThinOut?: () => boolean
  readonly store: () => Result<HistoryStore, Failure>
  readonly historyState: () => HistoryState
  /** Closes the history for as long as `work` runs, and opens what is there afterwards. */
  readonly whileClosed: (work: () => Promise<void>) => Promise<HistoryState>
  readonly changed: () => void
  /** Told of each backup that was made, and at whose word. Never fails. */
  readonly made: (backup: Backup, by: 'person' | 'schedule') => Promise<void>
  /** Told when `notices` has changed. */
  readonly noticed: () => void
  /** What has the history in use at this moment and could not go on in another one; a batch between two rows, too. */
  readonly underWay: () => 'check' | 'batch' | undefined
}

export interface Backups {
  list(): Promise<Result<BackupList, Failure>>
  make(): Promise<Result<Backup, Failure>>
  check(id: string): Promise<Result<Backup, Failure>>
  restore(id: string): Promise<Result<Restored, Failure>>
  /** Runs something while no backup is made, checked or restored. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
  /** Makes one where the schedule asks for it. Never fails: the list and the notices tell. */
  makeWhenDue(): Promise<void>
  /** That the last one by schedule failed, until one has succeeded. */
  notices(): readonly Failure[]
}

export function createBackups(parts: BackupParts): Backups {
  const { dataFolder } = parts
  let lastFailure: Failure | undefined
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }

  async function masterKey(): Promise<Result<string, Failure>> {
    const found = await parts.keychain.get(masterKeyAccount)
    if (!found.ok) return found
    return found.value === undefined ? failed('history-key-missing') : ok(found.value)
  }

  async function copyRecovery(to: string): Promise<void> {
    const text = await readRegular(join(historyFolder(dataFolder), recoveryFileName)).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error
    })
    const written = text === undefined ? ok(null) : await writeAtomically(join(to, recoveryFileName), text)
    if (!written.ok) throw Object.assign(new Error(written.failure.code), { code: written.failure.code === 'disk-full' ? 'ENOSPC' : 'EIO' })
  }

  async function makeNow(): Promise<Result<Backup, Failure>> {
    const store = parts.store()
    if (!store.ok) return store
    const state = parts.historyState()
    if (state.state !== 'ready' || state.kept !== 'file') return failed('keeping-not-on-file')
    const at = parts.clock.now()
    const id = newBackupId(at)
    const making = unfinishedFolder(dataFolder, id)
    const give = async <T extends Result<Backup, Failure>>(result: T): Promise<T> => {
      if (!result.ok) await rm(making, { recursive: true, force: true }).catch(() => undefined)
      return result
    }
    try {
      await sweepUnfinished(dataFolder)
      await makeFolder(making)
      const made = await store.value.dataManagement.backup.make(making)
      if (!made.ok) return await give(made)
      const { events, records, head, sha256 } = made.value
      await copyRecovery(making)
      const size = await sizeOf(join(making, 'history.db'))
      const written = await writeManifest(making, { at, events, records, head, sha256, historyBytes: size })
      if (!written.ok) return await give(written)
      await rename(making, join(backupsFolder(dataFolder), id))
      // A recovery key that was made in between reached the copies that had a name by then.
      await copyRecovery(join(backupsFolder(dataFolder), id))
      await syncFolder(backupsFolder(dataFolder))
      await thinOut()
      return ok(await describeBackup(dataFolder, id))
    } catch (error) {
      if (codeOf(error) === 'unknown') throw error
      return give(codeOf(error) === 'ENOSPC' ? failed('disk-full') : failed('backup-failed', { errno: codeOf(error) }))
    }
  }

  function become(next: Failure | undefined): void {
    const same = isDeepStrictEqual(lastFailure, next)
    lastFailure = next
    if (!same) parts.noticed()
  }

  async function makeFor(by: 'person' | 'schedule'): Promise<Result<Backup, Failure>> {
    const made = await makeNow()
    if (!made.ok) return made
    become(undefined)
    await parts.made(made.value, by)
    return made
  }

  /** Whole ones are counted; a invalid one is kept beside them until as many whole ones are newer. */
  async function thinOut(): Promise<void> {
    if (parts.mayThinOut?.() === false) return
    let whole = 0
    for (const id of await backupIds(dataFolder)) {
      if (whole >= parts.settings().backupCount) await rm(join(backupsFolder(dataFolder), id), { recursive: true, force: true })
      else if ((await describeBackup(dataFolder, id)).state === 'whole') whole += 1
    }
  }

  async function checkNow(id: string): Promise<Result<Backup, Failure>> {
    if (!(await backupIds(dataFolder)).includes(id)) return failed('backup-missing')
    const described = await describeBackup(dataFolder, id)
    if (described.state !== 'whole') return ok(described)
    const key = await masterKey()
    if (!key.ok) return key
    const folder = join(backupsFolder(dataFolder), id)
    const manifest = await readManifest(folder)
    const copies = copyPort(parts.launch)
    const found = await copies.check(folder, key.value).finally(() => copies.end())
    if (!found.ok) return ok({ ...described, state: 'invalid', failure: found.failure })
    const same = manifest && found.value.sha256 === manifest.sha256 && found.value.head === manifest.head
    return ok(same ? described : { ...described, state: 'invalid', failure: failure('backup-invalid', { reason: 'other-file', file: 'history.db' }) })
  }

  /** The ending of a check, or the next row, could not be recorded while the history is closed, nor in the one that comes back. */
  function inUse(): Result<never, Failure> | undefined {
    const found = parts.underWay()
    return found && failed('restore-busy', { reason: found })
  }

  async function restoreNow(id: string): Promise<Result<Restored, Failure>> {
    const busy = inUse()
    if (busy) return busy
    const checked = await checkNow(id)
    if (!checked.ok) return checked
    if (checked.value.state !== 'whole') return fail(checked.value.failure ?? failure('backup-invalid', { reason: 'damaged' }))
    const key = await masterKey()
    if (!key.ok) return key
    const ready = readyFolder(dataFolder)
    const working = unfinishedRestore(dataFolder)
    const prepared = await prepare(join(backupsFolder(dataFolder), id), ready, key.value)
    // Preparing takes its time; from here on nothing is awaited before the history is closed.
    const meanwhile = prepared.ok ? inUse() : prepared
    if (meanwhile) {
      await rm(working, { recursive: true, force: true }).catch(() => undefined)
      return meanwhile
    }
    if (!prepared.ok) return prepared
    const present = historyFolder(dataFolder)
    let setAside: string | undefined
    let fault: { readonly cause: Failure } | { readonly errno: string } | undefined
    let held: HeldRestore | undefined
    const history = await parts.whileClosed(async () => {
      try {
        // Only now does the present history hold everything that was sent.
        const holding = await hold(working, checked.value, key.value)
        if (!holding.ok) {
          fault = { cause: holding.failure }
          return
        }
        held = holding.value
        await rename(working, ready)
        if (await exists(present)) {
          const aside = await setAsideHistory(present, parts.clock, parts.keychain)
          if (!aside.ok) {
            fault = { cause: aside.failure }
            return
          }
          setAside = aside.value
        }
        // What comes back has an older head than the one that the keychain knows.
        const forgotten = await forgetAnchor(parts.keychain, present)
        if (!forgotten.ok) {
          fault = { cause: forgotten.failure }
          return
        }
        await rename(ready, present)
        await syncFolder(dataFolder)
        // Now they are gone, whatever became of them before. Unwritten, they stay begun, and the next restore takes them out again.
        await rememberErased(dataFolder, prepared.value.begun.flatMap(({ digests }) => digests)).catch(() => undefined)
      } catch (error) {
        fault = { errno: codeOf(error) }
      }
    })
    if (fault !== undefined || held === undefined) return failed('restore-failed', { ...(fault ?? { reason: 'not-closed' }), folder: setAside ?? present })
    if (history.state === 'failed') return failed('restore-failed', { cause: history.failure, folder: setAside ?? present })
    return ok({ setAside, erasedAgain: prepared.value.keys, held, history })
  }

  /** With the history closed: holds in the copy what was, or may have been, sent since the backup was made. */
  async function hold(folder: string, backup: Backup, masterKey: string): Promise<Result<HeldRestore, Failure>> {
    const copies = copyPort(parts.launch)
    const candidates = [historyFolder(dataFolder), ...(await setAsideSince(dataFolder, backup.at))]
    const head = { seq: backup.events, hash: backup.head, records: backup.records }
    return copies
      .hold({ folder, masterKey, backupAt: backup.at, now: parts.clock.now(), head, candidates })
      .finally(() => copies.end())
  }

  /** A copy beside the present folder, with everything taken out that was erased since or may have been, and read through. */
  async function prepare(from: string, ready: string, key: string): Promise<Result<{ keys: number; begun: readonly BegunErasure[] }, Failure>> {
    const copies = copyPort(parts.launch)
    const working = unfinishedRestore(dataFolder)
    try {
      for (const folder of [ready, working]) await rm(folder, { recursive: true, force: true })
      await makeFolder(working)
      for (const name of ['history.db', 'subjects.db']) await copyAndSync(join(from, name), join(working, name))
      const recovery = [historyFolder(dataFolder), from].map((folder) => join(folder, recoveryFileName))
      for (const path of recovery) {
        if (!(await exists(path))) continue
        await copyAndSync(path, join(working, recoveryFileName))
        break
      }
      const erased = await readErased(dataFolder)
      const present = parts.store()
      const begun = present.ok ? await undecided(erased.begun, present.value.dataManagement.retention.alive) : erased.begun
      const digests = [...erased.digests, ...begun.flatMap((one) => one.digests)]
      const forgotten = await copies.forget(join(working, 'subjects.db'), key, digests)
      if (!forgotten.ok) return forgotten
      const whole = await copies.check(working, key)
      if (!whole.ok) return whole
      return ok({ keys: forgotten.value, begun })
    } catch (error) {
      if (codeOf(error) === 'unknown') throw error
      await rm(working, { recursive: true, force: true }).catch(() => undefined)
      return codeOf(error) === 'ENOSPC' ? failed('disk-full') : failed('backup-invalid', { errno: codeOf(error) })
    } finally {
      copies.end()
    }
  }

  const told = <T extends Result<unknown, Failure>>(result: T): T => {
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
    make: () => inTurn(async () => told(await makeFor('person'))),
    check: (id) => inTurn(() => checkNow(id)),
    restore: (id) => inTurn(async () => told(await restoreNow(id))),
    makeWhenDue: () =>
      inTurn(async () => {
        const { backupHours } = parts.settings()
        const state = parts.historyState()
        const store = parts.store()
        if (backupHours === 0 || state.state !== 'ready' || state.kept !== 'file' || !store.ok) return
        const counts = await store.value.counts({})
        if (!counts.ok || counts.value.total === 0) return
        const [newest] = await backupIds(dataFolder)
        const last = newest && (await describeBackup(dataFolder, newest))
        if (last && last.state === 'whole' && parts.clock.now() - last.at < backupHours * 3_600_000) return
        // A bug in it must not end the program that nobody asked to make a backup now.
        const made = await makeFor('schedule').catch(() => failed('internal', { reason: 'scheduled-backup' }))
        if (!made.ok) become(failure('backup-by-schedule-failed', { cause: made.failure }))
        parts.changed()
      }),
    notices: () => (lastFailure ? [lastFailure] : [])
  }
}
