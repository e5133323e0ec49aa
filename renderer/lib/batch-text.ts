/** Bytes of a dropped file as text. Chosen files are read by the core; a dropped one reaches the window only. */
import { maxBatchText } from '#contract/batch-rows.ts'
import type { BatchEncoding } from '#contract/batches.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { decodingOf, textOrFailure } from '#contract/text-encoding.ts'

export interface DecodedText {
  readonly text: string
  readonly encoding: BatchEncoding
}

/** As a person has chosen, or as the bytes tell. Fails with `batch-text-too-large`, `batch-file-not-text`, `batch-file-encoding`. A byte order mark is left out. */
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
