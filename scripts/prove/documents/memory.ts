/** What a hostile server of documents costs the process of core, in memory. */
import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import type { Row } from '../../figures/format.ts'
import { rowOf } from '../../figures/row.ts'
import { card, heic, png } from '../../../tests/service/support/document-files.ts'
import { activePdfs, bomb, manyPages } from '../../../tests/service/support/document-pdfs.ts'
import type { DocumentReport } from '../../../tests/service/support/document-reader.ts'
import {
  redirectTo,
  serveDocuments,
  stated,
  type Answer,
  type DocumentServer
} from '../../../tests/service/support/document-server.ts'

const reader = fileURLToPath(new URL('../../../tests/service/support/document-reader.ts', import.meta.url))
const mebibyte = 1024 * 1024
/** Megabytes over the baseline. */
export const memoryAim = 100

const block = Buffer.alloc(256 * 1024, 0x41)
function endlessly(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  }
  response.on('drain', more).on('error', () => undefined)
  more()
}
function trickling(response: ServerResponse): void {
  response.writeHead(200).write(card)
  const timer = setInterval(() => response.write('x'), 100)
  response.on('close', () => clearInterval(timer))
}

/** A PNG whose pixels unpack to 400 MB, in some hundred kilobytes. */
function pixelBomb(): Buffer {
  const part = deflateRawSync(Buffer.alloc(16 * mebibyte), { finishFlush: constants.Z_FULL_FLUSH })
  const rows = Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(24).fill(part), Buffer.from([3, 0])])
  return png(10, 10, { claims: [20_000, 20_000], extra: [['IDAT', rows]] })
}
const manyChunks = (): Buffer => {
  const whole = png(700, 700)
  const empty = Buffer.from([0, 0, 0, 0, 0x74, 0x45, 0x58, 0x74, 0, 0, 0, 0])
  return Buffer.concat([whole.subarray(0, 33), ...Array<Buffer>(1_000_000).fill(empty), whole.subarray(33)])
}

/** Each kind: its name, what answers, and how it has to end. */
function kinds(server: DocumentServer): readonly (readonly [string, Buffer | Answer, string])[] {
  const circle: Answer = (response, request) => redirectTo(request.url ?? '/')(response, request)
  const onward =
    (left: number): Answer =>
    (response, request) =>
      redirectTo(left === 0 ? server.at(card) : server.at(onward(left - 1)))(response, request)
  return [
    ['a PNG of 20,000 × 20,000 pixels', pixelBomb(), 'document-too-many-pixels'],
    ['a HEIC of 30,000 × 30,000 pixels', heic(30_000, 30_000), 'document-too-many-pixels'],
    ['a PNG of a million parts', manyChunks(), 'opened'],
    ['a body without an end', (response) => endlessly(response), 'document-too-large'],
    [
      'a body of 10 GiB, as announced',
      (response) => (response.writeHead(200, { 'content-length': String(10 * 1024 * mebibyte) }), endlessly(response)),
      'document-too-large'
    ],
    [
      'a header without an end',
      (response) => {
        const more = (): void => {
          while (response.socket?.write(`x-a: ${'a'.repeat(1000)}\r\n`));
        }
        response.socket?.write('HTTP/1.1 200 OK\r\n')
        response.socket?.on('drain', more).on('error', () => undefined)
        more()
      },
      'document-not-fetched'
    ],
    ['a letter every tenth of a second', (response) => trickling(response), 'document-not-fetched'],
    [
      'a compressed body of 1 GiB',
      stated('image/jpeg', gzipSync(Buffer.alloc(64 * mebibyte)), { 'content-encoding': 'gzip' }),
      'document-not-fetched'
    ],
    ['redirects in a circle', circle, 'document-not-fetched'],
    ['redirects without an end', onward(1000), 'document-not-fetched'],
    [
      'a PDF that is a web page, of 20 MiB',
      Buffer.concat([manyPages(1), Buffer.from('<script>alert(1)</script>'), Buffer.alloc(20 * mebibyte - 2000, ' ')]),
      'opened'
    ],
    ['PDF bombs', bomb('stream'), 'opened'],
    ['a PDF with scripts', Object.values(activePdfs('http://127.0.0.1:9/'))[0] ?? card, 'opened'],
    ['a JPEG of 20 MiB', Buffer.concat([card], 20 * mebibyte), 'opened']
  ]
}

/** Opens each kind in a console of its own. Errors: other endings. */
export async function documentMemory(
  times: number
): Promise<{ readonly rows: readonly Row[]; readonly faults: readonly string[] }> {
  const server = await serveDocuments()
  try {
    const all = kinds(server)
    const rows: Row[] = []
    const faults: string[] = []
    for (const [name, answer, ending] of all) {
      // What trickles takes all of its 30 seconds.
      const count = name.startsWith('a letter') ? 1 : times
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--expose-gc', reader, server.at(card), server.at(answer), String(count)],
        { maxBuffer: 16 * mebibyte }
      )
      const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as DocumentReport
      rows.push(
        rowOf({
          name: `core: ${name}`,
          unit: 'MB',
          samples: [Math.max(0, report.memory) / 1e6],
          aims: { single: memoryAim }
        })
      )
      faults.push(...report.endings.filter((each) => each !== ending).map((each) => `${name}: ended as ${each}`))
    }
    return { rows, faults }
  } finally {
    await server.close()
  }
}
