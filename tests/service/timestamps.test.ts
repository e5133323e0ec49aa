/** The console and a time-stamp authority on loopback, made with OpenSSL: what it asks, accepts and refuses. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { defaultSettings } from '#contract/settings/settings.ts'
import { createTimestamps, type Timestamps } from '#core/timestamps/timestamps.ts'
import { createNetwork } from '#core/client/network.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { startTestConsole, type TestConsole } from './support/console.ts'
import {
  good,
  openssl,
  serveAuthority,
  tokenOf,
  type AuthorityServer,
  type Identity,
  type Openssl
} from './support/timestamp-authority.ts'
import { integer, seq } from './support/der-writer.ts'
// @ts-expect-error The stand-alone verifier is plain JavaScript.
import { verifyTimestamp } from '../../verifier/source/timestamps.mjs'

const message = new TextEncoder().encode('what a pack signs')
let authority: Openssl
let root: Identity
let signer: Identity
let server: AuthorityServer
beforeAll(async () => {
  authority = openssl()
  root = authority.identity('Root')
  signer = authority.identity('Stamps', { issuer: root })
  server = await serveAuthority(good(authority, signer))
})
afterEach(() => server.answer(good(authority, signer)))
afterAll(async () => {
  await server.close()
  authority.remove()
})

function timestamps(url = server.url, certificates = authority.pem(root)): Timestamps {
  const settings = () => ({ ...defaultSettings, timestampAuthority: { name: 'Test', url, certificates } })
  const network = createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings)
  return createTimestamps({ settings, sendingRefusal: () => undefined, network, clock: systemClock, seconds: 2 })
}

describe('a time-stamp', () => {
  it.each(['rsa', 'p256'] as const)('by an authority with %s is accepted, by the verifier too', async (kind) => {
    server.answer(good(authority, authority.identity('Other', { kind, issuer: root })))
    const taken = await timestamps().take(message)
    if (!taken.ok) throw new Error(JSON.stringify(taken.failure))
    expect(taken.value).toMatchObject({ name: 'Test', authority: expect.stringContaining('CN=Other') as string })
    expect(
      await (verifyTimestamp as (...given: unknown[]) => Promise<unknown>)(taken.value.token, message, [
        authority.der(root)
      ])
    ).toMatchObject({ valid: true, time: taken.value.time, latest: taken.value.latest })
  })
  it('is asked for with a hash, a nonce, and nothing that identifies anyone', async () => {
    await timestamps().take(message)
    await timestamps().take(message)
    const [first, second] = server.asked.slice(-2)
    expect(first!.method).toBe('POST')
    expect(Object.keys(first!.headers).sort()).toEqual([
      'accept',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent'
    ])
    expect(first!.headers['content-type']).toBe('application/timestamp-query')
    expect(first!.body.includes(createHash('sha256').update(message).digest())).toBe(true)
    expect(first!.body.includes(Buffer.from(message))).toBe(false)
    expect(first!.body.equals(second!.body)).toBe(false)
    expect(authority.run('asn1parse', '-inform', 'DER', '-in', await saved(first!.body)).toString()).toContain(
      'BOOLEAN'
    )
  })
})
const saved = async (bytes: Uint8Array): Promise<string> => {
  await writeFile(join(authority.folder, 'asked.der'), bytes)
  return 'asked.der'
}

describe('is refused', () => {
  const refused = async (reason: string, code = 'timestamp-refused', from = timestamps()): Promise<void> => {
    const taken = await from.take(message)
    expect(taken).toMatchObject({ ok: false, failure: { code, details: { host: new URL(server.url).host, reason } } })
  }
  it('without an authority', async () => {
    const settings = () => defaultSettings
    const none = createTimestamps({
      settings,
      sendingRefusal: () => undefined,
      network: createNetwork({ clock: systemClock, resolveSystemProxy: async () => 'DIRECT' }, settings),
      clock: systemClock
    })
    expect(await none.take(message)).toMatchObject({ ok: false, failure: { code: 'timestamp-not-configured' } })
    expect(none.isOn()).toBe(false)
  })
  it('if it is about something else', () => {
    server.answer((_query, response) =>
      response.end(authority.reply(authority.query(new TextEncoder().encode('else')), signer))
    )
    return refused('imprint')
  })
  it('if it has another nonce', () => {
    server.answer((_query, response) => response.end(authority.reply(authority.query(message), signer)))
    return refused('nonce')
  })
  it('if it answers an earlier request', async () => {
    let earlier: Buffer | undefined
    server.answer((query, response) => response.end((earlier ??= authority.reply(query, signer))))
    expect((await timestamps().take(message)).ok).toBe(true)
    await refused('nonce')
  })
  it('if its certificate has expired', () => {
    server.answer(good(authority, authority.identity('Expired', { issuer: root, days: -1 })))
    return refused('validity')
  })
  it('if its certificate is for something else', () => {
    const wrong = authority.identity('Wrong', { issuer: root, extensions: 'extendedKeyUsage=critical,codeSigning' })
    server.answer((query, response) => {
      const token = tokenOf(authority.reply(query, signer))
      const content = contentOf(token)
      response.end(seq(seq(integer(0)), authority.signed(content, wrong)))
    })
    return refused('purpose')
  })
  it('by another authority', () =>
    refused('chain', 'timestamp-refused', timestamps(server.url, authority.pem(authority.identity('Else')))))
  it('if the authority refuses', () => {
    server.answer((_query, response) => response.end(seq(seq(integer(2)))))
    return refused('status')
  })
  it.each([
    ['nothing', ''],
    ['a page', '<html>'],
    ['half an answer', '\u0030\u0010\u0002']
  ])('if the answer is %s', (_name, text) => {
    server.answer((_query, response) => response.end(Buffer.from(text, 'latin1')))
    return refused('no-reply')
  })
  it('if the answer never comes', () => {
    server.answer(() => undefined)
    return refused('silence', 'timestamp-not-answered')
  })
  it('if the answer never ends', () => {
    server.answer((_query, response) => void response.writeHead(200).write('x'))
    return refused('silence', 'timestamp-not-answered')
  })
  it('if the answer is huge', () => {
    server.answer((_query, response) => response.end(Buffer.alloc(64 * 1024 + 1)))
    return refused('too-large', 'timestamp-not-answered')
  })
  it('if the answer redirects, which is not followed', async () => {
    server.answer((_query, response) => response.writeHead(307, { location: '/other' }).end())
    const before = server.asked.length
    await refused('redirect', 'timestamp-not-answered')
    expect(server.asked.length).toBe(before + 1)
  })
  it('if the answer is compressed', () => {
    server.answer((_query, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'))
    return refused('compressed', 'timestamp-not-answered')
  })
  it('if the authority answers with an error', () => {
    server.answer((_query, response) => response.writeHead(503).end())
    return refused('status', 'timestamp-not-answered')
  })
  it('if the connection breaks', () => {
    server.answer((_query, response) => void response.socket?.destroy())
    return refused('lost', 'timestamp-not-answered')
  })
})
/** TSTInfo of a token: the content of its first octet string behind the type. */
function contentOf(token: Uint8Array): Uint8Array {
  const at = Buffer.from(token).indexOf(Buffer.from('060b2a864886f70d0109100104a0', 'hex')) + 14
  const skip = (from: number): number => (token[from]! < 0x80 ? from + 1 : from + 1 + (token[from]! & 0x7f))
  const inner = skip(at) + 1
  const size =
    token[inner]! < 0x80
      ? token[inner]!
      : [...token.subarray(inner + 1, skip(inner))].reduce((sum, byte) => sum * 256 + byte, 0)
  return token.subarray(skip(inner), skip(inner) + size)
}

