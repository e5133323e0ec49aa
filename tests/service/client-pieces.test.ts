/**
 * Replies in as many pieces as possible: their memory use depends on their size, not on the number of pieces.
 * @deadlines
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { rawService, until } from './support/client-order.ts'
import type { ReaderReport } from './support/reply-reader.ts'

const mebibyte = 1024 * 1024
const reader = fileURLToPath(new URL('./support/reply-reader.ts', import.meta.url))

/** The report of a separate process that read `atOnce` replies concurrently. */
async function reportOf(origin: string, atOnce: number): Promise<ReaderReport> {
  // A small young generation: otherwise the peak depends on when garbage is collected, not on what a reply needs.
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--max-semi-space-size=1',
    reader,
    origin,
    String(atOnce)
  ])
  return JSON.parse(stdout) as ReaderReport
}

/** Writes, and waits while the reader is slower. */
async function written(socket: Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed || socket.write(bytes)) return
  await new Promise<void>((resolve) => {
    const go = (): void => {
      socket.off('drain', go).off('close', go)
      resolve()
    }
    socket.on('drain', go).on('close', go)
  })
}

async function endlessly(socket: Socket, piece: string): Promise<void> {
  const block = Buffer.from(piece.repeat(4096))
  while (!socket.destroyed) await written(socket, block)
}

const head = '{"message":"m","padding":"'
const tail = '"}'
const text = (bytes: number): string => `${head}${'a'.repeat(bytes - head.length - tail.length)}${tail}`
const start = (...headers: string[]): string =>
  ['HTTP/1.1 200 OK', 'transfer-encoding: chunked', ...headers, '', ''].join('\r\n')

/** A complete reply in chunks of one byte. */
async function inPieces(socket: Socket, body: Buffer, extension = '', ...headers: string[]): Promise<void> {
  socket.write(start(...headers))
  const block = 4096
  for (let from = 0; from < body.length && !socket.destroyed; from += block) {
    const pieces = [...body.subarray(from, from + block)].map((byte) =>
      Buffer.from(`1${extension}\r\n${String.fromCharCode(byte)}\r\n`, 'latin1')
    )
    await written(socket, Buffer.concat(pieces))
  }
  socket.end('0\r\n\r\n')
}

/** Read before measuring: what the runtime allocates for the first reply does not count. */
const warmUp = Buffer.from(text(50_000))
const noise = (bytes: number): string => `${head}${randomBytes(bytes).toString('base64')}${tail}`

describe('a reply of as many pieces as it has bytes costs no more memory than others', () => {
  const kinds: readonly (readonly [string, number, () => (socket: Socket) => Promise<void>])[] = [
    ['one', 1, () => (socket) => inPieces(socket, Buffer.from(text(1_000_000)))],
    ['four at once', 4, () => (socket) => inPieces(socket, Buffer.from(text(400_000)))],
    [
      'with an extension to each chunk',
      1,
      () => (socket) => inPieces(socket, Buffer.from(text(200_000)), `;${'x'.repeat(200)}`)
    ],
    [
      'compressed',
      1,
      () => {
        const body = zlib.gzipSync(noise(200_000))
        return (socket) => inPieces(socket, body, '', 'content-encoding: gzip')
      }
    ]
  ]
  it.each(kinds)('%s', async (_name, atOnce, make) => {
    const answer = make()
    const service = await rawService(
      (socket, _request, nth) => void (nth === 1 ? inPieces(socket, warmUp) : answer(socket))
    )
    const { endings, memory } = await reportOf(service.origin, atOnce)
    expect(endings).toEqual(
      Array.from({ length: atOnce }, () => expect.objectContaining({ outcome: 'answered', message: 'm' }) as unknown)
    )
    expect(memory).toBeLessThan(20 * mebibyte * atOnce)
  })

  it.each([
    ['chunks', [start(), '1\r\na\r\n'], 'invalid-response'],
    ['extensions of a chunk', [`${start()}1;`, 'x;'], 'unknown'],
    ['lines of headers', ['HTTP/1.1 200 OK\r\n', 'a:\r\n'], 'unknown'],
    ['trailers', [`${start()}2\r\n{}\r\n0\r\n`, 'a:\r\n'], 'unknown'],
    ['lines before the reply', ['', '\r\n'], 'unknown'],
    ['interim replies', ['', 'HTTP/1.1 100 Continue\r\n\r\n'], 'unknown']
  ])('endless %s', async (_name, [first = '', again = ''], outcome) => {
    const service = await rawService((socket, _request, nth) => {
      if (nth === 1) return void inPieces(socket, warmUp)
      socket.write(first)
      void endlessly(socket, again)
    })
    const { endings, memory } = await reportOf(service.origin, 1)
    expect(endings[0]).toMatchObject({ outcome })
    expect(memory).toBeLessThan(20 * mebibyte)
    await until(() => service.closed() === 2)
  })
})
