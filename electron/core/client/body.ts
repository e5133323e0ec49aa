/** Reads a reply's body: decompressed, counted, bounded, and stopped at once where it must be. */
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'

/**
 * How reading ended. `lost`: the connection broke before the body's end. `damaged`: the compression
 * is broken or unknown. `stopped`: cancelled or timed out.
 */
export type BodyEnd = 'complete' | 'too-large' | 'lost' | 'damaged' | 'stopped'

export interface BodyRead {
  /** At most the limit's number of bytes. */
  readonly bytes: Uint8Array
  /** Bytes seen after decompression, those beyond the limit included. */
  readonly seen: number
  readonly end: BodyEnd
}

/** What the client can undo; also the Accept-Encoding that it sends. */
export const acceptedEncodings = 'gzip, deflate, br'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress()
}

/** The decoder for a reply; `undefined` where none is needed, `'unknown'` where none is known. */
function decoderOf(reply: IncomingMessage): Transform | undefined | 'unknown' {
  const encoding = (reply.headers['content-encoding'] ?? '').trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') return undefined
  return Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : 'unknown'
}

/**
 * Reads up to `limit` bytes after decompression. Whatever ends it early also closes the connection:
 * a bomb is not read on. Never throws.
 */
export function readBody(reply: IncomingMessage, limit: number, stop: AbortSignal): Promise<BodyRead> {
  return new Promise((resolve) => {
    const found = decoderOf(reply)
    const decoder = found === 'unknown' ? undefined : found
    const source: Readable = decoder ?? reply
    const chunks: Uint8Array[] = []
    let kept = 0
    let seen = 0
    let settled = false

    const finish = (end: BodyEnd): void => {
      if (settled) return
      settled = true
      stop.removeEventListener('abort', onStop)
      if (end !== 'complete') {
        reply.unpipe()
        reply.destroy()
        reply.socket?.destroy()
      }
      decoder?.destroy()
      resolve({ bytes: Buffer.concat(chunks, kept), seen, end })
    }
    const onStop = (): void => finish('stopped')
    const lost = (): void => finish(stop.aborted ? 'stopped' : 'lost')

    // Stays for good: an error after the end must find a listener.
    reply.on('error', lost)
    reply.on('close', () => {
      if (!reply.complete) lost()
    })
    decoder?.on('error', () => finish(reply.complete || !reply.destroyed ? 'damaged' : 'lost'))
    source.on('end', () => finish(!reply.complete ? 'lost' : found === 'unknown' && seen > 0 ? 'damaged' : 'complete'))
    source.on('data', (chunk: Uint8Array) => {
      seen += chunk.length
      const room = limit - kept
      if (room > 0) {
        const part = chunk.length > room ? chunk.subarray(0, room) : chunk
        chunks.push(part)
        kept += part.length
      }
      if (seen > limit) finish('too-large')
    })
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    else if (decoder) reply.pipe(decoder)
  })
}
