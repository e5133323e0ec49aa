/**
 * A hostile server of documents: what it can reach, fill, hold up or pass off. Servers, sockets, proxy and TLS are
 * real; only the resolver of names is replaced, where a test needs names that nobody owns.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultDocumentRules, type Connection } from '#contract/connections/connection.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import { createNetwork } from '#core/client/network.ts'
import { createDocuments } from '#core/documents/documents.ts'
import type { Resolve } from '#core/documents/guard.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { card, heic, png, scriptedPdf } from './support/document-files.ts'
import {
  redirectTo,
  serveDocuments,
  setTrap,
  startProxyTo,
  stated,
  type DocumentServer,
  type TestProxy,
  type Trap
} from './support/document-server.ts'
import { createTestAuthority } from './support/tls.ts'

let server: DocumentServer
let proxied: TestProxy
let trap: Trap
let folder: string
beforeAll(async () => {
  ;[server, trap, folder] = await Promise.all([
    serveDocuments(),
    setTrap(),
    mkdtemp(join(tmpdir(), 'veridesk-documents-'))
  ])
  proxied = await startProxyTo(server.port)
})
afterAll(async () => {
  await Promise.all([server.close(), trap.close(), proxied.close()])
  await rm(folder, { recursive: true, force: true })
})

/** Under `practice` loopback is allowed, under `private` private networks too, under `public` neither. */
type Rules = 'public' | 'practice' | 'private'
interface Circumstances {
  readonly rules?: Rules
  readonly settings?: Partial<Settings>
  readonly resolve?: Resolve
  readonly seconds?: number
}

function open(url: string, { rules = 'practice', settings: but = {}, resolve, seconds = 20 }: Circumstances = {}) {
  const settings = () => ({ ...defaultSettings, ...but })
  const connection: Connection = {
    id: randomUUID(),
    name: 'Test',
    baseUrl: 'https://kyc.example.com',
    mode: 'sandbox',
    colour: 'blue',
    mark: 'T',
    createdAt: 0,
    changedAt: 0,
    documents: { ...defaultDocumentRules, privateAddresses: rules === 'private' },
    ...(rules === 'practice' && { practice: true })
  }
  const documents = createDocuments({
    clock: systemClock,
    settings,
    seconds,
    sendingRefusal: () => undefined,
    network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
    connection: () => connection,
    record: async () => failed('record-missing'),
    ...(resolve && { resolve })
  })
  return documents.open({ connectionId: connection.id, field: 'id_url', url })
}
const refused = (answer: Result<unknown, Failure>): readonly unknown[] =>
  answer.ok ? ['opened'] : [answer.failure.code, answer.failure.details?.['reason']]
/** As in a company: all public names are reached through the proxy, which resolves them. */
const byProxy = (): Circumstances => ({
  rules: 'public',
  settings: { proxyMode: 'manual', proxyUrl: `http://127.0.0.1:${proxied.port}` }
})
const inPublic = (url: string): string => url.replace(server.origin, 'http://files.example.com')

