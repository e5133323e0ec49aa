/** Clears destroyed keys outside the history: backups, histories that were set aside, partial copies and exports. */
import { rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { failed } from '#contract/failures/failures.ts'
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import { ok } from '#contract/failures/result.ts'
import { setAsideName } from '#wire/files/own-names.ts'
import { rememberEnded, rememberErased } from '#wire/files/erased-list.ts'
import { removeCopies } from '#core/documents/vault.ts'
import { copiesOfKeys, copyFolders, sweepUnfinished } from '#core/history/copy-folders.ts'
import { copyWorker } from '#core/history/copy-worker.ts'
import { masterKeyAccount } from '#core/history/open.ts'
import { keyUnder } from '#core/secrets/key-bytes.ts'
import type { UnclearedErasure } from '#wire/history/erasure.ts'
import { ask, fileFault, type Answer, type ErasureParts } from './parts.ts'
import { keepReceipts } from './receipts.ts'

/** Clears everything outside the history that holds the destroyed keys. Idempotent. Failure: `erasure-unfinished`. */
export async function clearOutside(parts: ErasureParts, erasure: UnclearedErasure): Answer<ErasureReceipt> {
  const { dataFolder } = parts
  const { id, digests } = erasure
  const fault = await fileFault(async () => {
    await rememberErased(dataFolder, digests)
    await keepReceipts(parts)
    // Partial copies contain keys as well and are never completed.
    await sweepUnfinished(dataFolder)
  })
  if (fault !== undefined) return failed('erasure-unfinished', { errno: fault })
  const copies = await clearCopies(parts, erasure)
  if (!copies.ok) return failed('erasure-unfinished', { cause: copies.failure })
  await dropOldIndexes(parts).catch(() => undefined)
  const copiesNotReached = [
    ...copies.value.copiesNotReached,
    ...(await parts.files.sweep()).map(() => 'an unfinished export')
  ]
  const documentsNotDeleted = await removeCopies(dataFolder, erasure.files)
  const unended = await fileFault(() => rememberEnded(dataFolder, id))
  if (unended !== undefined) return failed('erasure-unfinished', { errno: unended })
  const cleared = await ask(parts, (store) =>
    store.cleared(id, {
      at: parts.clock.now(),
      operator: parts.operator,
      ...copies.value,
      copiesNotReached,
      documentsNotDeleted
    })
  )
  await keepReceipts(parts)
  parts.changed()
  return cleared.ok ? cleared : failed('erasure-unfinished', { cause: cleared.failure })
}

/**
 * Removes the keys from every retained copy. Records which copies hold one before the first is rewritten, so that the
 * receipt also counts those cleared before a crash. Failure: `disk-full`, and the keychain's.
 */
export async function clearCopies(
  parts: ErasureParts,
  { id, digests, held }: UnclearedErasure
): Answer<Pick<ErasureReceipt, 'backupsRewritten' | 'copiesNotReached'>> {
  const { dataFolder } = parts
  const files = await copiesOfKeys(dataFolder)
  if (files.length === 0) return ok({ backupsRewritten: 0, copiesNotReached: [] })
  const key = await keyUnder(parts.keychain, masterKeyAccount)
  if (!key.ok) return key
  const copies = copyWorker(parts.launch)
  const holding = new Set(held)
  const copiesNotReached: string[] = []
  let backupsRewritten = 0
  try {
    for (const file of files) {
      const found =
        key.value === undefined ? failed('history-key-missing') : await copies.holds(file, key.value, digests)
      if (found.ok && found.value > 0) holding.add(relative(dataFolder, file))
    }
    const noted =
      holding.size === held.length ? ok(null) : await ask(parts, (store) => store.clearing(id, [...holding]))
    if (!noted.ok) return noted
    for (const file of files) {
      const done =
        key.value === undefined ? failed('history-key-missing') : await copies.forget(file, key.value, digests)
      if (!done.ok && done.failure.code === 'disk-full') return done
      if (!done.ok) copiesNotReached.push(relative(dataFolder, file))
      else if (done.value > 0 || holding.has(relative(dataFolder, file))) backupsRewritten += 1
    }
  } finally {
    key.value?.fill(0)
    copies.end()
  }
  return ok({ backupsRewritten, copiesNotReached })
}

/** The index of a history that was set aside still contains texts. It is derived and can be rebuilt if needed. */
async function dropOldIndexes({ dataFolder }: ErasureParts): Promise<void> {
  for (const folder of await copyFolders(dataFolder)) {
    if (dirname(folder) !== dataFolder || !basename(folder).startsWith(setAsideName)) continue
    for (const end of ['', '-wal', '-shm', '-journal']) await rm(join(folder, `search.db${end}`), { force: true })
  }
}
