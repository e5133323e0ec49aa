/** Detects the encoding of bytes: by a byte order mark, by zeros, or otherwise from all bytes. */
import type { BatchEncoding } from '../batches/batches.ts'
import { failed, type Failure } from '../failures/failures.ts'
import { ok, type Result } from '../failures/result.ts'
import { beginning, behind, joined, strictDecoding, textOf, type Decoding, type Position } from './decoding.ts'

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
  if (odd > 0.4 && even < 0.1) return 'utf-16le'
  return even > 0.4 && odd < 0.1 ? 'utf-16be' : undefined
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

/**
 * UTF-8 or Windows-1252, in which nearly every byte is valid. The two are the same while all bytes are ASCII; the 64
 * KiB from the first other byte decide. If they indicate Windows-1252, all later ones are counted as well: a UTF-8
 * file with one damaged character must not be read as Windows-1252, with every other name in it garbled.
 */
function guessedDecoding(): Decoding {
  const plain = new TextDecoder()
  let position: Position = beginning
  let held: Uint8Array[] = []
  let heldBytes = 0
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
    chosen = strictDecoding('windows-1252', position)
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
    encoding: () => chosen?.encoding() ?? 'utf-8'
  }
}

/**
 * Decodes bytes in the encoding that the user chose, or the one detected from the first bytes.
 *
 * @param head The first 64 KiB, or everything if there is less; push them as well.
 */
export function decodingOf(head: Uint8Array, wanted: BatchEncoding | undefined): Decoding {
  const encoding = wanted ?? markedEncoding(head)
  return encoding === undefined ? guessedDecoding() : strictDecoding(encoding)
}
