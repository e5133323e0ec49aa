/** Responses of a gigabyte, compressed and not: memory use, and the time until the connection is closed. */
import { execFile } from 'node:child_process'
import type { Socket } from 'node:net'
import { PassThrough, Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { rowOf } from '../../figures/row.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { httpReply, startRawService } from '../../../tests/service/support/client-services.ts'
import type { ReaderReport } from '../../../tests/service/support/reply-reader.ts'

const reader = fileURLToPath(new URL('../../../tests/service/support/reply-reader.ts', import.meta.url))
const mebibyte = 1024 * 1024
/** Megabytes, and milliseconds from the first byte of the response to the closed connection. */
const aims = { memory: 20, closed: 1000 }

/** Compresses this many mebibytes after the start of an answer, without holding them in memory. */
async function bomb(compressor: zlib.Gzip | zlib.Deflate | zlib.BrotliCompress, size: number): Promise<Buffer> {
  const block = Buffer.alloc(mebibyte, 0x20)
  const source = Readable.from(
    (function* () {
      yield Buffer.from('{"message":"m","padding":"')
      for (let index = 0; index < size; index += 1) yield block
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

type Answer = (socket: Socket) => void

async function kinds(size: number): Promise<readonly (readonly [string, Answer])[]> {
  const compressed =
    (encoding: string, body: Buffer): Answer =>
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    }
  const endless =
    (header: string, chunk: Buffer): Answer =>
    (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`)
      void endlessly(socket, chunk)
    }
  const { BROTLI_PARAM_QUALITY: quality } = zlib.constants
  return [
    ['gzip', compressed('gzip', await bomb(zlib.createGzip({ level: 9 }), size))],
    ['deflate', compressed('deflate', await bomb(zlib.createDeflate({ level: 9 }), size))],
    ['brotli', compressed('br', await bomb(zlib.createBrotliCompress({ params: { [quality]: 3 } }), size))],
    ['a body of this length', endless(`content-length: ${size * mebibyte}`, Buffer.alloc(65_536, 0x61))],
    ['endless chunks', endless('transfer-encoding: chunked', Buffer.from(`4000\r\n${'a'.repeat(0x4000)}\r\n`))],
    ['a body without an end', endless('connection: close', Buffer.alloc(65_536, 0x61))]
  ]
}

/** Reads each response in a process of its own. Errors: endings other than “too large”. */
export async function proveReplySize({ sized, progress }: SectionRun): Promise<Measured> {
  const size = sized(1024, 64)
  const faults: string[] = []
  const rows = []
  const warmUp = httpReply(`{"message":"m","padding":"${'a'.repeat(50_000)}"}`)
  for (const [name, answer] of await kinds(size)) {
    const [memory, closed]: [number[], number[]] = [[], []]
    for (let round = sized(10, 2); round > 0; round -= 1) {
      const closing = Promise.withResolvers<number>()
      const service = await startRawService((socket, _request, nth) => {
        if (nth === 1) return void socket.end(warmUp)
        const begun = performance.now()
        socket.once('close', () => closing.resolve(performance.now() - begun))
        answer(socket)
      })
      const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', reader, service.origin, '1'])
      const report = JSON.parse(stdout) as ReaderReport
      const [ending] = report.endings
      if (ending?.outcome !== 'unreadable' || ending.code !== 'reply-too-large')
        faults.push(`${name}: ended as ${ending?.outcome} (${ending?.code})`)
      memory.push(report.memory / 1e6)
      closed.push(await closing.promise)
      service.end()
    }
    rows.push(rowOf({ name: `${name}: memory`, unit: 'MB', samples: memory, aims: { largest: aims.memory } }))
    rows.push(rowOf({ name: `${name}: closed after`, unit: 'ms', samples: closed, aims: { largest: aims.closed } }))
    progress(name)
  }
  return { notes: [`Each response has ${size.toLocaleString('en')} MiB when decompressed, or no end.`], rows, faults }
}
