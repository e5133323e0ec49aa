/** A data file held in memory, and read again where another Veridesk (the command line beside a window) has written it. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { makeFolder } from './regular.ts'
import { peekVersioned, readVersioned, writeVersioned, type VersionedFile } from './versioned.ts'

export interface DataFile<Data> {
  data(): Data
  /** What was met when the file was read first. */
  readonly notices: readonly Failure[]
  /**
   * Takes over what another process has written since. Every change begins with it, or it would write
   * over the other's. One `stat` where nothing has changed. Failures: why nothing may be saved (`settings-newer`, `settings-unreadable`).
   */
  refresh(): Result<null, Failure>
  /** Replaces the data, on disk before it settles. Failures: `settings-locked`, `disk-full`. */
  write(data: Data, onDisk?: unknown): Promise<Result<null, Failure>>
}

/** Opens a data file; its folder is made. Never fails: see `readVersioned`. */
export async function openDataFile<Data>(file: VersionedFile<Data>): Promise<DataFile<Data>> {
  await makeFolder(dirname(file.path)).catch(() => undefined)
  const { data, notice, refusal } = await readVersioned(file)
  let current = data
  let seen = signatureOf(file.path)
  return {
    data: () => current,
    notices: notice ? [notice] : [],
    refresh() {
      if (refusal) return { ok: false, failure: refusal }
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

/** Each write is a new file, so its number and time tell; undefined where there is none to read. */
function signatureOf(path: string): string | undefined {
  try {
    const found = statSync(path, { bigint: true })
    return `${found.ino}-${found.mtimeNs}-${found.size}`
  } catch {
    return undefined
  }
}
