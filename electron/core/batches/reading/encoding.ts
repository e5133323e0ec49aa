/** Detects the encoding of bytes: by a byte order mark, by zeros, or otherwise from all bytes. */
import type { BatchEncoding } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { joined, strictDecoding, textOf, type Decoding } from './decoding.ts'
import { beginning, behind, type Position } from './position.ts'
import { codePageText } from './code-pages.ts'
import { likelyEncodings } from './likely-encodings.ts'

/** Bytes examined to detect the encoding, and their number counted from the first that is not ASCII. */
export const headBytes = 64 * 1024

const startsWith = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte)

/** Share of zero bytes at even and odd positions: half of UTF-16 text in a Latin script is zeros. */
function zeros(head: Uint8Array): { readonly even: number; readonly odd: number } {
  let even = 0
  let odd = 0
  for (let index = 0; index < head.length; index += 1) if (head[index] === 0) index % 2 === 0 ? (even += 1) : (odd += 1)
  const half = Math.max(1, head.length / 2)
  return { even: even / half, odd: odd / half }
}

/** The encoding shown by a byte order mark or by zeros as in UTF-16; undefined if the other bytes have to decide. */
function markedEncoding(head: Uint8Array): BatchEncoding | undefined {
  if (startsWith(head, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (startsWith(head, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(head, 0xfe, 0xff)) return 'utf-16be'
  const { even, odd } = zeros(head.subarray(0, headBytes))
  if (odd > 0.01 && even < odd / 3 && isUtf16(head, 'utf-16le')) return 'utf-16le'
  return even > 0.01 && odd < even / 3 && isUtf16(head, 'utf-16be') ? 'utf-16be' : undefined
}

/** Whether the bytes are UTF-16: in any script, a table has line breaks, delimiters and digits among its characters. */
function isUtf16(head: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): boolean {
  const text = textOf(head.subarray(0, headBytes), encoding)
  if (text === undefined || !/[\r\n]/.test(text)) return false
  return (text.match(/[\t\n\r -~]/g)?.length ?? 0) > text.length / 20
}

/** File formats that are often mistaken for CSV. */
const signatures: readonly (readonly [
  bytes: readonly number[],
  format: 'packed' | 'old-excel' | 'pdf' | 'gzip' | 'image'
])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'packed'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'old-excel'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf'],
  [[0x1f, 0x8b], 'gzip'],
  [[0x89, 0x50, 0x4e, 0x47], 'image'],
  [[0xff, 0xd8, 0xff], 'image']
]

/** Fails with `batch-file-not-text` if the first bytes are those of another file format, or mostly zeros. */
export function textOrFailure(head: Uint8Array): Result<null, Failure> {
  const known = signatures.find(([bytes]) => startsWith(head, ...bytes))
  if (known) return failed('batch-file-not-text', { reason: known[1] })
  const { even, odd } = zeros(head.subarray(0, headBytes))
  return even + odd > 1.2 ? failed('batch-file-not-text', { reason: 'zeros' }) : ok(null)
}

/** Counts non-ASCII characters that are valid UTF-8, and byte sequences that are not. */
function createTally() {
  const decoder = new TextDecoder()
  const found = { utf8: 0, other: 0 }
  return {
    add(bytes: Uint8Array): void {
      const text = decoder.decode(bytes, { stream: true })
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at)
        if (code === 0xfffd) found.other += 1
        else if (code > 0x7f && (code < 0xdc00 || code > 0xdfff)) found.utf8 += 1
      }
    },
    /** A tie counts as UTF-8: other encodings hardly ever contain such sequences by chance. */
    mostlyUtf8: (): boolean => found.utf8 > 0 && found.utf8 >= found.other
  }
}

/** The position of the first byte that is not ASCII; the length if there is none. */
function plainLength(bytes: Uint8Array): number {
  // Only ASCII has as many characters as bytes. Looping over all bytes of a large file would take longer than reading
  // it.
  if (textOf(bytes, 'utf-8')?.length === bytes.length) return bytes.length
  let at = 0
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1
  return at
}

/** The decoding of a text whose encoding was not chosen. */
export interface DetectedDecoding extends Decoding {
  /** Encodings from which a person has to choose, with lines that show the difference; empty while it is certain. */
  choices(): readonly LinesInEncoding[]
}
export interface LinesInEncoding {
  readonly encoding: BatchEncoding
  readonly lines: readonly { readonly line: number; readonly text: string }[]
}

/** How many lines show the difference, and how many bytes of each. */
const shownLines = 5
const shownBytes = 2000

