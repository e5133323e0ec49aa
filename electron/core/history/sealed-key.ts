/** The history's key on its way to a worker. */
import { ok, type Result } from '#contract/failures/result.ts'
import type { Failure } from '#contract/failures/failures.ts'
import { sealForLine } from '#kit/sealing/line.ts'
import type { HistoryWorker } from '#wire/history/thread.ts'

/** Seals a key, which stays the caller's, for a worker. Failures: that of a worker that has ended. */
export async function sealedKeyFor(
  worker: Pick<HistoryWorker, 'publicKey'>,
  key: string | Uint8Array
): Promise<Result<Uint8Array, Failure>> {
  const publicKey = await worker.publicKey()
  if (!(publicKey instanceof Uint8Array)) return publicKey
  return ok(sealForLine(publicKey, typeof key === 'string' ? Buffer.from(key, 'hex') : key))
}
