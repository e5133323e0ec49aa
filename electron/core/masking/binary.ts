/* oxlint-disable typescript/no-non-null-assertion -- every index is below the length. */
/** Decodes bytes that a text contains in base64, hexadecimal digits, or a list of decimal numbers. */
import { pieceLength } from './pattern.ts'
import { isPiece, rolled, type Index } from './search.ts'
import { alphanumeric, breakUnit, hexValue, push, type View, type Writer } from './view.ts'

/** Fewer bytes than this cannot contain a piece of a secret that would be found. */
const minBytes = 8

const isBlank = (unit: number): boolean => unit === 32 || (unit >= 9 && unit <= 13)
const notDigit = -1
const outside = -2

/** The meaning of a character in a notation: a digit's value, `notDigit` between digits, or `outside`. */
type Digits = Int8Array

function table(fill: (unit: number) => number): Digits {
  return Int8Array.from({ length: 128 }, (_, unit) => fill(unit))
}

/** Both alphabets of RFC 4648; line breaks are allowed between digits. */
const base64Digits = table((unit) => {
  const char = String.fromCharCode(unit)
  if (/[\t-\r]/.test(char)) return notDigit
  const value = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.indexOf(
    { '-': '+', '_': '/' }[char] ?? char
  )
  return value < 0 ? outside : value
})

/** Hexadecimal pairs may be separated by white space, colons, commas, dots, dashes, and `0x`. */
const hexDigits = table((unit) => {
  if (isBlank(unit) || /[:,.xX-]/.test(String.fromCharCode(unit))) return notDigit
  const value = hexValue(unit)
  return value < 0 ? outside : value
})

interface Notation {
  readonly bits: 4 | 6
  readonly digits: Digits
}
const base64: Notation = { bits: 6, digits: base64Digits }
const hex: Notation = { bits: 4, digits: hexDigits }

/** The zero of `0x` is not a digit. */
const isMark = (view: View, at: number, unit: number): boolean =>
  unit === 48 && at + 1 < view.length && (view.units[at + 1]! | 32) === 120

function digitAt(view: View, at: number, { bits, digits }: Notation): number {
  const unit = view.units[at]!
  if (unit > 127) return outside
  return bits === 4 && isMark(view, at, unit) ? notDigit : digits[unit]!
}

/** The digits of a view's runs in sequence, with their positions; the buffers are reused. */
export interface Runs {
  readonly digits: Uint8Array
  readonly places: Int32Array
}

/** Collects runs of digits that are long enough; returns their bounds: start, end, start, end. */
function findRuns(view: View, notation: Notation, { digits, places }: Runs): readonly number[] {
  const ends: number[] = []
  const fewest = Math.ceil((minBytes * 8) / notation.bits)
  let start = 0
  let count = 0
  for (let at = 0; at <= view.length; at += 1) {
    const digit = at < view.length ? digitAt(view, at, notation) : outside
    if (digit >= 0) {
      digits[count] = digit
      places[count] = at
      count += 1
    } else if (digit === outside && count > start) {
      if (count - start >= fewest) ends.push(start, count)
      else count = start
      start = count
    }
  }
  return ends
}

/** Decodes the bytes of a run from its digit `start` on. */
function readRun(view: View, { digits, places }: Runs, start: number, end: number, bits: 4 | 6, out: Writer): void {
  let held = 0
  let heldBits = 0
  let from = -1
  for (let index = start; index < end; index += 1) {
    const at = places[index]!
    if (from < 0) from = view.from[at]!
    held = ((held << bits) | digits[index]!) & 0xffff
    heldBits += bits
    if (heldBits < 8) continue
    heldBits -= 8
    push(out, (held >> heldBits) & 255, from, view.to[at]!)
    // This digit may contain the first bits of the next byte.
    from = heldBits > 0 ? view.from[at]! : -1
  }
  const last = view.to[places[end - 1]!]!
  push(out, breakUnit, last, last)
}

