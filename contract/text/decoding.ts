/**
 * Strict text decoding: a byte that is invalid in its encoding is reported with its line, never replaced. Core uses
 * it to read files and the window to read dropped ones, so that both give the same result.
 */
import type { BatchEncoding } from '../batches/batches.ts'
import { failure, type Failure } from '../failures/failures.ts'
import { fail, ok, type Result } from '../failures/result.ts'

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

/** How far a text has been read. */
export interface Position {
  /** From 1; lines end with CR LF, LF or CR. */
  readonly line: number
  readonly afterReturn: boolean
  /** Whether a byte order mark may still follow. */
  readonly atStart: boolean
}
export const beginning: Position = { line: 1, afterReturn: false, atStart: true }

const names: Readonly<Record<BatchEncoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252'
}
// Unassigned in Windows-1252. The decoder maps them to control characters (WHATWG, "Encoding"), which no file
// intends.
const unassigned = /[\u0081\u008d\u008f\u0090\u009d]/

/**
 * Line breaks in a text, which may follow a carriage return. Uses `indexOf`, because every byte of large files is
 * scanned.
 */
function breaksIn(text: string, afterReturn: boolean): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) if (at > 0 || !afterReturn) count += 1
  // The CR of a CR LF is counted with its LF.
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1))
    if (at === text.length - 1 || text[at + 1] !== '\n') count += 1
  return count
}

/** The position after a text. */
export function behind(text: string, { line, afterReturn, atStart }: Position): Position {
  if (text === '') return { line, afterReturn, atStart }
  return { line: line + breaksIn(text, afterReturn), afterReturn: text.endsWith('\r'), atStart: false }
}

/** Length of the bytes without an incomplete last character. */
function wholeLength(bytes: Uint8Array, encoding: BatchEncoding): number {
  const { length } = bytes
  if (encoding === 'windows-1252') return length
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

/** Decodes the bytes, or returns undefined if one is invalid. An incomplete last character is omitted. */
export function textOf(bytes: Uint8Array, encoding: BatchEncoding): string | undefined {
  try {
    // In stream mode, because Node 20 otherwise reads Windows-1252 as Latin-1.
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

const hex = (value: number, digits: number): string => `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`

function misfit(bytes: Uint8Array, at: number, encoding: BatchEncoding, { line }: Position): Failure {
  const [first = 0, second] = bytes.subarray(at, at + 2)
  const wide = (encoding === 'utf-16le' || encoding === 'utf-16be') && second !== undefined
  const value = wide ? hex(encoding === 'utf-16le' ? second * 256 + first : first * 256 + second, 4) : hex(first, 2)
  return failure('batch-file-encoding', { line, value, encoding: names[encoding] })
}

/** The failure of a text that contains an unpaired surrogate, which no encoding can represent; undefined otherwise. */
export function surrogateMisfit(text: string): Failure | undefined {
  if (text.isWellFormed()) return undefined
  const at = /(?<![\ud800-\udbff])[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])/.exec(text)?.index ?? 0
  const { line } = behind(text.slice(0, at), beginning)
  return failure('batch-file-encoding', { line, value: hex(text.charCodeAt(at), 4), encoding: 'Unicode' })
}

/** Decodes one encoding, starting at a position. A byte order mark at the start is omitted. */
export function strictDecoding(encoding: BatchEncoding, from: Position = beginning): Decoding {
  let rest: Uint8Array = new Uint8Array()
  let position = from
  return {
    push(bytes) {
      const piece = rest.length === 0 ? bytes : joined([rest, bytes])
      const whole = piece.subarray(0, wholeLength(piece, encoding))
      const text = textOf(whole, encoding)
      const at =
        text === undefined ? misfitAt(whole, encoding) : encoding === 'windows-1252' ? text.search(unassigned) : -1
      if (text === undefined || at >= 0)
        return fail(misfit(whole, at, encoding, behind(textOf(whole.subarray(0, at), encoding) ?? '', position)))
      rest = piece.subarray(whole.length)
      const marked = position.atStart && text.startsWith('\ufeff')
      position = behind(text, position)
      return ok(marked ? text.slice(1) : text)
    },
    end: () => (rest.length === 0 ? ok('') : fail(misfit(rest, 0, encoding, position))),
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