/** The first lines that are not ASCII, each with its number. */
function linesBeyondAscii(bytes: Uint8Array, from: number): readonly { line: number; bytes: Uint8Array }[] {
  const found: { line: number; bytes: Uint8Array }[] = []
  let line = from
  for (let at = 0; at < bytes.length && found.length < shownLines;) {
    let end = at
    let isPlain = true
    for (; end < bytes.length && bytes[end] !== 0x0a && bytes[end] !== 0x0d; end += 1)
      if ((bytes[end] ?? 0) >= 0x80) isPlain = false
    if (!isPlain) found.push({ line, bytes: bytes.subarray(at, Math.min(end, at + shownBytes)) })
    line += 1
    at = end + (bytes[end] === 0x0d && bytes[end + 1] === 0x0a ? 2 : 1)
  }
  return found
}

/**
 * UTF-8, or an older encoding, in most of which nearly every byte is valid. All are the same while all bytes are ASCII;
 * the 64 KiB from the first other byte decide. If they are not UTF-8, all later ones are counted as well: a UTF-8 file
 * with one damaged character must not be read in another encoding, with every other name in it garbled.
 */
function guessedDecoding(): DetectedDecoding {
  const plain = new TextDecoder()
  let position: Position = beginning
  let held: Uint8Array[] = []
  let heldBytes = 0
  /** The line in which the first other byte stands, up to it. */
  let lineStart = ''
  let lines: readonly { readonly line: number; readonly bytes: Uint8Array }[] = []
  let likely: readonly BatchEncoding[] = []
  let chosen: Decoding | undefined
  /** The failure if it is UTF-8 after all, and the counts that decide. */
  let doubt: { readonly failure: Failure; readonly tally: ReturnType<typeof createTally> } | undefined

  const orUtf8Failure = (text: Result<string, Failure>): Result<string, Failure> =>
    doubt && !text.ok && doubt.tally.mostlyUtf8() ? { ok: false, failure: doubt.failure } : text
  function decide(bytes: Uint8Array, isAll: boolean): Result<string, Failure> {
    chosen = strictDecoding('utf-8', position)
    const asUtf8 = chosen.push(bytes)
    const rest = asUtf8.ok && isAll ? chosen.end() : asUtf8
    if (rest.ok) return asUtf8
    const tally = createTally()
    tally.add(bytes)
    if (tally.mostlyUtf8()) return rest
    doubt = { failure: rest.failure, tally }
    likely = likelyEncodings(bytes)
    lines = linesBeyondAscii(joined([new TextEncoder().encode(lineStart), bytes]), position.line)
    chosen = strictDecoding(likely[0] ?? 'windows-1252', position)
    return chosen.push(bytes)
  }
  return {
    push(bytes) {
      if (chosen) {
        doubt?.tally.add(bytes)
        return orUtf8Failure(chosen.push(bytes))
      }
      const start = heldBytes > 0 ? 0 : plainLength(bytes)
      const text = plain.decode(bytes.subarray(0, start))
      position = behind(text, position)
      lineStart = (lineStart + text.slice(-shownBytes)).split(/[\r\n]/).at(-1) ?? ''
      if (start < bytes.length) {
        held.push(bytes.subarray(start))
        heldBytes += bytes.length - start
      }
      if (heldBytes < headBytes) return ok(text)
      const decided = decide(joined(held), false)
      held = []
      return decided.ok ? ok(text + decided.value) : decided
    },
    end() {
      const text = chosen || heldBytes === 0 ? ok('') : decide(joined(held), true)
      const rest = text.ok ? (chosen?.end() ?? ok('')) : text
      if (!text.ok || !rest.ok) return orUtf8Failure(rest)
      return doubt?.tally.mostlyUtf8() ? { ok: false, failure: doubt.failure } : ok(text.value + rest.value)
    },
    encoding: () => chosen?.encoding() ?? 'utf-8',
    choices: () =>
      likely.map((encoding) => ({
        encoding,
        lines: lines.map(({ line, bytes }) => {
          const found = codePageText(bytes, encoding)
          return { line, text: 'text' in found ? found.text : found.before }
        })
      }))
  }
}

/**
 * Decodes bytes in the encoding that the user chose, or the one detected from the first bytes.
 *
 * @param head The first 64 KiB, or everything if there is less; push them as well.
 */
export function decodingOf(head: Uint8Array, wanted: BatchEncoding | undefined): DetectedDecoding {
  const encoding = wanted ?? markedEncoding(head)
  return encoding === undefined ? guessedDecoding() : { ...strictDecoding(encoding), choices: () => [] }
}
