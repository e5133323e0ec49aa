/** Documents as storages really send them: compressed without being asked, labelled wrongly, and behind addresses in UTF-8. */
import { createHash, randomUUID } from 'node:crypto'
import net, { type AddressInfo } from 'node:net'
import zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultDocumentRules } from '#contract/connections/connection.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { createDocuments } from '#core/documents/documents.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { card, png } from './support/document-files.ts'
import { onePage } from './support/document-pdfs.ts'
import { serveDocuments, setTrap, stated, type DocumentServer, type Trap } from './support/document-server.ts'

let server: DocumentServer
let trap: Trap
beforeAll(async () => void ([server, trap] = await Promise.all([serveDocuments(), setTrap()])))
afterAll(() => Promise.all([server.close(), trap.close()]))

/** Opens a link under the rules of the practice connection, or of one that allows public addresses alone. */
function open(url: string, practice = true) {
  const settings = () => defaultSettings
  const connection = {
    id: randomUUID(),
    name: 'Test',
    baseUrl: 'https://kyc.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'T',
    createdAt: 0,
    changedAt: 0,
    documents: { ...defaultDocumentRules },
    ...(practice && { practice: true })
  } as const
  return createDocuments({
    clock: systemClock,
    settings,
    sendingRefusal: () => undefined,
    network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
    connection: () => connection,
    record: async () => failed('record-missing'),
    // Names that nobody owns are this computer.
    resolve: async () => ['127.0.0.1']
  }).open({ connectionId: connection.id, field: 'id_url', url })
}
const refused = (answer: Result<unknown, Failure>): readonly unknown[] =>
  answer.ok ? ['opened'] : [answer.failure.code, answer.failure.details?.['reason']]
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const coded = (coding: string, bytes: Buffer): string =>
  server.at(stated('image/jpeg', bytes, { 'content-encoding': coding }), 'card.jpg')
/** The file that was opened, which must be the one whose size and digest are stated. */
async function fileOf(url: string): Promise<Buffer | readonly unknown[]> {
  const opened = await open(url)
  if (!opened.ok) return refused(opened)
  const file = Buffer.from(opened.value.base64, 'base64')
  expect(opened.value.facts).toMatchObject({ bytes: file.length, sha256: sha256(file) })
  return file
}

describe('a document that its storage sends compressed', () => {
  it.each<readonly [string, string, (bytes: Buffer) => Buffer]>([
    ['gzip', 'gzip', zlib.gzipSync],
    ['gzip by its old name', 'X-GZIP', zlib.gzipSync],
    ['deflate', 'deflate', zlib.deflateSync],
    ['deflate without a header', 'deflate', zlib.deflateRawSync],
    ['Brotli', 'br', zlib.brotliCompressSync],
    ['Zstandard', 'zstd', zlib.zstdCompressSync],
    ['two of them', 'deflate, br', (bytes) => zlib.brotliCompressSync(zlib.deflateSync(bytes))],
    ['one, and a label', 'gzip, aws-chunked', zlib.gzipSync]
  ])('is the file that was put there: %s', async (_name, coding, pack) => {
    const file = await fileOf(coded(coding, pack(card)))
    expect(Buffer.isBuffer(file) && file.equals(card)).toBe(true)
  })

  it.each(['aws-chunked', 'UTF-8', 'binary', 'none, identity', '', 'gzip', 'br, zstd'])(
    'is read where it is labelled “%s” and is not coded at all',
    async (coding) => {
      for (const plain of [card, png(700, 700), onePage()])
        expect(Buffer.from((await fileOf(coded(coding, plain))) as Buffer).equals(plain)).toBe(true)
    }
  )

  it('is refused where its compression is damaged or cut', async () => {
    const packed = zlib.gzipSync(card)
    for (const [coding, bytes] of [
      ['gzip', packed.subarray(0, packed.length - 200)],
      ['gzip', Buffer.from('{"error":"expired"}')],
      ['br', Buffer.alloc(500, 0xff)],
      ['zstd', packed],
      ['deflate', packed],
      ['gzip, gzip, gzip, gzip', packed]
    ] as const)
      expect(refused(await open(coded(coding, bytes))), coding).toEqual(['document-not-fetched', 'compressed'])
    expect(refused(await open(coded('gzip', Buffer.alloc(0))))).toEqual(['document-type-refused', 'empty'])
  })

  it('is not unpacked beyond the size of a document', async () => {
    const large = Buffer.concat([card], 21 * 1024 * 1024)
    for (const [coding, pack] of [
      ['gzip', zlib.gzipSync],
      ['zstd', zlib.zstdCompressSync]
    ] as const)
      expect(refused(await open(coded(coding, pack(large)))), coding).toEqual(['document-too-large', undefined])
    // One within another: neither is large before it is unpacked.
    expect(refused(await open(coded('gzip, gzip', zlib.gzipSync(zlib.gzipSync(large)))))).toEqual([
      'document-too-large',
      undefined
    ])
    const whole = Buffer.concat([card], 20 * 1024 * 1024)
    expect(((await fileOf(coded('gzip', zlib.gzipSync(whole)))) as Buffer).length).toBe(whole.length)
  })
})

