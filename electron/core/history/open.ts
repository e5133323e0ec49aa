/** Opens the history from the host's side: the key from the keychain, the worker, and the port that core uses. */
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { setAsideName } from '#wire/files/own-names.ts'
import type { Clock } from '#kit/clock.ts'
import type { HistoryOpened, HistoryStore } from '#wire/history/store.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { freshKey } from '#kit/sealing/key-memory.ts'
import { keepKey, keyUnder } from '#core/secrets/key-bytes.ts'
import { createAnchorWriter, forgetAnchor, readAnchor, type Anchor } from '../audit/anchor.ts'
import { connect, extended } from '#wire/rpc.ts'
import type { AuditStore } from '#wire/history/audit.ts'
import type { CheckedCopy } from '#wire/history/backup.ts'
import { makeBackup } from './copy-worker.ts'
import { sealedKeyFor } from './sealed-key.ts'
import { pathOf } from '#wire/sqlite/files.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'
import type { BatchStep, BatchStore, StepDone } from '#wire/history/batches.ts'

type Stepped = Result<StepDone, Failure>

/**
 * Steps requested while others are being written go together in the next message and are synced together: a commit
 * costs as much as writing several rows.
 */
function grouped(steps: HistoryWorker['batches']['steps']): BatchStore['step'] {
  let gathered: { readonly step: readonly [id: string, step: BatchStep]; readonly resolve: (done: Stepped) => void }[] =
    []
  let busy = false
  async function send(): Promise<void> {
    while (gathered.length > 0) {
      const group = gathered
      gathered = []
      // If the worker ended, one failure answers all of them.
      const answers = await steps(group.map(({ step }) => step))
      group.forEach(({ resolve }, index) => resolve('ok' in answers ? answers : (answers[index] as Stepped)))
    }
    busy = false
  }
  return (id, step) =>
    new Promise((resolve) => {
      gathered.push({ step: [id, step], resolve })
      if (busy) return
      busy = true
      // Includes what is requested in the same turn.
      setImmediate(() => void send())
    })
}

export { historyFolder } from '#wire/sqlite/files.ts'

/** Keychain account of the key from which every file's key is derived. */
export const masterKeyAccount = 'history/master-key'

/** The store, and what only the history itself offers. */
export interface OpenHistory extends HistoryStore, Pick<HistoryWorker, 'verifyChain' | 'integrity'> {
  /** Resolves with the reason when the worker ends, on purpose or not. */
  readonly ended: Promise<string>
}

export interface OpenHistoryOptions {
  /** The folder of the history's files, from `historyFolder()`. */
  readonly folder: string
  readonly secrets: SecretStore
  readonly launch: LaunchWorker
  readonly clock: Clock
  /** `session` keeps everything in memory, for when no keychain can hold the key. */
  readonly kept?: 'file' | 'session'
}

/**
 * Opens the history, or creates it if there is none.
 *
 * Fails with the keychain's failures, `history-key-missing`, `history-key-wrong`, `history-damaged`, `history-newer`,
 * `history-busy`, `disk-full` or `history-unavailable`; the files are then unchanged.
 */
