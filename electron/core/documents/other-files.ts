/**
 * Files of documents that this history does not name. Histories that were set aside and backups are in the same data folder and share
 * its files, so each of them is opened; what none of them names, a person may delete. If one cannot be read, nothing is deleted.
 */
import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { OtherFiles, OtherFilesDeleted } from '#contract/documents/documents.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { AuditTrail } from '#core/audit/audit-trail.ts'
import { masterKeyOf, type CheckParts } from '#core/backup/check.ts'
import { historiesBeside } from '#core/history/copy-folders.ts'
import { copyWorker } from '#core/history/copy-worker.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { partOf } from './copy-checks.ts'
import { copyParts, othersBeside, pathIn, type Vault } from './vault.ts'

export interface OtherFilesParts extends CheckParts {
  readonly history: () => Promise<Result<HistoryStore, Failure>>
  /** Whether the history that is open is the one of the data folder. */
  readonly lasting: () => boolean
  readonly vault: Pick<Vault, 'remove'>
  /** Prevents backups, restores and erasures meanwhile. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
  readonly auditTrail: Pick<AuditTrail, 'note'>
  /** Compares the folder again. */
  readonly compare: () => Promise<unknown>
}

export interface OtherFilesAccess {
  /** Failures: those of the history and the keychain, `history-key-missing`, `other-files-kept`. */
  look(): Promise<Result<OtherFiles, Failure>>
  /** @param digest Of what was shown. Failures: as of `look`. */
  remove(digest: string): Promise<Result<OtherFilesDeleted, Failure>>
}

/** Names that are deleted together, after the history was asked for them once more. */
const together = 200

interface Found {
  readonly shown: OtherFiles
  /** Bytes by name, of those that nothing names. */
  readonly files: ReadonlyMap<string, number>
}

/** The files in the folder that this history does not name, with their sizes, and how many things have no name of a copy. */
async function unnamedIn(
  { documents }: HistoryStore,
  dataFolder: string
): Promise<Result<{ readonly files: Map<string, number>; readonly unlike: number }, Failure>> {
  const files = new Map<string, number>()
  let unlike = await othersBeside(dataFolder)
  for (const part of copyParts) {
    const found = await partOf(documents, dataFolder, part)
    if (!found.ok) return found
    unlike += found.value.folder.others
    for (const name of found.value.unnamed) {
      const stats = await lstat(pathIn(dataFolder, name)).catch(() => undefined)
      if (stats?.isFile()) files.set(name, stats.size)
      else if (stats) unlike += 1
    }
  }
  return ok({ files, unlike })
}

export function createOtherFiles(parts: OtherFilesParts): OtherFilesAccess {
  const { dataFolder, launch, exclusively } = parts

  async function find(store: HistoryStore): Promise<Result<Found, Failure>> {
    const unnamed = await unnamedIn(store, dataFolder)
    if (!unnamed.ok) return unnamed
    const { files, unlike } = unnamed.value
    const all = files.size
    const beside = files.size === 0 ? [] : await historiesBeside(dataFolder)
    const unread: string[] = []
    if (beside.length > 0) {
      const key = await masterKeyOf(parts.keychain)
      if (!key.ok) return key
      const copies = copyWorker(launch)
      const names = [...files.keys()]
      try {
        for (const { name } of beside) {
          const named = await copies.names(join(dataFolder, name), key.value, names)
          if (!named.ok) unread.push(name)
          for (const each of named.ok ? named.value : []) files.delete(each)
        }
      } finally {
        key.value.fill(0)
        copies.end()
      }
    }
    const backups = beside.filter(({ isBackup }) => isBackup).length
    const shown: OtherFiles = {
      files: files.size,
      bytes: [...files.values()].reduce((sum, bytes) => sum + bytes, 0),
      digest: createHash('sha256')
        .update([...files.keys()].sort().join('\n'))
        .digest('hex'),
      ...{ named: all - files.size, unlike, setAside: beside.length - backups, backups, unread }
    }
    return ok({ shown, files })
  }

  async function found(): Promise<Result<Found & { readonly store: HistoryStore }, Failure>> {
    const store = await parts.history()
    if (!store.ok) return store
    // What is on disk is not known.
    if (!parts.lasting()) return failed('other-files-kept', { reason: 'session' })
    const files = await find(store.value)
    return files.ok ? ok({ ...files.value, store: store.value }) : files
  }

  async function removeAll(digest: string): Promise<Result<OtherFilesDeleted, Failure>> {
    const now = await found()
    if (!now.ok) return now
    const { shown, files, store } = now.value
    const [folder] = shown.unread
    if (folder !== undefined) return failed('other-files-kept', { reason: 'unread', folder })
    if (shown.digest !== digest || files.size === 0) return failed('other-files-kept', { reason: 'changed' })
    const names = [...files.keys()]
    let [deleted, bytes] = [0, 0]
    let fault: Result<never, Failure> | undefined
    for (let at = 0; at < names.length; at += together) {
      const some = names.slice(at, at + together)
      // One may have been kept again meanwhile; the vault knows of those whose event is not written yet.
      const kept = await store.documents.named(some)
      if (!kept.ok) {
        fault = kept
        break
      }
      const still = new Set(kept.value)
      for (const name of await parts.vault.remove(some.filter((each) => !still.has(each)))) {
        deleted += 1
        bytes += files.get(name) ?? 0
      }
    }
    if (deleted > 0)
      await parts.auditTrail.note({
        kind: 'setting.changed',
        plain: { action: 'documents.deleted', files: deleted, bytes }
      })
    await parts.compare()
    return fault ?? ok({ deleted, bytes, left: names.length - deleted })
  }

  return {
    look: () =>
      exclusively(async () => {
        const now = await found()
        return now.ok ? ok(now.value.shown) : now
      }),
    remove: (digest) => exclusively(() => removeAll(digest))
  }
}