describe('a redirect in UTF-8', () => {
  /** A server whose first answer has these bytes in its header; it serves the card everywhere else. */
  async function redirecting(location: (port: number) => string) {
    const asked: string[] = []
    const own = net.createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => {
        const path = bytes.toString('latin1').split(' ')[1] ?? ''
        asked.push(path)
        const { port } = own.address() as AddressInfo
        if (path === '/first')
          socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location(port)}\r\nContent-Length: 0\r\n\r\n`, 'utf8')
        else {
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${card.length}\r\n\r\n`)
          socket.end(card)
        }
      })
    })
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve))
    const { port } = own.address() as AddressInfo
    return {
      first: `http://127.0.0.1:${port}/first`,
      asked,
      close: () => new Promise((resolve) => own.close(resolve))
    }
  }

  it.each([
    ['a path', '/belge-şükrü.jpg', '/belge-%C5%9F%C3%BCkr%C3%BC.jpg'],
    ['a query', '/a?ad=İpek Ünal', '/a?ad=%C4%B0pek%20%C3%9Cnal'],
    ['Chinese', '/身份证/正面.jpg', '/%E8%BA%AB%E4%BB%BD%E8%AF%81/%E6%AD%A3%E9%9D%A2.jpg'],
    ['what is escaped already', '/a%C3%BC/ü', '/a%C3%BC/%C3%BC']
  ])('is followed as browsers follow it: %s', async (_name, location, path) => {
    const own = await redirecting(() => location)
    expect((await open(own.first)).ok).toBe(true)
    expect(own.asked).toEqual(['/first', path])
    await own.close()
  })

  it('leads to a host of that name', async () => {
    const own = await redirecting((port) => `http://bücher.example:${port}/ü`)
    expect(await open(own.first)).toMatchObject({ ok: true, value: { facts: { host: /^xn--bcher-kva\.example:/ } } })
    await own.close()
  })

  it('is no way around the rules for addresses', async () => {
    const { port } = trap
    for (const [host, code] of [
      ['１６９.２５４.１６９.２５４', 'document-address-refused'],
      ['169。254。169。254', 'document-address-refused'],
      ['１０.0.0.1', 'document-address-private'],
      ['⓪xa000001', 'document-address-private'],
      ['[ｆｅ80::1]', 'document-address-refused']
    ] as const) {
      const own = await redirecting(() => `http://${host}:${port}/`)
      const answer = refused(await open(own.first))
      expect(answer[0], host).toBe(code)
      await own.close()
    }
    // In a public network, this computer's own name in full-width letters.
    for (const host of ['ｌｏｃａｌｈｏｓｔ', '１２７.１', 'ˡocalhost'])
      expect(refused(await open(`http://${host}:${port}/`, false))[0], host).toBe('document-address-private')
    expect(trap.connections()).toBe(0)
  })
})
