/** Reads a reply's body: decompressed, counted, bounded, and stopped at once where it must be. */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'
import { createGatherer } from './gatherer.ts'

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

/** No compressor makes more than this of `limit` bytes: nothing is an eighth larger, beside a header with a file's name. */
const mostCompressed = (limit: number): number => limit + limit / 8 + 64 * 1024

/**
 * Feeds a decoder with what has come since its last write, as one write. A pipe would queue each piece by itself,
 * and count the bytes in its queue, not the hundreds of bytes that each entry costs.
 */
function feed(reply: IncomingMessage, decoder: Transform, limit: number, tooMuch: () => void): void {
  let waiting = createGatherer(limit)
  let writing = false
  let ended = false
  let seen = 0
  const next = (): void => {
    if (writing || decoder.destroyed) return
    const bytes = waiting.bytes()
    if (bytes.length === 0) {
      if (ended) decoder.end()
      return
    }
    waiting = createGatherer(limit)
    writing = true
    decoder.write(bytes, () => {
      writing = false
      next()
    })
  }
  reply.on('data', (chunk: Uint8Array) => {
    seen += chunk.length
    if (seen > limit) return tooMuch()
    waiting.add(chunk)
    next()
  })
  reply.on('end', () => {
    ended = true
    next()
  })
}

/**
 * Reads up to `limit` bytes after decompression. Whatever ends it early also closes the connection:
 * a bomb is not read on. Never throws. Memory is bounded by the limit, in however many pieces the body comes.
 */
export function readBody(reply: IncomingMessage, limit: number, stop: AbortSignal): Promise<BodyRead> {
  return new Promise((resolve) => {
    const found = decoderOf(reply)
    const decoder = found === 'unknown' ? undefined : found
    const source = decoder ?? reply
    const gathered = createGatherer(limit)
    let seen = 0
    let settled = false

    const finish = (end: BodyEnd): void => {
      if (settled) return
      settled = true
      stop.removeEventListener('abort', onStop)
      if (end !== 'complete') {
        reply.destroy()
        reply.socket?.destroy()
      }
      decoder?.destroy()
      resolve({ bytes: gathered.bytes(), seen, end })
    }
    const onStop = (): void => finish('stopped')
    const lost = (): void => finish(stop.aborted ? 'stopped' : 'lost')

    // Stays: an error after the end must find a listener.
    reply.on('error', lost)
    reply.on('close', () => {
      if (!reply.complete) lost()
    })
    decoder?.on('error', () => finish(reply.complete || !reply.destroyed ? 'damaged' : 'lost'))
    source.on('end', () => finish(!reply.complete ? 'lost' : found === 'unknown' && seen > 0 ? 'damaged' : 'complete'))
    source.on('data', (chunk: Uint8Array) => {
      // The parser hands out the rest of what it holds even where the connection has been closed.
      if (settled) return
      seen += chunk.length
      gathered.add(chunk)
      if (seen > limit) finish('too-large')
    })
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    else if (decoder) feed(reply, decoder, mostCompressed(limit), () => finish('too-large'))
  })
}
