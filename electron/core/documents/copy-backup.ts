/**
 * Copies the sealed files of documents to a folder elsewhere, as they are. A file that is there is never written again, so it can be
 * stopped at any time and continued; a half file never has a final name. What this history has of them is checked as it was written, and what
 * is damaged here does not get there.
 */
import { lstat, mkdir, open, readdir, realpath, rename, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { CopiedFiles } from '#contract/documents/documents.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { isOwnPath } from '#core/files/own.ts'
import { codeOf, syncFolder } from '#wire/files/write.ts'
import type { CheckedFile } from '#wire/history/copies.ts'
import type { HistoryStore } from '#wire/history/store.ts'
import { copyParts, isWhole, namesIn, openSealed, pathIn } from './vault.ts'

/** Ends the name of a file that is being written. */
const unfinished = '.part'
const unfinishedForm = /^[0-9a-f]{64}\.part$/
const pieceBytes = 1024 * 1024

type Outcome = 'copied' | 'there' | 'faulty' | 'refused'

/** The real path of the folder, which is made in one that exists. Failure: `documents-not-copied`. */
async function targetOf(path: string, dataFolder: string): Promise<Result<string, Failure>> {
  const refuse = (why: { readonly reason: 'own' } | { readonly errno: string }) =>
    failed('documents-not-copied', { folder: path, ...why })
  try {
    if (await isOwnPath(path, dataFolder)) return refuse({ reason: 'own' })
    await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
      if (codeOf(error) !== 'EEXIST') throw error
    })
    const real = await realpath(path)
    // Through a link.
    return (await isOwnPath(join(real, unfinished), dataFolder)) ? refuse({ reason: 'own' }) : ok(real)
  } catch (error) {
    return refuse({ errno: codeOf(error) })
  }
}

/** Makes a folder without what an interrupted run left. Throws the file system's errors. */
async function prepare(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  for (const left of await readdir(folder)) if (unfinishedForm.test(left)) await unlink(join(folder, left))
}

/** Writes a file completely, checks it if its keys are known, and only then gives it its name. Throws the file system's errors. */
async function copyFile(from: string, to: string, file: CheckedFile | undefined): Promise<Outcome | number> {
  const temporary = `${to}${unfinished}`
  const source = await openSealed(from)
  try {
    await unlink(temporary).catch(() => undefined)
    const target = await open(temporary, 'wx', 0o600)
    let bytes = 0
    try {
      const buffer = Buffer.alloc(pieceBytes)
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, buffer.length, bytes)
        if (bytesRead === 0) break
        await target.writeFile(buffer.subarray(0, bytesRead))
        bytes += bytesRead
      }
      await target.sync()
    } finally {
      await target.close()
    }
    if (file && !(await isWhole(temporary, file))) {
      await unlink(temporary)
      return 'faulty'
    }
    await rename(temporary, to)
    return bytes
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  } finally {
    await source.close()
  }
}

/** What is under a name already: nothing, the same number of bytes, or something else. */
async function present(from: string, to: string): Promise<'there' | 'refused' | undefined> {
  const found = await lstat(to).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  })
  if (!found) return undefined
  const source = await lstat(from)
  return found.isFile() && found.size === source.size ? 'there' : 'refused'
}

/**
 * Copies what is not there yet to a folder, which is made. `faulty` includes files that are missing here. Failures: those of the history,
 * `documents-not-copied`, `disk-full`; what is there then stays and is complete.
 */
export async function copyDocuments(
  dataFolder: string,
  path: string,
  store: HistoryStore
): Promise<Result<CopiedFiles, Failure>> {
  const target = await targetOf(path, dataFolder)
  if (!target.ok) return target
  const counts = { copied: 0, there: 0, faulty: 0, refused: 0 }
  let sum = 0
  try {
    for (const part of copyParts) {
      const known = await store.documents.namesIn(part)
      if (!known.ok) return known
      const { names } = await namesIn(dataFolder, part)
      // Also those of histories that were set aside and of backups: they are in the same folder.
      const all = [...new Set([...names, ...known.value.names])]
      if (all.length === 0) continue
      const folders = new Set(all.map((name) => join(target.value, name.slice(0, 2))))
      for (const folder of folders) await prepare(folder)
      const files = await store.documents.filesOf(known.value.names)
      if (!files.ok) return files
      const byName = new Map(files.value.map((file) => [file.name, file]))
      for (const name of all) {
        const [from, to] = [pathIn(dataFolder, name), join(target.value, name.slice(0, 2), name)]
        const outcome = await present(from, to)
          .then((found) => found ?? copyFile(from, to, byName.get(name)))
          .catch((error: unknown): Outcome => {
            // What is missing here, or not a file.
            if (!names.includes(name) || ['EFTYPE', 'ELOOP', 'EIO'].includes(codeOf(error))) return 'faulty'
            throw error
          })
        if (typeof outcome === 'number') sum += outcome
        counts[typeof outcome === 'number' ? 'copied' : outcome] += 1
      }
      for (const folder of folders) await syncFolder(folder)
    }
    await syncFolder(target.value)
    return ok({ path, bytes: sum, ...counts })
  } catch (error) {
    const errno = codeOf(error)
    if (errno === 'unknown') throw error
    return fail(
      ['ENOSPC', 'EDQUOT'].includes(errno)
        ? failure('disk-full')
        : failure('documents-not-copied', { folder: path, errno })
    )
  }
}
