/** A separate worker for files other than the current ones: backups, copies, a restore. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { CheckedCopy, CopyStore } from '#wire/history/backup.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { connect } from '#wire/rpc.ts'
import { sealedKeyFor } from './sealed-key.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'

/** Launches one that has no history open. End it after use. */
export function copyWorker(launch: LaunchWorker): CopyStore {
  const { api, end } = connect<HistoryWorker>(launch('history'), (reason) =>
    failed('backup-invalid', { reason: 'reader-ended', ending: reason })
  )
  const { copies } = api
  async function sealed<T>(
    key: string | Uint8Array,
    work: (key: Uint8Array) => Promise<Result<T, Failure>>
  ): Promise<Result<T, Failure>> {
    const sent = await sealedKeyFor(api, key)
    return sent.ok ? work(sent.value) : sent
  }
  return {
    rewrite: (from, to, masterKey) => sealed(masterKey, (key) => copies.rewrite(from, to, key)),
    check: (folder, masterKey) => sealed(masterKey, (key) => copies.check(folder, key)),
    holds: (file, masterKey, digests) => sealed(masterKey, (key) => copies.holds(file, key, digests)),
    forget: (file, masterKey, digests) => sealed(masterKey, (key) => copies.forget(file, key, digests)),
    names: (folder, masterKey, files) => sealed(masterKey, (key) => copies.names(folder, key, files)),
    hold: (order) => sealed(order.masterKey, (masterKey) => copies.hold({ ...order, masterKey })),
    end
  }
}

/**
 * The history's worker takes a snapshot; a second worker, which blocks no request, makes the backup from it.
 * Failures: as `BackupStore.make`.
 */
export async function makeBackup(
  { snapshot }: HistoryWorker['backup'],
  launch: LaunchWorker,
  masterKey: Uint8Array | undefined,
  folder: string
): Promise<Result<CheckedCopy, Failure>> {
  if (masterKey === undefined) return failed('history-not-on-file')
  const still = join(folder, 'snapshot')
  await mkdir(still, { mode: 0o700 })
  try {
    const taken = await snapshot(still)
    if (!taken.ok) return taken
    const copies = copyWorker(launch)
    return await copies.rewrite(still, folder, masterKey).finally(() => copies.end())
  } finally {
    await rm(still, { recursive: true, force: true })
  }
}
