/** A data file held in memory, and reloaded if another Veridesk (the command line beside a window) has written it. */
import { statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { makeFolder } from '#wire/files/regular.ts'
import {
  peekVersioned,
  putAside,
  readVersioned,
  writeVersioned,
  type FileFault,
  type VersionedFile
} from './versioned.ts'

export interface DataFile<Data> {
  data(): Data
  /** Why the file is unusable and nothing may be saved; undefined if it is usable, or has been set aside. */
  fault(): FileFault | undefined
  /**
   * Sets an unusable file aside, so that the defaults apply from now on. Failures: `data-file-readable` if nothing is
   * wrong with it, `settings-locked` if it cannot be renamed.
   */
  reset(): Promise<Result<{ readonly kept: string }, Failure>>
  /**
   * Reloads what another process has written. Every change calls it first, or it would overwrite the other's. One
   * `stat` if nothing has changed. Failures: why nothing may be saved, by the file's kind.
   */
  refresh(): Result<null, Failure>
  /** Replaces the data, durably. Failures: `settings-locked`, `disk-full`. */
  write(data: Data, onDisk?: unknown): Promise<Result<null, Failure>>
}

/** Opens a data file and creates its folder. Never fails: see `readVersioned`. */
export async function openDataFile<Data>(file: VersionedFile<Data>): Promise<DataFile<Data>> {
  await makeFolder(dirname(file.path)).catch(() => undefined)
  const { data, fault: found } = await readVersioned(file)
  let fault = found
  let current = data
  let seen = signatureOf(file.path)
  return {
    data: () => current,
    fault: () => fault,
    async reset() {
      if (!fault) return failed('data-file-readable', { file: basename(file.path) })
      const aside = await putAside(file, fault.why)
      if ('errno' in aside) return failed('settings-locked', { file: basename(file.path), errno: aside.errno })
      fault = undefined
      seen = signatureOf(file.path)
      return ok(aside)
    },
    refresh() {
      if (fault) return fail(fault.failure)
      const signature = signatureOf(file.path)
      if (signature === seen || signature === undefined) return ok(null)
      const read = peekVersioned(file)
      if (!read.ok) return read
      current = read.value
      seen = signature
      return ok(null)
    },
    async write(next, onDisk = next) {
      const written = await writeVersioned(file, onDisk)
      if (!written.ok) return written
      current = next
      seen = signatureOf(file.path)
      return ok(null)
    }
  }
}

/** Each write creates a new file, so inode and time identify it; undefined if there is none to read. */
function signatureOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true })
    return `${found.ino}-${found.mtimeNs}-${found.size}`
  } catch {
    return undefined
  }
}
