/**
 * Encodings older than Unicode. One-byte sets are decoded by the platform. It decodes some sets of several bytes wrongly
 * without an error (EUC-KR beyond KS X 1001, Big5-HKSCS, in Electron GBK): these are decoded by iconv-lite.
 */
import iconv from 'iconv-lite'
import type { BatchEncoding } from '#contract/batches/batches.ts'

/** The sets of several bytes, by their names in iconv-lite. A byte below 0x30 is never a part of another character. */
const wideSets: Readonly<Partial<Record<BatchEncoding, string>>> = {
  'gbk': 'gbk',
  'gb18030': 'gb18030',
  'big5': 'big5hkscs',
  'shift_jis': 'shift_jis',
  'euc-jp': 'eucjp',
  'euc-kr': 'cp949'
}

/** What no text of such a set contains: the control characters U+0080 to U+009F, U+FFFD and private use. */
const foreign = /[\u0080-\u009f\ufffd\ue000-\uf8ff\udb80-\udbff]/

export const isWide = (encoding: BatchEncoding): boolean => wideSets[encoding] !== undefined

/** The length of the bytes up to which every character is whole; a run without any end is not a table, and is cut. */
export function wholeWide(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at >= 0; at -= 1) if ((bytes[at] ?? 0) < 0x30) return at + 1
  return bytes.length > 1024 * 1024 ? bytes.length : 0
}

const decoded = (bytes: Uint8Array, encoding: BatchEncoding): string => {
  const wide = wideSets[encoding]
  return wide === undefined
    ? // In stream mode, because Node otherwise reads Windows-1252 as Latin-1.
      new TextDecoder(encoding).decode(bytes, { stream: true })
    : iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), wide, { stripBOM: false })
}

/** The text of whole characters; where the first byte is that is none of the encoding, otherwise. */
export function codePageText(
  bytes: Uint8Array,
  encoding: BatchEncoding
): { readonly text: string } | { readonly before: string; readonly at: number } {
  const text = decoded(bytes, encoding)
  const at = text.search(foreign)
  if (at < 0) return { text }
  const before = text.slice(0, at)
  const wide = wideSets[encoding]
  return { before, at: wide === undefined ? at : Math.min(bytes.length - 1, iconv.encode(before, wide).length) }
}