export async function openHistory(
  options: OpenHistoryOptions
): Promise<Result<{ readonly store: OpenHistory; readonly opened: HistoryOpened }, Failure>> {
  const { folder, secrets, launch, clock, kept = 'file' } = options
  // Its thread loads its modules while the keychain answers.
  const worker = connect<HistoryWorker>(launch('history'), (reason) =>
    failed('history-unavailable', { reason: 'worker-ended', ending: reason })
  )
  const refused = (why: Failure, read?: Buffer): Result<never, Failure> => {
    read?.fill(0)
    worker.end()
    return fail(why)
  }
  const key = kept === 'session' ? ok(undefined) : await masterKey(folder, secrets)
  if (!key.ok) return refused(key.failure)
  const anchor = kept === 'session' ? ok(undefined) : await readAnchor(secrets, folder)
  if (!anchor.ok) return refused(anchor.failure, key.value)
  // Missing files are not the same as files that never existed.
  if (anchor.value && !existsSync(pathOf(folder, 'history')) && !existsSync(pathOf(folder, 'subjects')))
    return refused(failure('history-damaged', { reason: 'missing', count: anchor.value.seq, file: folder }), key.value)
  const sent = key.value === undefined ? ok(undefined) : await sealedKeyFor(worker.api, key.value)
  key.value?.fill(0)
  const opened = sent.ok
    ? await worker.api.open({ folder, masterKey: sent.value, now: clock.now(), anchor: anchor.value })
    : sent
  if (!opened.ok) {
    worker.end()
    return opened
  }
  const anchors =
    kept === 'session'
      ? undefined
      : createAnchorWriter({ secrets, folder, clock, found: anchor.value, head: () => worker.api.audit.last() })
  anchors?.touch()
  const api = worker.noting(() => anchors?.touch())
  const store: OpenHistory = extended(api, {
    batches: extended(api.batches, { step: grouped(api.batches.steps) }),
    audit: extended(api.audit, { anchors: () => withAnchor(api.audit.anchors(), () => anchors?.current()) }),
    // The key is not kept while the history is open.
    backup: {
      since: api.backup.since,
      make: (to: string) =>
        backedUp(kept === 'session' ? undefined : secrets, (found) => makeBackup(api.backup, launch, found, to))
    },
    close: async () => {
      await anchors?.close()
      await worker.api.close()
      worker.end()
    },
    ended: worker.ended
  })
  return ok({ store, opened: opened.value })
}

/** Makes a backup with the key, which is zeroed afterwards; without secrets there is none. */
async function backedUp(
  secrets: SecretStore | undefined,
  make: (key: Buffer | undefined) => Promise<Result<CheckedCopy, Failure>>
): Promise<Result<CheckedCopy, Failure>> {
  const found = secrets ? await keyUnder(secrets, masterKeyAccount) : ok(undefined)
  return found.ok ? make(found.value).finally(() => found.value?.fill(0)) : found
}

/** The heads stored in the files, and the one in the keychain. */
async function withAnchor(
  found: ReturnType<AuditStore['anchors']>,
  anchor: () => Anchor | undefined
): ReturnType<AuditStore['anchors']> {
  const inside = await found
  const outside = anchor()
  if (!inside.ok || !outside) return inside
  const { until, known } = inside.value
  return ok({
    until,
    known: [...known, { seq: outside.seq, hash: outside.hash }],
    anchor: { seq: outside.seq, at: outside.at }
  })
}

/**
 * The stored key, or a new one. A new key is read back before any file is created with it, and never created if files
 * exist.
 */
async function masterKey(folder: string, secrets: SecretStore): Promise<Result<Buffer, Failure>> {
  const found = await keyUnder(secrets, masterKeyAccount)
  if (!found.ok) return found
  if (found.value !== undefined) return ok(found.value)
  if (existsSync(pathOf(folder, 'history')) || existsSync(pathOf(folder, 'subjects')))
    return failed('history-key-missing')
  const fresh = freshKey()
  try {
    const written = await keepKey(secrets, masterKeyAccount, fresh)
    if (!written.ok) return written
    const back = await keyUnder(secrets, masterKeyAccount)
    if (!back.ok) return back
    return back.value?.equals(fresh) ? ok(back.value) : failed('history-unavailable', { reason: 'key-not-stored' })
  } finally {
    fresh.fill(0)
  }
}

/**
 * Renames the history's folder to a new name beside it, so that a new history can begin. Deletes nothing, and leaves
 * the key in the keychain: the folder can be moved back.
 *
 * @param folder From `historyFolder()`. No history may be open in it.
 * @param secrets Where the anchor of its head is stored; removed first, since it does not apply to the next files.
 * @returns The new folder's path.
 */
export async function setAsideHistory(
  folder: string,
  clock: Clock,
  secrets: SecretStore
): Promise<Result<string, Failure>> {
  const to = join(dirname(folder), `${setAsideName}${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')}`)
  try {
    // Continues if the keychain refuses: the next files are then reported as not matching the anchor, and set aside
    // again.
    await forgetAnchor(secrets, folder)
    if (!existsSync(folder)) return ok(folder)
    if (existsSync(to)) return failed('history-unavailable', { reason: 'name-taken', folder: to })
    await rename(folder, to)
    return ok(to)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return code === 'ENOSPC'
      ? failed('disk-full')
      : failed('history-unavailable', { reason: 'not-moved', folder, errno: code })
  }
}