describe('in the console', () => {
  let console: TestConsole
  beforeAll(async () => void (console = await startTestConsole()))
  afterAll(() => console.dispose())
  const set = (parts: object = {}) =>
    console.ask('settings.change', {
      timestampAuthority: { name: 'Test', url: server.url, certificates: authority.pem(root), ...parts }
    })

  it('an authority is set, tested and recorded', async () => {
    expect(await console.ask('timestamps.test')).toMatchObject({
      ok: false,
      failure: { code: 'timestamp-not-configured' }
    })
    console.open = join(authority.folder, `${root.name}.pem`)
    expect(await console.get('timestamps.chooseAuthorities')).toMatchObject({ count: 1 })
    expect((await set()).ok).toBe(true)
    expect(await console.get('timestamps.test')).toMatchObject({
      authority: expect.stringContaining('CN=Stamps') as string
    })
    const { events } = await console.get('audit.page', { limit: 20, groups: ['settings'] })
    expect(events[0]!.words).toContain(`Test (${server.url}`)
    expect(events[0]!.words).not.toContain('BEGIN')
  })
  it.each<{ readonly url?: string; readonly certificates?: string }>([
    { url: 'http://timestamps.example.com' },
    { url: 'https://name:word@timestamps.example.com' },
    { url: 'ftp://timestamps.example.com' },
    { url: 'nothing' },
    { certificates: 'nothing' },
    { certificates: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }
  ])('an invalid one is refused: %o', async (parts) => {
    expect(await set(parts)).toMatchObject({ ok: false })
  })
})
