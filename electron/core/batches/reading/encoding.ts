/** The bytes of a source as text. */
import type { Failure } from '#contract/failures.ts'
import type { Result } from '#contract/result.ts'
import type { Decoding } from '#contract/text-decoding.ts'

/** Thrown where a byte does not fit the encoding; carries the sentence for the person. */
export class EncodingError extends Error {
  readonly failure: Failure
  constructor(why: Failure) {
    super(why.code)
    this.failure = why
  }
}

const textOrThrow = (text: Result<string, Failure>): string => {
  if (text.ok) return text.value
  throw new EncodingError(text.failure)
}

/** The text in pieces, without a byte order mark. Throws `EncodingError`. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, decoding: Decoding): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    const text = textOrThrow(decoding.push(chunk))
    // A stream of texts ends at an empty one.
    if (text !== '') yield text
  }
  const rest = textOrThrow(decoding.end())
  if (rest !== '') yield rest
}
