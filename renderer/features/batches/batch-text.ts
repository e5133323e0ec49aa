/** The content of a dropped file, for core: only the window gets one. */
import { maxBatchText } from '#contract/batches/rows.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'

/** Bytes that are encoded at once: a multiple of three, so that the pieces can be joined. */
const pieceBytes = 3 * 8192

/** The content in base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + pieceBytes))))
  return pieces.join('')
}

export const tooLarge = (): Result<never, Failure> => failed('batch-text-too-large', { limitBytes: maxBatchText })
