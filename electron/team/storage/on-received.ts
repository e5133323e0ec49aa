/** Errors of the file of what was received from a team. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { failureOf } from '#wire/sqlite/files.ts'

export const receivedFile = 'received.db'

/** Runs an operation on the file; expected errors become `team-store-unusable`, bugs are rethrown. */
export function onReceived<T>(work: () => T): Result<T, Failure> {
  try {
    return ok(work())
  } catch (error) {
    return unusable(error)
  }
}

/** Likewise for one that asks others in between. */
export async function onReceivedWhile<T>(work: () => Promise<T>): Promise<Result<T, Failure>> {
  try {
    return ok(await work())
  } catch (error) {
    return unusable(error)
  }
}

function unusable(error: unknown): Result<never, Failure> {
  const cause = failureOf(error, receivedFile)
  if (!cause) throw error
  return { ok: false, failure: failure('team-store-unusable', { cause }) }
}
