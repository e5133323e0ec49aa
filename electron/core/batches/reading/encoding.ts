/** Which encoding a file has, told from its first bytes, and how it becomes UTF-8. */
import type { BatchEncoding } from '#contract/batches.ts'
import { failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'

const starts = (head: Uint8Array, ...bytes: number[]): boolean => bytes.every((byte, index) => head[index] === byte)

/** Share of zero bytes at even and at odd places: half of plain UTF-16 text in a Latin script is zeros. */
function zeros(head: Uint8Array): { readonly even: number; readonly odd: number } {
  let even = 0
  let odd = 0
  for (let index = 0; index < head.length; index += 1) if (head[index] === 0) index % 2 === 0 ? (even += 1) : (odd += 1)
  const half = Math.max(1, head.length / 2)
  return { even: even / half, odd: odd / half }
}

/**
 * The encoding of a file by its first bytes: a byte order mark decides; then zeros as UTF-16 has them;
 * then whether the bytes are UTF-8. What is neither is Windows-1252, in which every byte means something.
 *
 * @param whole Whether these bytes are all there are: a character cut in two at the end is no fault otherwise.
 */
export function detectEncoding(head: Uint8Array, whole: boolean): BatchEncoding {
  if (starts(head, 0xef, 0xbb, 0xbf)) return 'utf-8'
  if (starts(head, 0xff, 0xfe)) return 'utf-16le'
  if (starts(head, 0xfe, 0xff)) return 'utf-16be'
  const { even, odd } = zeros(head)
  if (odd > 0.4 && even < 0.1) return 'utf-16le'
  if (even > 0.4 && odd < 0.1) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: !whole })
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}

/** Programs whose files are often taken for CSV. */
const signatures: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'it looks like an Excel workbook or another packed file'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'it looks like an old Excel workbook'],
  [[0x25, 0x50, 0x44, 0x46], 'it is a PDF'],
  [[0x1f, 0x8b], 'it is packed with gzip'],
  [[0x89, 0x50, 0x4e, 0x47], 'it is an image'],
  [[0xff, 0xd8, 0xff], 'it is an image']
]

/** Fails with `batch-file-not-text` where the first bytes are those of a program's own format, or mostly zeros. */
export function textOrFailure(head: Uint8Array): Result<null, Failure> {
  const known = signatures.find(([bytes]) => starts(head, ...bytes))
  if (known) return failed('batch-file-not-text', { detail: known[1] })
  const { even, odd } = zeros(head)
  return even + odd > 1.2 ? failed('batch-file-not-text', { detail: 'it holds mostly zero bytes' }) : ok(null)
}

/** The bytes as UTF-8 text in pieces, without a byte order mark. What does not fit the encoding becomes U+FFFD. */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: BatchEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
