/** Bytes of a dropped file as text. Chosen files are read by the core; a dropped one reaches the window only. */
import { maxBatchText } from '#contract/batch-rows.ts'
import type { BatchEncoding } from '#contract/batches.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { bytesInWords } from './text.ts'

export interface DecodedText {
  readonly text: string
  readonly encoding: BatchEncoding
}

/** Share of zero bytes at even and at odd places: UTF-16 of Latin letters is half zeros. */
function zeros(head: Uint8Array): { even: number; odd: number } {
  const found = [0, 0]
  head.forEach((byte, index) => {
    if (byte === 0) found[index % 2] = (found[index % 2] ?? 0) + 1
  })
  const half = Math.max(1, head.length / 2)
  return { even: (found[0] ?? 0) / half, odd: (found[1] ?? 0) / half }
}

/** By the byte order mark, then by zeros, then by whether it is UTF-8; else Windows-1252, where all bytes mean something. */
export function guessEncoding(bytes: Uint8Array): BatchEncoding {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const { even, odd } = zeros(bytes.subarray(0, 65_536))
  if (odd > 0.4 && even < 0.1) return 'utf-16le'
  if (even > 0.4 && odd < 0.1) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Fails with `batch-text-too-large`. A byte order mark is left out. */
export function decodeText(bytes: Uint8Array, encoding: BatchEncoding = guessEncoding(bytes)): Result<DecodedText, Failure> {
  if (bytes.length > maxBatchText) return tooLarge()
  return ok({ text: new TextDecoder(encoding).decode(bytes), encoding })
}

export const tooLarge = (): Result<never, Failure> => failed('batch-text-too-large', { limit: bytesInWords(maxBatchText) })
