/** Checks that a backup matches its manifest and opens with the current key. */
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import type { Backup } from '#contract/data-management/data-management.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { copyWorker } from '#core/history/copy-worker.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import type { SecretStore } from '#core/ports/secret-store.ts'
import { keyUnder } from '#core/secrets/key-bytes.ts'
import { backupIds, backupsFolder, describeBackup, readManifest } from '#core/history/copy-folders.ts'

export interface CheckParts {
  readonly dataFolder: string
  readonly keychain: SecretStore
  readonly launch: LaunchWorker
}

/**
 * Reads a backup completely: its files, event chain and manifest. Defects are reported in the answer. Failures:
 * `backup-missing`, `history-key-missing`, the keychain’s.
 */
export async function checkBackup(
  { dataFolder, keychain, launch }: CheckParts,
  id: string
): Promise<Result<Backup, Failure>> {
  if (!(await backupIds(dataFolder)).includes(id)) return failed('backup-missing')
  const described = await describeBackup(dataFolder, id)
  if (described.state !== 'whole') return ok(described)
  const key = await masterKeyOf(keychain)
  if (!key.ok) return key
  const folder = join(backupsFolder(dataFolder), id)
  const manifest = await readManifest(folder)
  const copies = copyWorker(launch)
  const found = await copies.check(folder, key.value).finally(() => {
    key.value.fill(0)
    copies.end()
  })
  if (!found.ok) return ok({ ...described, state: 'invalid', failure: found.failure })
  const same =
    manifest &&
    found.value.sha256 === manifest.sha256 &&
    found.value.head === manifest.head &&
    isDeepStrictEqual(found.value.documents, manifest.documents)
  return ok(
    same
      ? described
      : {
          ...described,
          state: 'invalid',
          failure: failure('backup-invalid', { reason: 'other-file', file: 'history.db' })
        }
  )
}

/** The key of the history and its copies, which the caller zeroes. Failures: the keychain’s, `history-key-missing`, `history-key-wrong`. */
export async function masterKeyOf(keychain: SecretStore): Promise<Result<Buffer, Failure>> {
  const found = await keyUnder(keychain, masterKeyAccount)
  if (!found.ok) return found
  return found.value === undefined ? failed('history-key-missing') : ok(found.value)
}
