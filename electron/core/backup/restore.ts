/** Restores a backup in place of the current history. */
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { Backup, Restored } from '#contract/data-management/data-management.ts'
import type { HistoryState } from '#contract/history/records.ts'
import { ok, type Result, fail } from '#contract/failures/result.ts'
import { forgetAnchor } from '#core/audit/anchor.ts'
import { makeFolder } from '#wire/files/regular.ts'
import { codeOf, syncFolder } from '#wire/files/write.ts'
import { historyFolder, setAsideHistory } from '#core/history/open.ts'
import { copyWorker } from '#core/history/copy-worker.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { copyAndSync } from './disk.ts'
import { readErased, rememberErased, undecided, type BegunErasure } from '#wire/files/erased-list.ts'
import type { HeldRestore } from '#wire/history/backup.ts'
import {
  backupsFolder,
  exists,
  setAsideSince,
  unfinishedRestore,
  recoveryFileName
} from '#core/history/copy-folders.ts'
import { readyFolder } from '#core/history/unfinished-restore.ts'
import { checkBackup, masterKeyOf, type CheckParts } from './check.ts'

export interface RestoreParts extends CheckParts {
  readonly clock: Clock
  /** The open history, or why there is none; waits for an opening in progress. */
  readonly store: () => Promise<Result<HistoryStore, Failure>>
  /** Closes the history while `work` runs, then opens what is there. */
  readonly whileClosed: (work: () => Promise<void>) => Promise<HistoryState>
  /** Compares the files of documents with what the history that is open names. */
  readonly documents: () => Promise<Result<{ readonly files: number; readonly missing: number }, Failure>>
  /** What is using the history and could not continue in another one, including a batch between two rows. */
  readonly inProgress: () => 'check' | 'batch' | undefined
}

/**
 * Restores a backup and sets the current history aside. Failures: `restore-busy`, those of the check,
 * `backup-invalid`, `disk-full`, `restore-failed`; the current history is then still in place or in the folder named
 * in the failure.
 */
export async function restoreBackup(parts: RestoreParts, id: string): Promise<Result<Restored, Failure>> {
  const busy = refusalIfInUse(parts)
  if (busy) return busy
  const checked = await checkBackup(parts, id)
  if (!checked.ok) return checked
  if (checked.value.state !== 'whole')
    return fail(checked.value.failure ?? failure('backup-invalid', { reason: 'damaged' }))
  const key = await masterKeyOf(parts.keychain)
  return key.ok ? restoreWith(parts, checked.value, key.value).finally(() => key.value.fill(0)) : key
}

async function restoreWith(parts: RestoreParts, backup: Backup, key: Buffer): Promise<Result<Restored, Failure>> {
  const { dataFolder } = parts
  const ready = readyFolder(dataFolder)
  const working = unfinishedRestore(dataFolder)
  const prepared = await prepare(parts, join(backupsFolder(dataFolder), backup.id), ready, key)
  // Preparation takes time, so this is tested again; nothing is awaited between here and closing the history.
  const meanwhile = prepared.ok ? refusalIfInUse(parts) : prepared
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
      // Only after closing does the current history contain everything that was sent.
      const holding = await hold(parts, working, backup, key, prepared.value.digests)
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
      // The restored history has an older head than the keychain's anchor.
      const forgotten = await forgetAnchor(parts.keychain, present)
      if (!forgotten.ok) {
        fault = { cause: forgotten.failure }
        return
      }
      await rename(ready, present)
      await syncFolder(dataFolder)
      // The erasures are now complete, whatever their state before. If this cannot be written they stay begun, and
      // the next restore removes them again.
      await rememberErased(
        dataFolder,
        prepared.value.begun.flatMap(({ digests }) => digests)
      ).catch(() => undefined)
    } catch (error) {
      fault = { errno: codeOf(error) }
    }
  })
  if (fault !== undefined || held === undefined)
    return failed('restore-failed', { ...(fault ?? { reason: 'not-closed' }), folder: setAside ?? present })
  if (history.state === 'failed')
    return failed('restore-failed', { cause: history.failure, folder: setAside ?? present })
  const { since, ...others } = held
  const documents = await parts.documents()
  return ok({
    setAside,
    erasedAgain: prepared.value.keys,
    held: others,
    ...(since && { since }),
    ...(documents.ok && { documents: { files: documents.value.files, missing: documents.value.missing } }),
    history
  })
}

/**
 * While the history is closed, neither the result of a verification nor the next row could be recorded, and not in
 * the restored history either.
 */
function refusalIfInUse(parts: RestoreParts): Result<never, Failure> | undefined {
  const found = parts.inProgress()
  return found && failed('restore-busy', { reason: found })
}

/** With the history closed: marks in the copy what was, or may have been, sent since the backup was created. */
async function hold(
  { dataFolder, launch, clock }: RestoreParts,
  folder: string,
  backup: Backup,
  masterKey: Buffer,
  erased: readonly string[]
): Promise<Result<HeldRestore, Failure>> {
  const copies = copyWorker(launch)
  const candidates = [historyFolder(dataFolder), ...(await setAsideSince(dataFolder, backup.at, clock.now()))]
  const head = { seq: backup.events, hash: backup.head, records: backup.records }
  return copies
    .hold({ folder, masterKey, backupAt: backup.at, now: clock.now(), head, candidates, erased })
    .finally(() => copies.end())
}

/** Prepares a copy beside the current folder: removes everything erased, or possibly erased, since, and checks it. */
async function prepare(
  { dataFolder, launch, store }: RestoreParts,
  from: string,
  ready: string,
  key: Buffer
): Promise<Result<{ keys: number; digests: readonly string[]; begun: readonly BegunErasure[] }, Failure>> {
  const copies = copyWorker(launch)
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
    const present = await store()
    const begun = present.ok ? await undecided(erased.begun, present.value.erasure.alive) : erased.begun
    const digests = [...erased.digests, ...begun.flatMap((one) => one.digests)]
    const forgotten = await copies.forget(join(working, 'subjects.db'), key, digests)
    if (!forgotten.ok) return forgotten
    const whole = await copies.check(working, key)
    if (!whole.ok) return whole
    return ok({ keys: forgotten.value, digests, begun })
  } catch (error) {
    if (codeOf(error) === 'unknown') throw error
    await rm(working, { recursive: true, force: true }).catch(() => undefined)
    return codeOf(error) === 'ENOSPC' ? failed('disk-full') : failed('backup-invalid', { errno: codeOf(error) })
  } finally {
    copies.end()
  }
}
