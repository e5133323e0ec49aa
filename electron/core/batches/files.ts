/** Writes the files of batches. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, type Result } from '#contract/failures/result.ts'
import type { ChosenFiles } from '#core/files/unfinished.ts'
import type { Policies } from '#core/policies/policies.ts'
import { ResultsError } from './results.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** Writes a text to a path that the user chose, atomically. */
export async function writeText(
  files: Pick<ChosenFiles, 'write'>,
  path: string,
  text: string | AsyncIterable<string>
): Answer<null> {
  let why: Failure | undefined
  // The file writer treats every error as a disk error, so an error of the text's source is kept separately.
  async function* watched(pieces: AsyncIterable<string>): AsyncGenerator<string> {
    try {
      yield* pieces
    } catch (error) {
      why = error instanceof ResultsError ? error.failure : failure('internal', { reason: 'rows-unreadable' })
      throw error
    }
  }
  const written = await files.write(path, typeof text === 'string' ? text : watched(text), 'batch-results-unwritable')
  return why ? fail(why) : written
}

/** Writes rows, unless a policy forbids it. Also for a path that a host names: the router has not seen that. */
export async function writeRows(
  {
    files,
    policies
  }: { readonly files: Pick<ChosenFiles, 'write'>; readonly policies?: Pick<Policies, 'exportRefusal'> },
  path: string,
  pieces: AsyncIterable<string>
): Answer<null> {
  const refusal = policies?.exportRefusal()
  // A policy can come into force while the file is being written.
  async function* allowed(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      const now = policies?.exportRefusal()
      if (now) throw new ResultsError(now)
      yield piece
    }
  }
  return refusal ? fail(refusal) : writeText(files, path, allowed())
}
