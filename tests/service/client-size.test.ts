/**
 * Endless replies: stopped at the limit, with their first part stored and bounded memory use.
 * @deadlines
 */
import { execFile } from 'node:child_process'
import { PassThrough, Readable } from 'node:stream'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { sendVerification } from '#core/client/send.ts'
import { httpReply, orderTo, rawService, until } from './support/client-order.ts'
import { inTime } from './support/in-time.ts'
import type { ReaderReport } from './support/reply-reader.ts'
import { counted, times } from './support/times.ts'

const mebibyte = 1024 * 1024
const reader = fileURLToPath(new URL('./support/reply-reader.ts', import.meta.url))

/** Compresses mebibytes of spaces after the start of an answer, without holding them in memory. */
async function bomb(compressor: zlib.Gzip | zlib.Deflate | zlib.BrotliCompress, megabytes: number): Promise<Buffer> {
  const block = Buffer.alloc(mebibyte, 0x20)
  const source = Readable.from(
    (function* () {
      yield Buffer.from('{"message":"m","padding":"')
      for (let index = 0; index < megabytes; index += 1) yield block
    })()
  )
  const chunks: Buffer[] = []
  for await (const chunk of source.pipe(compressor).pipe(new PassThrough())) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function endlessly(socket: Socket, chunk: Buffer): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  while (!socket.destroyed)
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
}

const warmUp = httpReply(`{"message":"m","padding":"${'a'.repeat(50_000)}"}`)

describe('replies that are too large', () => {
  const megabytes = times === 1 ? 128 : 1024
  const { BROTLI_PARAM_QUALITY: quality } = zlib.constants
  const compressed = async (encoding: string, made: Promise<Buffer>): Promise<(socket: Socket) => void> => {
    const body = await made
    return (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    }
  }
  const endless = async (header: string, chunk: Buffer): Promise<(socket: Socket) => void> => {
    return (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
      void endlessly(socket, chunk)
    }
  }
  it.for([
    ['a gzip bomb', () => compressed('gzip', bomb(zlib.createGzip({ level: 9 }), megabytes))],
    ['a deflate bomb', () => compressed('deflate', bomb(zlib.createDeflate({ level: 9 }), megabytes))],
    ['a br bomb', () => compressed('br', bomb(zlib.createBrotliCompress({ params: { [quality]: 3 } }), megabytes))],
    ['a body of 1 GB', () => endless('content-length: 1000000000', Buffer.alloc(65536, 0x61))],
    ['endless chunks', () => endless('transfer-encoding: chunked', Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`))],
    ['a body without an end', () => endless('connection: close', Buffer.alloc(65536, 0x61))]
  ] as const)('%s', async ([, make], { task }) => {
    const answer = await make()
    for (let round = 0; round < times; round += 1) {
      const closing = Promise.withResolvers<number>()
      const service = await rawService((socket, _request, nth) => {
        // What the runtime loads at the first call does not count.
        if (nth === 1) return void socket.end(warmUp)
        const begun = performance.now()
        socket.once('close', () => closing.resolve(performance.now() - begun))
        answer(socket)
      })
      // A process of its own, whose memory nothing else uses.
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', reader, service.origin, '1'])
      const { endings, memory } = JSON.parse(stdout) as ReaderReport
      const took = await closing.promise
      expect(endings).toMatchObject([
        { outcome: 'invalid-response', code: 'reply-too-large', kept: mebibyte, truncated: true }
      ])
      expect(endings[0]?.bytes).toBeLessThan(2 * mebibyte)
      expect(memory).toBeLessThan(20 * mebibyte)
      expect(took, 'milliseconds from the first byte to the closed connection').toBeLessThan(1000)
      counted(task, {
        'responses': 1,
        'most MB': Math.ceil(memory / 1e6),
        'most milliseconds until closed': Math.ceil(took)
      })
    }
  })

  it('endless headers and endless interim replies end too', async () => {
    for (const part of [`x: ${'a'.repeat(1000)}\r\n`, 'HTTP/1.1 100 Continue\r\n\r\n']) {
      const service = await rawService((socket) => {
        if (part.startsWith('x')) socket.write('HTTP/1.1 200 OK\r\n')
        void endlessly(socket, Buffer.from(part.repeat(20)))
      })
      const limits = { connectTimeout: 1, totalTimeout: 1, maxReplyBytes: mebibyte }
      const order = await orderTo(service.origin, { limits })
      expect(await inTime(1500, () => sendVerification(order))).toMatchObject({
        inTime: true,
        value: { outcome: 'unknown' }
      })
      await until(() => service.closed() === 1)
    }
  })

  it('exactly at the limit is read; one byte more is not; a cut character is left out', async () => {
    const answer = `{"message":"${'é'.repeat(506)}"}`.padEnd(1026, ' ')
    const bytes = Buffer.byteLength(answer)
    const service = await rawService((socket) => socket.end(httpReply(answer)))
    const at = async (maxReplyBytes: number) =>
      sendVerification(
        await orderTo(service.origin, { limits: { connectTimeout: 5, totalTimeout: 30, maxReplyBytes } })
      )
    expect(await at(bytes)).toMatchObject({ outcome: 'answered', reply: { bytes, truncated: false } })
    expect(await at(bytes - 1)).toMatchObject({
      outcome: 'invalid-response',
      failure: { code: 'reply-too-large' },
      reply: { truncated: true }
    })
    expect((await at(1023)).reply?.body).not.toContain('\ufffd')
  })

  it.each([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync]
  ] as const)('%s is read, and a cut one is no answer', async (encoding, compress) => {
    const whole = compress('{"message":"squeezed"}')
    let cut = 0
    const service = await rawService((socket) => {
      const body = whole.subarray(0, whole.length - cut)
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.end(body)
    })
    const order = await orderTo(service.origin)
    expect(await sendVerification(order)).toMatchObject({ outcome: 'answered', message: 'squeezed' })
    for (cut = 1; cut < whole.length; cut += 1)
      expect((await sendVerification(order)).outcome, `without ${cut} bytes`).toBe('invalid-response')
  })
})
