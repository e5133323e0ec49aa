/** Strict text decoding: a byte that is invalid in its encoding is reported with its line, never replaced. */
import type { BatchEncoding } from '#contract/batches/batches.ts'
import { encodingLabel } from '#contract/text/encoding-labels.ts'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { beginning, behind, hex, type Position } from './position.ts'
import { codePageText, isWide, wholeWide } from './code-pages.ts'

/** Decodes bytes that arrive in pieces of any length. Fails with `batch-file-encoding`. */
export interface Decoding {
  /** The text of the bytes so far that was not returned yet; an incomplete character waits for its rest. */
  push(bytes: Uint8Array): Result<string, Failure>
  /** The rest. Fails if the last character is incomplete. */
  end(): Result<string, Failure>
  /**
   * The encoding in use: initially from the byte order mark, or UTF-8 without one; certain once everything was read.
   */
  encoding(): BatchEncoding
}

const isUnicode = (encoding: BatchEncoding): boolean => encoding.startsWith('utf-')

/** Length of the bytes without an incomplete last character. */
function wholeLength(bytes: Uint8Array, encoding: BatchEncoding): number {
  const { length } = bytes
  if (!isUnicode(encoding)) return isWide(encoding) ? wholeWide(bytes) : length
  if (encoding === 'utf-8') {
    for (let back = 1; back <= Math.min(3, length); back += 1) {
      const byte = bytes[length - back] ?? 0
      if (byte >= 0x80 && byte < 0xc0) continue
      const needed = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
      return needed > back ? length - back : length
    }
    return length
  }
  const even = length - (length % 2)
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0
  return high >= 0xd8 && high < 0xdc ? even - 2 : even
}

/** Decodes bytes of Unicode, or returns undefined if one is invalid. An incomplete last character is omitted. */
export function textOf(bytes: Uint8Array, encoding: BatchEncoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Where the first invalid character begins. */
function misfitAt(bytes: Uint8Array, encoding: BatchEncoding): number {
  let [fits, fitsNot] = [0, bytes.length]
  while (fitsNot - fits > 1) {
    const middle = (fits + fitsNot) >> 1
    if (textOf(bytes.subarray(0, middle), encoding) === undefined) fitsNot = middle
    else fits = middle
  }
  return wholeLength(bytes.subarray(0, fits), encoding)
}

function misfit(bytes: Uint8Array, at: number, encoding: BatchEncoding, { line }: Position): Failure {
  const [first = 0, second] = bytes.subarray(at, at + 2)
  const wide = (encoding === 'utf-16le' || encoding === 'utf-16be') && second !== undefined
  const value = wide ? hex(encoding === 'utf-16le' ? second * 256 + first : first * 256 + second, 4) : hex(first, 2)
  return failure('batch-file-encoding', { line, value, encoding: encodingLabel(encoding) })
}

/** The text of whole characters; where the first byte is that does not fit, otherwise. */
function strictText(bytes: Uint8Array, encoding: BatchEncoding): ReturnType<typeof codePageText> {
  if (!isUnicode(encoding)) return codePageText(bytes, encoding)
  const text = textOf(bytes, encoding)
  if (text !== undefined) return { text }
  const at = misfitAt(bytes, encoding)
  return { before: textOf(bytes.subarray(0, at), encoding) ?? '', at }
}

/** Decodes one encoding, starting at a position. A byte order mark at the start is omitted. */
export function strictDecoding(encoding: BatchEncoding, from: Position = beginning): Decoding {
  let rest: Uint8Array = new Uint8Array()
  let position = from
  return {
    push(bytes) {
      const piece = rest.length === 0 ? bytes : joined([rest, bytes])
      const whole = piece.subarray(0, wholeLength(piece, encoding))
      const decoded = strictText(whole, encoding)
      if (!('text' in decoded)) return fail(misfit(whole, decoded.at, encoding, behind(decoded.before, position)))
      const { text } = decoded
      rest = piece.subarray(whole.length)
      const marked = position.atStart && text.startsWith('\ufeff')
      position = behind(text, position)
      return ok(marked ? text.slice(1) : text)
    },
    end() {
      if (rest.length === 0) return ok('')
      const decoded = isWide(encoding) ? codePageText(rest, encoding) : { before: '', at: 0 }
      return 'text' in decoded
        ? ok(decoded.text)
        : fail(misfit(rest, decoded.at, encoding, behind(decoded.before, position)))
    },
    encoding: () => encoding
  }
}

/** Concatenates pieces of bytes. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