describe('a private address is never connected to', () => {
  it('by number in any notation, or by the name of this computer', async () => {
    const hosts = [
      '127.0.0.1',
      '127.1',
      '0x7f.1',
      '0x7f000001',
      '2130706433',
      '017700000001',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::1]',
      'localhost',
      'localhost.',
      'a.localhost',
      '0.0.0.0',
      '0',
      '[::]'
    ]
    for (const host of hosts)
      expect((await open(`http://${host}:${trap.port}/`, { rules: 'public' })).ok, host).toBe(false)
    for (const host of ['169.254.169.254', '0xa9fea9fe', '[fe80::1]', '224.0.0.1', '255.255.255.255'])
      expect(refused(await open(`http://${host}:${trap.port}/`, { rules: 'private' }))[0], host).toBe(
        'document-address-refused'
      )
    expect(trap.connections()).toBe(0)
  })

  it('by a name that resolves to it, even beside a public address', async () => {
    for (const found of [
      ['127.0.0.1'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['192.168.0.1'],
      ['169.254.169.254'],
      ['93.184.216.34', '127.0.0.1'],
      ['127.0.0.1', '93.184.216.34']
    ]) {
      const answer = await open(`http://files.example.com:${trap.port}/`, {
        rules: 'public',
        resolve: async () => found
      })
      expect(refused(answer)[0], found.join()).toMatch(/^document-address-/)
    }
    expect(trap.connections()).toBe(0)
  })

  it('by a name of the system’s own resolver', async () => {
    // The real resolver: `localhost` as a part of a longer name is this computer by RFC 6761.
    expect(refused(await open(`http://documents.localhost:${trap.port}/`, { rules: 'public' }))).toEqual([
      'document-address-private',
      'loopback'
    ])
    expect(trap.connections()).toBe(0)
  })

  it('by a name that changes between two answers: it is resolved once, and the checked address is used', async () => {
    let asked = 0
    // First an allowed address, then the trap's.
    const resolve: Resolve = async () => [(asked += 1) === 1 ? '127.0.0.1' : '127.0.0.2']
    const url = server.at(card).replace('127.0.0.1', 'rebinding.example.com')
    expect((await open(url, { resolve })).ok).toBe(true)
    expect(asked).toBe(1)
    // First the allowed server that redirects to the same name, which leads elsewhere by then.
    let turn = 0
    const second: Resolve = async () => [(turn += 1) === 1 ? '127.0.0.1' : '169.254.169.254']
    const redirecting = server
      .at(redirectTo('http://rebinding.example.com/latest/meta-data/'))
      .replace('127.0.0.1', 'rebinding.example.com')
    expect(refused(await open(redirecting, { resolve: second }))).toEqual(['document-address-refused', 'link-local'])
    expect([turn, trap.connections()]).toEqual([2, 0])
  })

  it('by a redirect of a public server', async () => {
    const cases: readonly (readonly [string, string])[] = [
      [`http://127.0.0.1:${trap.port}/`, 'document-address-private'],
      [`http://localhost:${trap.port}/`, 'document-address-private'],
      [`http://0x7f.1:${trap.port}/`, 'document-address-private'],
      [`//[::ffff:127.0.0.1]:${trap.port}/`, 'document-address-private'],
      ['http://169.254.169.254/latest/meta-data/', 'document-address-refused'],
      ['http://[fe80::1]/', 'document-address-refused'],
      ['http://10.0.0.1/', 'document-address-private'],
      ['file:///etc/passwd', 'document-address-refused'],
      ['data:image/png;base64,AAAA', 'document-address-refused'],
      ['http://user:secret@files.example.com/', 'document-address-refused'],
      ['http://', 'document-address-refused']
    ]
    for (const [to, code] of cases) {
      const first = inPublic(server.at(redirectTo(to)))
      expect(refused(await open(first, byProxy()))[0], to).toBe(code)
      // Behind a second, harmless redirect too.
      expect(refused(await open(inPublic(server.at(redirectTo(first, 307))), byProxy()))[0], to).toBe(code)
    }
    expect(trap.connections()).toBe(0)
  })

  it('and the trap notices whoever does', async () => {
    const separate = await setTrap()
    await open(`http://127.0.0.1:${separate.port}/`, { rules: 'private' })
    expect(separate.connections()).toBe(1)
    await separate.close()
  })
})

describe('through a proxy', () => {
  it('a document is fetched by name, which the proxy resolves and this computer does not', async () => {
    let resolved = 0
    const resolve: Resolve = async () => {
      resolved += 1
      return ['127.0.0.1']
    }
    expect((await open(inPublic(server.at(card)), { ...byProxy(), resolve })).ok).toBe(true)
    expect(proxied.asked.at(-1)).toBe('files.example.com:80')
    expect(resolved).toBe(0)
  })
  it('a literal private address is refused before the proxy is asked', async () => {
    const asked = proxied.asked.length
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '0x0a000001'])
      expect((await open(`http://${host}/`, byProxy())).ok, host).toBe(false)
    expect(proxied.asked).toHaveLength(asked)
  })
})

describe('redirects', () => {
  it('are followed five times', async () => {
    let to = server.at(card)
    for (let turn = 0; turn < 5; turn += 1) to = server.at(redirectTo(to))
    expect(await open(to)).toMatchObject({ ok: true, value: { facts: { redirects: 5 } } })
    const asked = server.asked.length
    expect(refused(await open(server.at(redirectTo(to))))).toEqual(['document-not-fetched', 'redirects'])
    expect(server.asked.length - asked).toBe(6)
  })
  it('in a circle end', async () => {
    const url = server.at((response, request) => redirectTo(request.url ?? '/')(response, request))
    expect(refused(await open(url))).toEqual(['document-not-fetched', 'redirects'])
  })
  it('from https to http are refused, from https to https are not', async () => {
    const authority = createTestAuthority()
    const extraCaFile = join(folder, 'ca.pem')
    await writeFile(extraCaFile, authority.cert)
    const secure = await serveDocuments(authority.issue({ names: ['127.0.0.1'] }))
    const given: Circumstances = { settings: { extraCaFile } }
    expect((await open(secure.at(redirectTo(secure.at(card))), given)).ok).toBe(true)
    expect(refused(await open(secure.at(redirectTo(server.at(card))), given))).toEqual([
      'document-address-refused',
      'downgrade'
    ])
    expect(await open(secure.at(card))).toMatchObject({
      ok: false,
      failure: { code: 'document-not-fetched', cause: { code: 'tls-failed' } }
    })
    await secure.close()
  })
})

