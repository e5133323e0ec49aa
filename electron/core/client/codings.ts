/** Content codings of replies (RFC 9110, 8.4), as browsers read them: a name that no decoder has says nothing about the bytes. */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

/** Zstandard came to Node later than the oldest one that runs the preview. */
const hasZstd = 'createZstdDecompress' in zlib

/** Streams that undo a coding, by its name. */
export const decoders: Readonly<Record<string, () => Transform>> = {
  'gzip': () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  'deflate': () => zlib.createInflate(),
  'br': () => zlib.createBrotliDecompress(),
  ...(hasZstd && { zstd: () => zlib.createZstdDecompress() })
}

/**
 * The codings of a reply in the order in which they were applied. Names such as `aws-chunked` and `UTF-8`, which upload
 * tools leave on files that are not coded at all, are left out.
 */
export const codingsOf = ({ headers }: Pick<IncomingMessage, 'headers'>): readonly string[] =>
  (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => Object.hasOwn(decoders, name))

/** More are a trap: each may multiply the bytes by a thousand. */
const maxCodings = 3

type Unpack = (bytes: Uint8Array, options: { readonly maxOutputLength: number }, done: Unpacked) => void
type Unpacked = (error: NodeJS.ErrnoException | null, bytes: Buffer) => void

/** Servers send both forms of `deflate`, with a header (RFC 1950) and without. */
const isWrapped = (bytes: Uint8Array): boolean =>
  ((bytes[0] ?? 0) & 15) === 8 && ((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) % 31 === 0

function unpackerOf(coding: string, bytes: Uint8Array): Unpack {
  if (coding === 'br') return zlib.brotliDecompress
  if (coding === 'zstd') return zlib.zstdDecompress
  if (coding === 'deflate') return isWrapped(bytes) ? zlib.inflate : zlib.inflateRaw
  return zlib.gunzip
}

/** Undoes codings. `too-large` as soon as a result has more bytes than the limit, `damaged` if one cannot be undone. */
export async function decoded(
  bytes: Buffer,
  codings: readonly string[],
  limitBytes: number
): Promise<Buffer | 'too-large' | 'damaged'> {
  if (codings.length > maxCodings) return 'damaged'
  let current = bytes
  for (const coding of [...codings].reverse()) {
    if (current.length === 0) break
    const unpack = unpackerOf(coding, current)
    const next = await new Promise<Buffer | 'too-large' | 'damaged'>((resolve) =>
      unpack(current, { maxOutputLength: limitBytes }, (error, unpacked) =>
        resolve(error ? (error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too-large' : 'damaged') : unpacked)
      )
    )
    if (typeof next === 'string') return next
    current = next
  }
  return current
}
