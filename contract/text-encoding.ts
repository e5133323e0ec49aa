/** Which encoding bytes have: by a mark, by zeros, and where neither tells by all of them. */
import type { BatchEncoding } from './batches.ts'
import { failed, type Failure } from './failures.ts'
import { ok, type Result } from './result.ts'
import { beginning, behind, joined, strictDecoding, textOf, type Decoding, type Position } from './text-decoding.ts'

/** Bytes by which an encoding is told, and how many are looked at from the first one that is not plain ASCII. */
export const headBytes = 64 * 1024

const starts = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte)

/** Share of zero bytes at even and at odd places: half of plain UTF-16 text in a Latin script is zeros. */
function zeros(head: Uint8Array): { readonly even: number; readonly odd: number } {
  let even = 0
  let odd = 0
  for (let index = 0; index < head.length; index += 1) if (head[index] === 0) index % 2 === 0 ? (even += 1) : (odd += 1)
  const half = Math.max(1, head.length / 2)
  return { even: even / half, odd: odd / half }
}

/** The encoding that a byte order mark or zeros as UTF-16 has them tell; undefined where the bytes themselves have to. */
function markedEncoding(head: Uint8Array): BatchEncoding | undefined {
  if (starts(head, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (starts(head, 0xff, 0xfe)) return 'utf-16le'
  if (starts(head, 0xfe, 0xff)) return 'utf-16be'
  const { even, odd } = zeros(head.subarray(0, headBytes))
  if (odd > 0.4 && even < 0.1) return 'utf-16le'
  return even > 0.4 && odd < 0.1 ? 'utf-16be' : undefined
}

/** Programs whose files are often taken for CSV. */
const signatures: readonly (readonly [bytes: readonly number[], format: 'packed' | 'old-excel' | 'pdf' | 'gzip' | 'image'])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'packed'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'old-excel'],
  [[0x25, 0x50, 0x44, 0x46], 'pdf'],
  [[0x1f, 0x8b], 'gzip'],
  [[0x89, 0x50, 0x4e, 0x47], 'image'],
  [[0xff, 0xd8, 0xff], 'image']
]

/** Fails with `batch-file-not-text` where the first bytes are those of a program's own format, or mostly zeros. */
export function textOrFailure(head: Uint8Array): Result<null, Failure> {
  const known = signatures.find(([bytes]) => starts(head, ...bytes))
  if (known) return failed('batch-file-not-text', { reason: known[1] })
  const { even, odd } = zeros(head.subarray(0, headBytes))
  return even + odd > 1.2 ? failed('batch-file-not-text', { reason: 'zeros' }) : ok(null)
}

/** Counts characters beyond ASCII that are UTF-8, and sequences of bytes that are not. */
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
    /** As many of the one as of the other count as UTF-8: other encodings hardly ever have such sequences by chance. */
    mostlyUtf8: (): boolean => found.utf8 > 0 && found.utf8 >= found.other
  }
}

/** The place of the first byte that is not ASCII; the length where there is none. */
function plainLength(bytes: Uint8Array): number {
  // Only ASCII has as many characters as bytes. To walk through all bytes of a large file would take longer than to read it.
  if (textOf(bytes, 'utf-8')?.length === bytes.length) return bytes.length
  let at = 0
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1
  return at
}

/**
 * UTF-8 or Windows-1252, in which nearly every byte means something. As long as all bytes are ASCII it is the same; the
 * first others decide, 64 KiB from there on. Where they say Windows-1252, all that follow are counted too: a file of
 * UTF-8 with a damaged place must not come out as Windows-1252, with every other name in it misread.
 */
function guessedDecoding(): Decoding {
  const plain = new TextDecoder()
  let position: Position = beginning
  let held: Uint8Array[] = []
  let heldBytes = 0
  let chosen: Decoding | undefined
  /** What is wrong if it is UTF-8 after all, and what tells. */
  let doubt: { readonly failure: Failure; readonly tally: ReturnType<typeof createTally> } | undefined

  const settled = (text: Result<string, Failure>): Result<string, Failure> =>
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
        return settled(chosen.push(bytes))
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
      if (!text.ok || !rest.ok) return settled(rest)
      return doubt?.tally.mostlyUtf8() ? { ok: false, failure: doubt.failure } : ok(text.value + rest.value)
    },
    encoding: () => chosen?.encoding() ?? 'utf-8'
  }
}

/**
 * Decodes bytes whose first ones are at hand, as a person has chosen or as they tell.
 *
 * @param head The first 64 KiB, or all where there are fewer; they are to be pushed too.
 */
export function decodingOf(head: Uint8Array, wanted: BatchEncoding | undefined): Decoding {
  const encoding = wanted ?? markedEncoding(head)
  return encoding === undefined ? guessedDecoding() : strictDecoding(encoding)
}
