/** Files and texts checked in this session, held so that a batch can be created from them. */
import { randomUUID } from 'node:crypto'
import { maxBatchText } from '#contract/batches/rows.ts'
import type { BatchCheck, BatchReading } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { LaunchWorker } from '#wire/worker-line.ts'
import { checkSource } from './reading/check.ts'
import { createLineIndex, type LineIndex } from './reading/line-index.ts'
import type { AskAlike } from './reading/look-alikes.ts'
import { bytesSource, fileSource, textSource, type Source } from './reading/source.ts'

/** Pasted texts are held in memory, so the number is limited. */
const maxKept = 4

export interface Checked {
  readonly source: Source
  readonly check: BatchCheck
  readonly index: LineIndex
}

export interface HeldChecks {
  file(path: string, reading: BatchReading): Promise<Result<BatchCheck, Failure>>
  text(name: string, text: string, reading: BatchReading): Promise<Result<BatchCheck, Failure>>
  /** `base64`: the content of a file that was dropped into the window. */
  dropped(name: string, base64: string, reading: BatchReading): Promise<Result<BatchCheck, Failure>>
  /** Checks the same file or text again with other reading options, under the same id. */
  again(checkId: string, reading: BatchReading): Promise<Result<BatchCheck, Failure>>
  get(checkId: string): Result<Checked, Failure>
  /** Like `get`, for what may not be done before a person has chosen the encoding: `batch-encoding-unchosen`. */
  decided(checkId: string): Result<Checked, Failure>
  /** Drops every file and text; a check that is still in progress is discarded. */
  forget(): void
}

/** @param launch Launches the worker that reads workbooks. */
export function createHeldChecks(launch: LaunchWorker, askAlike?: AskAlike): HeldChecks {
  const kept = new Map<string, Checked>()
  let generation = 0

  async function run(
    source: Source,
    reading: BatchReading,
    checkId: string = randomUUID()
  ): Promise<Result<BatchCheck, Failure>> {
    const mine = generation
    const index = createLineIndex()
    const check = await checkSource(source, reading, checkId, askAlike, index.add)
    if (!check.ok) return check
    if (mine !== generation) return failed('batch-check-gone')
    kept.delete(checkId)
    kept.set(checkId, { source, check: check.value, index })
    const [oldest] = kept.keys()
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
    return check
  }
  const get: HeldChecks['get'] = (checkId) => {
    const found = kept.get(checkId)
    return found ? ok(found) : failed('batch-check-gone')
  }

  return {
    file: (path, reading) => run(fileSource(path, launch), reading),
    async text(name, text, reading) {
      if (Buffer.byteLength(text) > maxBatchText) return failed('batch-text-too-large', { limitBytes: maxBatchText })
      return run(textSource(name.trim() || 'pasted rows', text), { ...reading, encoding: 'utf-8' })
    },
    async dropped(name, base64, reading) {
      const bytes = Buffer.from(base64, 'base64')
      if (bytes.length > maxBatchText) return failed('batch-text-too-large', { limitBytes: maxBatchText })
      return run(bytesSource(name, bytes, launch), reading)
    },
    async again(checkId, reading) {
      const found = get(checkId)
      return found.ok ? run(found.value.source, reading, checkId) : found
    },
    get,
    decided(checkId) {
      const found = get(checkId)
      if (!found.ok || found.value.check.encodings.length === 0) return found
      const encodings = found.value.check.encodings.map(({ encoding }) => encoding)
      return failed('batch-encoding-unchosen', { encodings: encodings.join(', ') })
    },
    forget() {
      generation += 1
      kept.clear()
    }
  }
}