/**
 * Whether the bytes of a run are worth decoding: they contain a piece of a pattern, or a passage of text that may
 * contain a further encoding. Most runs are images and digests, and are ruled out here, many times faster.
 */
function isWorthReading({ digits }: Runs, start: number, end: number, bits: 4 | 6, indices: readonly Index[]): boolean {
  let held = 0
  let heldBits = 0
  let printable = 0
  // The last letters and digits, and their hash, as in `search`.
  const last = new Uint8Array(pieceLength)
  let count = 0
  let hash = 0
  for (let index = start; index < end; index += 1) {
    held = ((held << bits) | digits[index]!) & 0xffff
    heldBits += bits
    if (heldBits < 8) continue
    heldBits -= 8
    const byte = (held >> heldBits) & 255
    printable = isPrintable(byte) ? printable + 1 : 0
    if (printable === readableLength) return true
    const value = alphanumeric(byte)
    if (value < 0) continue
    const slot = count & (pieceLength - 1)
    hash = rolled(hash, count < pieceLength ? -1 : last[slot]!, value)
    last[slot] = value
    count += 1
    if (count >= pieceLength)
      for (let each = 0; each < indices.length; each += 1) if (isPiece(indices[each]!, hash)) return true
  }
  return false
}

/** `[67, 65, 78]`: lists of numbers that are printable characters. */
function readDecimal(view: View, out: Writer): void {
  let value = -1
  let from = 0
  let count = 0
  for (let at = 0; at <= view.length; at += 1) {
    const unit = at < view.length ? view.units[at]! : breakUnit
    if (unit >= 48 && unit <= 57) {
      if (value < 0) {
        value = 0
        from = view.from[at]!
      }
      value = Math.min(value * 10 + unit - 48, 999)
      continue
    }
    const printable = value >= 32 && value <= 126
    if (printable) {
      push(out, value, from, view.to[at - 1]!)
      count += 1
    }
    const ends = (value >= 0 && !printable) || (!isBlank(unit) && unit !== 44)
    value = -1
    if (!ends || count === 0) continue
    if (count < minBytes) out.length -= count
    else push(out, breakUnit, view.to[at - 1]!, view.to[at - 1]!)
    count = 0
  }
}

/**
 * Decodes the bytes that a view contains into `out`, one reading after the other, and calls `each` for each that is
 * not empty. The start of a run of digits is uncertain, since the preceding text may look like part of it: it is
 * decoded from each of its first digits at which a byte may begin. Runs of more than 64 digits are decoded only if
 * they contain a piece of `indices` or text.
 */
export function readBinary(view: View, runs: Runs, out: Writer, indices: readonly Index[], each: () => void): void {
  for (const notation of [base64, hex]) {
    const { bits } = notation
    const ends = findRuns(view, notation, runs)
    if (ends.length === 0) continue
    for (let skip = 0; skip < (bits === 6 ? 4 : 2); skip += 1) {
      out.length = 0
      for (let run = 0; run < ends.length; run += 2) {
        const [start, end] = [ends[run]! + skip, ends[run + 1]!]
        if (end - start <= 64 || isWorthReading(runs, start, end, bits, indices))
          readRun(view, runs, start, end, bits, out)
      }
      // `each` uses other buffers than `runs`.
      if (out.length > 0) each()
    }
  }
  out.length = 0
  readDecimal(view, out)
  if (out.length > 0) each()
}

const readableLength = 2 * minBytes
const isPrintable = (unit: number): boolean => (unit >= 32 && unit <= 126) || (unit >= 9 && unit <= 13)

/** Whether a view has a passage of printable characters that could contain a further encoding. */
export function isReadable(view: View): boolean {
  let run = 0
  for (let at = 0; at < view.length; at += 1) {
    run = isPrintable(view.units[at]!) ? run + 1 : 0
    if (run === readableLength) return true
  }
  return false
}
