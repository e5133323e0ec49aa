/** Histories of synthetic records, created when a section first needs one and removed at the end of the run. */
import { randomBytes } from 'node:crypto'
import { closeSync, cpSync, constants, fsyncSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '#store/engine/opening.ts'
import { seed } from '../seed.ts'

export interface SeededHistory {
  /** The folder of the history's files. */
  readonly folder: string
  readonly masterKey: string
}

export interface SeededHistories {
  /** A history with this number of records. */
  of(records: number, progress: (text: string) => void): Promise<SeededHistory>
  /** An existing history. Throws if it does not have this number of records. */
  given(folder: string, masterKey: string, records: number): Promise<SeededHistory>
  /** Removes all histories created here. */
  dispose(): void
}

export function createSeededHistories(): SeededHistories {
  const made = new Map<number, SeededHistory>()
  return {
    async of(records, progress) {
      const found = made.get(records)
      if (found) return found
      const history = {
        folder: mkdtempSync(join(tmpdir(), 'veridesk-bench-history-')),
        masterKey: randomBytes(32).toString('hex')
      }
      made.set(records, history)
      const opened = openEngine({ ...history, now: Date.now() })
      if (!opened.ok) throw new Error(opened.failure.code)
      seed(
        opened.value.engine,
        records,
        Date.now(),
        (done) => void (done % 100_000 === 0 && progress(`${done.toLocaleString('en')} records made`))
      )
      opened.value.engine.close()
      return history
    },
    async given(folder, masterKey, records) {
      const opened = openEngine({ folder, masterKey, now: Date.now() })
      if (!opened.ok) throw new Error(opened.failure.code)
      const found = opened.value.engine.records
      opened.value.engine.close()
      if (found !== records)
        throw new Error(
          `the history in ${folder} holds ${found.toLocaleString('en')} records instead of ${records.toLocaleString('en')}`
        )
      return { folder, masterKey }
    },
    dispose() {
      for (const { folder } of made.values()) rmSync(folder, { recursive: true, force: true })
      made.clear()
    }
  }
}

/** Waits until the files of a folder are on disk: the first sync of their user would otherwise write all of them. */
function sync(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = openSync(join(folder, name), 'r+')
    fsyncSync(file)
    closeSync(file)
  }
}

/** Calls `work` with a copy of a history that may be changed, then removes the copy. */
export async function withCopy<T>(
  { folder, masterKey }: SeededHistory,
  work: (copy: SeededHistory) => Promise<T>
): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'veridesk-bench-copy-'))
  try {
    cpSync(folder, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    sync(copy)
    return await work({ folder: copy, masterKey })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
