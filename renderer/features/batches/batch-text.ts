/** Decodes the bytes of a dropped file. Core reads chosen files; only the window gets a dropped one. */
import { maxBatchText } from '#contract/batches/rows.ts'
import type { BatchEncoding } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { decodingOf, textOrFailure } from '#contract/text/encoding.ts'

export interface DecodedText {
  readonly text: string
  readonly encoding: BatchEncoding
}

/**
 * Uses the chosen encoding or detects it. Fails with `batch-text-too-large`, `batch-file-not-text`,
 * `batch-file-encoding`. A byte order mark is removed.
 */
export function decodeText(bytes: Uint8Array, wanted?: BatchEncoding): Result<DecodedText, Failure> {
  if (bytes.length > maxBatchText) return tooLarge()
  const isText = textOrFailure(bytes)
  if (!isText.ok) return isText
  const decoding = decodingOf(bytes, wanted)
  const text = decoding.push(bytes)
  if (!text.ok) return text
  const rest = decoding.end()
  return rest.ok ? ok({ text: text.value + rest.value, encoding: decoding.encoding() }) : rest
}

export const tooLarge = (): Result<never, Failure> => failed('batch-text-too-large', { limitBytes: maxBatchText })
