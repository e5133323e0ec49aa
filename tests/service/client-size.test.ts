/**
 * Endless replies: stopped at the limit, with their first part stored and bounded memory use.
 * @deadlines
 */
import { PassThrough, Readable } from 'node:stream'
import type { Socket } from 'node:net'
import zlib from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { sendVerification } from '#core/client/send.ts'
import { httpReply, orderTo, rawService, until } from './support/client-order.ts'
import { inTime } from './support/in-time.ts'

const mebibyte = 1024 * 1024

/** Compresses a gibibyte of spaces after the start of an answer, without holding it in memory. */
async function bomb(compressor: zlib.Gzip | zlib.BrotliCompress, megabytes: number): Promise<Buffer> {
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

/** The peak memory in use while something runs, minus the memory before; bytes. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  global.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 2)
  await work()
  most = Math.max(most, process.memoryUsage.rss())
  clearInterval(timer)
  return most - before
}

async function endlessly(socket: Socket, chunk: Buffer): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  while (!socket.destroyed)
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
}

describe('replies that are too large', () => {
  const bombs: Record<string, Buffer> = {}
  beforeAll(async () => {
    bombs.gzip = await bomb(zlib.createGzip({ level: 9 }), 256)
    bombs.br = await bomb(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }), 1024)
  })

  it.each(['gzip', 'br'] as const)('a %s bomb', async (encoding) => {
    const body = bombs[encoding] ?? Buffer.alloc(0)
    // What the runtime loads at the first call does not count.
    const harmless = await rawService((socket) => socket.end(httpReply('{"message":"m"}')))
    await sendVerification(await orderTo(harmless.origin))
    const service = await rawService((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    })
    const order = await orderTo(service.origin)
    let ending: Awaited<ReturnType<typeof sendVerification>> | undefined
    const memory = await memoryOf(async () => (ending = await sendVerification(order)))
    expect(ending).toMatchObject({
      outcome: 'unreadable',
      failure: { code: 'reply-too-large' },
      reply: { status: 200, truncated: true }
    })
    expect(ending?.reply?.body).toHaveLength(mebibyte)
    expect(ending?.reply?.body.startsWith('{"message":"m"')).toBe(true)
    expect(ending?.reply?.bytes).toBeLessThan(2 * mebibyte)
    expect(memory).toBeLessThan(20 * mebibyte)
    await until(() => service.closed() === 1)
  })

  it.each([
    ['a body of 1 GB', 'content-length: 1000000000', Buffer.alloc(65536, 0x61)],
    ['endless chunks', 'transfer-encoding: chunked', Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`)],
    ['a body without an end', 'connection: close', Buffer.alloc(65536, 0x61)]
  ])('%s', async (_name, header, chunk) => {
    const service = await rawService((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
      void endlessly(socket, chunk)
    })
    const ending = await sendVerification(await orderTo(service.origin))
    // Not by the deadline; how soon is measured by the proof of replies that are too large.
    expect(ending).toMatchObject({
      outcome: 'unreadable',
      failure: { code: 'reply-too-large', details: { limitBytes: 1024 * 1024 } }
    })
    expect(ending.reply?.body).toBe('a'.repeat(mebibyte))
    await until(() => service.closed() === 1)
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
      outcome: 'unreadable',
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
      expect((await sendVerification(order)).outcome, `without ${cut} bytes`).toBe('unreadable')
  })
})