/** Writes without end until the other side has enough; the bytes that it took. */
function endless(response: ServerResponse): () => number {
  const part = Buffer.alloc(256 * 1024, 0x41)
  let written = 0
  const more = (): void => {
    while (!response.destroyed && response.write(part)) written += part.length
  }
  response.on('drain', more).on('error', () => undefined)
  more()
  return () => written
}

describe('a response', () => {
  it('without end is cut off at 20 MiB', async () => {
    let taken = (): number => 0
    const url = server.at((response) => {
      response.write(card)
      taken = endless(response)
    })
    expect(refused(await open(url))).toEqual(['document-too-large', undefined])
    expect(taken()).toBeLessThan(40 * 1024 * 1024)
  })
  it('that announces too much is not read', async () => {
    const url = server.at(
      (response) => void response.writeHead(200, { 'content-length': String(21 * 1024 * 1024) }).write(card)
    )
    expect(refused(await open(url))).toEqual(['document-too-large', undefined])
  })
  it('of exactly 20 MiB is read', async () => {
    expect((await open(server.at(Buffer.concat([card], 20 * 1024 * 1024)))).ok).toBe(true)
  })
  it.each<readonly [string, (response: ServerResponse) => void]>([
    ['never comes', () => undefined],
    ['never ends its header', (response) => void response.socket?.write('HTTP/1.1 200 OK\r\nx-a: ')],
    ['never ends', (response) => void response.writeHead(200).write(card)],
    [
      'trickles',
      (response) => {
        response.writeHead(200).write(card)
        const timer = setInterval(() => response.write('x'), 50)
        response.on('close', () => clearInterval(timer))
      }
    ]
  ])('that %s is given up in time', async (_name, answer) => {
    expect(
      refused(
        await open(
          server.at((response) => answer(response)),
          { seconds: 1 }
        )
      )
    ).toEqual(['document-not-fetched', 'silence'])
  })
  it('that breaks off, is no HTTP or is an error is not a document', async () => {
    expect(
      refused(
        await open(
          server.at(
            (response) =>
              void response.writeHead(200, { 'content-length': '100000' }).write(card, () => response.destroy())
          )
        )
      )
    ).toEqual(['document-not-fetched', 'lost'])
    expect(refused(await open(server.at((response) => response.socket?.end('nonsense\r\n\r\n'))))[0]).toBe(
      'document-not-fetched'
    )
    expect(refused(await open(server.at((response) => response.writeHead(403).end(card))))).toEqual([
      'document-not-fetched',
      'status'
    ])
    expect(refused(await open(server.at((response) => response.writeHead(206).end(card))))).toEqual([
      'document-not-fetched',
      'status'
    ])
    expect(refused(await open(server.at((response) => response.writeHead(302).end())))).toEqual([
      'document-not-fetched',
      'status'
    ])
  })
})

describe('a file that pretends to be an image', () => {
  it.each<readonly [string, Buffer, readonly unknown[]]>([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>'), ['document-type-refused', 'html']],
    [
      'SVG with a script',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
      ['document-type-refused', 'svg']
    ],
    ['GIF and JavaScript', Buffer.from('GIF89a/*\0*/=1;alert(1)//'), ['document-type-refused', 'gif']],
    [
      'HTML before PDF',
      Buffer.from('<html><!--\n%PDF-1.4\n--><script>alert(1)</script>'),
      ['document-type-refused', 'html']
    ],
    ['nothing', Buffer.alloc(0), ['document-type-refused', 'empty']],
    [
      'a bomb of 20,000 × 20,000 pixels',
      png(10, 10, { claims: [20_000, 20_000] }),
      ['document-too-many-pixels', undefined]
    ],
    ['a huge HEIC', heic(30_000, 30_000), ['document-too-many-pixels', undefined]],
    ['the beginning of a JPEG', card.subarray(0, 30), ['document-damaged', undefined]]
  ])('is refused: %s', async (_name, bytes, expected) =>
    expect(refused(await open(server.at(stated('image/jpeg', bytes), 'photo.jpg')))).toEqual(expected)
  )

  it('is opened as what it is: a PDF that is also a web page', async () => {
    const both = Buffer.concat([scriptedPdf, Buffer.from('<script>alert(1)</script>')])
    expect(await open(server.at(stated('text/html', both), 'photo.jpg'))).toMatchObject({
      ok: true,
      value: {
        facts: { type: 'pdf', findings: [{ code: 'actions' }, { code: 'name-differs' }, { code: 'header-differs' }] }
      }
    })
  })
})
