/** Reads a response body: decompresses it, enforces the size limit, and stops at once when asked to. */
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { codingsOf, decoders } from './codings.ts'

interface Gatherer {
  /** Copies as much of a piece as fits. The piece itself is not retained. */
  add(piece: Uint8Array): void
  /** The bytes added so far, at most `limit`. */
  bytes(): Uint8Array
}

/**
 * A gatherer of up to `limit` bytes. It uses at most twice the memory of the bytes added. It holds no list of pieces,
 * which would cost hundreds of bytes for each, and the sender decides how many there are.
 */
function createGatherer(limit: number): Gatherer {
  let space = new Uint8Array(0)
  let filled = 0
  return {
    add(piece) {
      const part = piece.subarray(0, limit - filled)
      const needed = filled + part.length
      if (needed > space.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(needed, space.length * 2)))
        larger.set(space.subarray(0, filled))
        space = larger
      }
      space.set(part, filled)
      filled = needed
    },
    bytes: () => space.subarray(0, filled)
  }
}

/**
 * How reading ended. `lost`: the connection broke before the end of the body. `damaged`: the compression is broken or
 * unknown. `stopped`: cancelled or timed out.
 */
export type BodyEnd = 'complete' | 'too-large' | 'lost' | 'damaged' | 'stopped'

export interface BodyRead {
  /** At most `limit` bytes. */
  readonly bytes: Uint8Array
  /** Bytes seen after decompression, including those beyond the limit. */
  readonly seen: number
  readonly end: BodyEnd
}

/** Supported encodings; also the Accept-Encoding that the client sends. */
export const acceptedEncodings = 'gzip, deflate, br'

/** The decoder for a reply; `undefined` if it is not compressed, `'unknown'` if it is more than once, which nothing asks for. */
function decoderOf(reply: IncomingMessage): Transform | undefined | 'unknown' {
  const [coding, more] = codingsOf(reply)
  if (coding === undefined) return undefined
  return more === undefined ? decoders[coding]?.() : 'unknown'
}

/** Maximum compressed size of `limit` bytes: no compressor adds more than an eighth, plus a header with a file name. */
const maxCompressed = (limit: number): number => limit + limit / 8 + 64 * 1024

/**
 * Feeds a decoder, combining everything received since its last write into one write. A pipe would queue each piece
 * separately and count only its bytes, not the hundreds of bytes that each queue entry costs.
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
 * Reads up to `limit` bytes after decompression. Ending early also closes the connection, so a decompression bomb is
 * not read further. Never throws. Memory is bounded by the limit, however many pieces the body comes in.
 */
export function readBody(reply: IncomingMessage, limit: number, stop: AbortSignal): Promise<BodyRead> {
  return new Promise((resolve) => {
    const found = decoderOf(reply)
    const decoder = found === 'unknown' ? undefined : found
    const source = decoder ?? reply
    const gathered = createGatherer(limit)
    let seen = 0
    let finished = false

    const finish = (end: BodyEnd): void => {
      if (finished) return
      finished = true
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

    // Not removed: an error after the end would otherwise be unhandled.
    reply.on('error', lost)
    reply.on('close', () => {
      if (!reply.complete) lost()
    })
    decoder?.on('error', () => finish(reply.complete || !reply.destroyed ? 'damaged' : 'lost'))
    source.on('end', () => finish(!reply.complete ? 'lost' : found === 'unknown' && seen > 0 ? 'damaged' : 'complete'))
    source.on('data', (chunk: Uint8Array) => {
      // The parser emits the rest of its buffer even after the connection was closed.
      if (finished) return
      seen += chunk.length
      gathered.add(chunk)
      if (seen > limit) finish('too-large')
    })
    stop.addEventListener('abort', onStop, { once: true })
    if (stop.aborted) onStop()
    else if (decoder) feed(reply, decoder, maxCompressed(limit), () => finish('too-large'))
  })
}
