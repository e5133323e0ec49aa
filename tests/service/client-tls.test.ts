/**
 * Certificates: a rejected one gets no request; one that the extra file vouches for is accepted.
 * @deadlines
 */
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { failure } from '#contract/failures/failures.ts'
import { checkReachability } from '#core/client/reachability.ts'
import { directRoute } from '#core/client/proxy.ts'
import { sendVerification } from '#core/client/send.ts'
import { derNumber, derObjectId, derSequence, derSet, derValue } from '#kit/asn1/der.ts'
import { createTrustStore, readCaFile, type Trust } from '#wire/trust.ts'
import { closedPort, leaks, orderTo, timed, trustIn, wait } from './support/client-order.ts'
import { startRelay } from './support/held-relay.ts'
import { createTestAuthority, selfSigned, type Issued } from './support/tls.ts'
import { inTime } from './support/in-time.ts'
import { said } from '../said.ts'

const authority = createTestAuthority()
const names = ['localhost', '127.0.0.1']
const day = 86_400_000
let folder = ''
let caFile = ''
let trusted: Trust

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-tls-'))
  caFile = join(folder, 'company ca.pem')
  await writeFile(caFile, `a note above\n${authority.cert}\nand below\n`)
  trusted = await trustIn(caFile)
})
afterAll(() => rm(folder, { recursive: true }))

async function secureService(
  issued: Issued,
  options: https.ServerOptions = {}
): Promise<{ origin: string; port: number; requests: () => number; connections: () => number }> {
  let requests = 0
  let connections = 0
  const server = https.createServer({ ...issued, ...options }, (request, response) => {
    requests += 1
    request.resume().on('end', () => response.end('{"message":"secure"}'))
  })
  server.on('connection', () => (connections += 1)).on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => (server.closeAllConnections(), server.close(), undefined))
  const { port } = server.address() as AddressInfo
  return { origin: `https://localhost:${port}`, port, requests: () => requests, connections: () => connections }
}

it('sends nothing once what it is sent with was taken away while it was connecting', async () => {
  const service = await secureService(authority.issue({ names }))
  const relay = await startRelay(service.port)
  onTestFinished(() => relay.close())
  relay.hold()
  let isWithdrawn = false
  const order = await orderTo(`https://localhost:${relay.port}`, {
    trust: trusted,
    refusal: () => (isWithdrawn ? failure('connection-withdrawn', { name: 'Acme', reason: 'credentials' }) : undefined)
  })
  const ending = sendVerification(order)
  await expect.poll(() => relay.open()).toBe(1)
  isWithdrawn = true
  relay.release()
  expect(await ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'connection-withdrawn' } })
  expect([service.connections(), service.requests(), order.phases]).toEqual([1, 0, ['connecting']])
})

describe('certificates', () => {
  it.each(['localhost', '127.0.0.1'])('one that the extra file vouches for, at %s', async (host) => {
    const service = await secureService(authority.issue({ names }))
    const ending = await sendVerification(await orderTo(`https://${host}:${service.port}`, { trust: trusted }))
    expect(ending).toMatchObject({ outcome: 'answered', message: 'secure' })
    expect(service.requests()).toBe(1)
  })

  const refused: [string, () => Issued, RegExp][] = [
    ['self-signed', () => selfSigned(names), /self-signed/],
    [
      'of an unknown authority',
      () => createTestAuthority().issue({ names }),
      /authority that this computer does not trust/
    ],
    [
      'expired',
      () => authority.issue({ names, notBefore: new Date(Date.now() - 3 * day), notAfter: new Date(Date.now() - day) }),
      /has expired/
    ],
    ['not valid yet', () => authority.issue({ names, notBefore: new Date(Date.now() + day) }), /not valid yet/],
    ['for another host', () => authority.issue({ names: ['other.example'] }), /for a different name/]
  ]
  it.each(refused)('%s: not sent, 0 requests arrive', async (_name, issue, why) => {
    const service = await secureService(issue())
    const ending = await sendVerification(await orderTo(service.origin, { trust: trusted }))
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'tls-failed' } })
    expect(said(ending)).toMatch(why)
    await wait(30)
    expect(service.connections()).toBe(1)
    expect(service.requests()).toBe(0)
    expect(leaks(ending)).toEqual([])
  })

  it('the extra authority counts only where it is named, and no environment variable switches the check off', async () => {
    const service = await secureService(authority.issue({ names }))
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    const ending = await sendVerification(await orderTo(service.origin))
    if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'tls-failed' } })
    expect(service.requests()).toBe(0)
  })

  it('TLS 1.1 and a service without TLS are refused', async () => {
    const old = await secureService(authority.issue({ names }), {
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0'
    })
    expect(await sendVerification(await orderTo(old.origin, { trust: trusted }))).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'tls-failed' }
    })
    const plain = net.createServer((socket) =>
      socket.on('error', () => undefined).end('HTTP/1.1 400 Bad Request\r\n\r\n')
    )
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => (plain.close(), undefined))
    const ending = await sendVerification(
      await orderTo(`https://localhost:${(plain.address() as AddressInfo).port}`, { trust: trusted })
    )
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'tls-failed' } })
  })

  it('a service that accepts and never answers the greeting: not sent, after the connect limit', async () => {
    const sockets: net.Socket[] = []
    const silent = net.createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => (sockets.forEach((socket) => socket.destroy()), silent.close(), undefined))
    const origin = `https://localhost:${(silent.address() as AddressInfo).port}`
    const limits = { connectTimeout: 1, totalTimeout: 30, maxReplyBytes: 1024 }
    const waiting = await orderTo(origin, { trust: trusted, limits })
    const { value, took } = await timed(() => inTime(1500, () => sendVerification(waiting)))
    expect(value).toMatchObject({
      inTime: true,
      value: { outcome: 'not-sent', failure: { code: 'connect-timeout', details: { seconds: 1 } } }
    })
    expect(took).toBeGreaterThan(950)
    const order = await orderTo(origin, { trust: trusted })
    setTimeout(order.cancel, 50)
    expect(await inTime(550, () => sendVerification(order))).toMatchObject({
      inTime: true,
      value: { outcome: 'not-sent', failure: { code: 'cancelled-before-sending' } }
    })
  })

  it('a reset within the handshake: not sent', async () => {
    const server = net.createServer((socket) =>
      socket.on('error', () => undefined).once('data', () => socket.resetAndDestroy())
    )
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => (server.close(), undefined))
    const ending = await sendVerification(
      await orderTo(`https://localhost:${(server.address() as AddressInfo).port}`, { trust: trusted })
    )
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'tls-failed' } })
  })
})

describe('the trust store', () => {
  it('holds the system’s authorities and the extra ones, and keeps what it has parsed', async () => {
    const store = createTrustStore()
    const [plain, again] = [await store.trust(''), await store.trust('')]
    if (!plain.ok || !again.ok) throw new Error('no trust')
    expect(again.value).toBe(plain.value)
    expect(plain.value.authorities).toBeGreaterThanOrEqual(Math.min(100, tls.rootCertificates.length))
    expect(trusted).toMatchObject({ authorities: plain.value.authorities + 1, extra: 1 })
  })

  it('counts the certificates of a file, and takes a changed file anew', async () => {
    const file = join(folder, 'two.pem')
    await writeFile(file, authority.cert + createTestAuthority().cert)
    expect(await readCaFile(file)).toMatchObject({ ok: true, value: { certificates: 2 } })
    const store = createTrustStore()
    const first = await store.trust(file)
    await writeFile(file, `${authority.cert}\n`)
    const second = await store.trust(file)
    expect([first.ok && first.value.extra, second.ok && second.value.extra]).toEqual([2, 1])
  })

  it('reads certificates in every form that administrators get', async () => {
    const other = createTestAuthority().cert
    const [one, two] = [authority.cert, other].map((pem) => new X509Certificate(pem).raw) as [Buffer, Buffer]
    const message = derSequence(
      derObjectId('1.2.840.113549.1.7.2'),
      derValue(
        0xa0,
        derSequence(
          derNumber(Buffer.from([1])),
          derSet(),
          derSequence(derObjectId('1.2.840.113549.1.7.1')),
          derValue(0xa0, one, two),
          derSet()
        )
      )
    )
    const lines = (bytes: Buffer): string => bytes.toString('base64').replace(/(.{64})/g, '$1\r\n')
    for (const [form, bytes, count] of [
      ['DER', one, 1],
      ['base64 alone', Buffer.from(lines(one)), 1],
      ['PKCS#7', message, 2],
      ['PKCS#7 as text', Buffer.from(`-----BEGIN PKCS7-----\n${lines(message)}\n-----END PKCS7-----\n`), 2],
      ['UTF-16 with its mark', Buffer.from(`\ufeff${authority.cert}`, 'utf16le'), 1],
      ['UTF-16 without it', Buffer.from(authority.cert, 'utf16le'), 1],
      ['UTF-16, big-endian', Buffer.from(`\ufeff${authority.cert}${other}`, 'utf16le').swap16(), 2],
      ['PEM with notes in UTF-8', Buffer.from(`\ufeffAutorité\r\n${authority.cert.replaceAll('\n', '\r\n')}`), 1]
    ] as const) {
      const file = join(folder, 'form')
      await writeFile(file, bytes)
      expect([form, await readCaFile(file)]).toMatchObject([form, { ok: true, value: { certificates: count } }])
      expect(await createTrustStore().trust(file)).toMatchObject({ ok: true, value: { extra: count } })
    }
  })

  it.each([
    ['a damaged certificate in DER', (der: Buffer) => der.subarray(0, -5), /damaged/],
    ['another DER', () => derSequence(derNumber(Buffer.from([1]))), /damaged/],
    [
      'PKCS#7 without certificates',
      () => derSequence(derObjectId('1.2.840.113549.1.7.2'), derValue(0xa0, derSequence(derSet()))),
      /no certificate/
    ]
  ])('%s is refused', async (_, change, why) => {
    const file = join(folder, 'form')
    await writeFile(file, change(new X509Certificate(authority.cert).raw))
    expect(said(await readCaFile(file))).toMatch(why)
  })

  it.each([
    ['missing.pem', undefined, /does not exist/],
    ['empty.pem', '', /no certificate/],
    ['text.pem', 'hello', /no certificate/],
    ['key.pem', selfSigned(names).key, /no certificate/],
    ['cut.pem', authority.cert.slice(0, -60), /no certificate/],
    ['damaged.pem', authority.cert.replace(/\n[A-Za-z0-9+/]{64}\n/, '\n'), /damaged/],
    ['large.pem', 'x'.repeat(9 * 1024 * 1024), /larger/]
  ])('%s is refused with a reason', async (name, content, why) => {
    const file = join(folder, name)
    if (content !== undefined) await writeFile(file, content)
    const [chosen, used] = [await readCaFile(file), await createTrustStore().trust(file)]
    expect(chosen).toMatchObject({ ok: false, failure: { code: 'ca-file-invalid' } })
    expect(used).toMatchObject({ ok: false, failure: { code: 'ca-file-unusable' } })
    for (const each of [chosen, used]) expect(said(each)).toMatch(why)
  })

  it('a folder is no file', async () => {
    expect(await readCaFile(folder)).toMatchObject({ ok: false, failure: { code: 'ca-file-invalid' } })
  })
})

describe('the reachability check', () => {
  const check = (origin: string, connectTimeout = 5) =>
    checkReachability({
      origin,
      route: directRoute,
      trust: trusted,
      connectTimeout,
      clock: { now: () => Date.now(), monotonic: () => performance.now() }
    })

  it('tells name, connection and certificate, and sends no request', async () => {
    const service = await secureService(authority.issue({ names }))
    const report = await check(service.origin)
    expect(report.reachable).toBe(true)
    expect(report.steps.map(({ step, state }) => [step, state])).toEqual([
      ['name', 'passed'],
      ['connect', 'passed'],
      ['tls', 'passed']
    ])
    expect(report.steps.map(({ found }) => found)).toEqual([
      {
        code: 'addresses',
        host: 'localhost',
        addresses: expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]) as string[]
      },
      { code: 'connected', address: expect.stringMatching(`:${service.port}$`) as string },
      {
        code: 'certificate',
        protocol: expect.stringMatching(/^TLSv1\.[23]$/) as string,
        subject: 'localhost',
        issuer: expect.stringMatching(/^Veridesk test CA/) as string,
        validUntil: expect.stringMatching(/GMT$/) as string
      }
    ])
    await wait(30)
    expect(service.requests()).toBe(0)
  })

  it.each([
    ['a refused port', async () => `https://localhost:${await closedPort()}`, ['passed', 'failed', 'skipped']],
    ['an unknown name', () => Promise.resolve('https://no-such-name.invalid'), ['failed', 'skipped', 'skipped']],
    ['a wrong certificate', async () => (await secureService(selfSigned(names))).origin, ['passed', 'passed', 'failed']]
  ])('%s', async (_name, origin, states) => {
    const report = await check(await origin())
    expect(report.reachable).toBe(false)
    expect(report.steps.map(({ state }) => state)).toEqual(states)
  })

  it('plain http to this computer skips TLS and says why', async () => {
    const server = net.createServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => (server.close(), undefined))
    const report = await check(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(report.reachable).toBe(true)
    expect(report.steps[2]).toMatchObject({ state: 'skipped', found: { code: 'not-needed' } })
  })

  it('ends at its limit', async () => {
    const server = net.createServer((socket) => socket.on('error', () => undefined))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => (server.close(), undefined))
    const { value, inTime: ended } = await inTime(1500, () =>
      check(`https://127.0.0.1:${(server.address() as AddressInfo).port}`, 1)
    )
    expect(value.steps.map(({ state }) => state)).toEqual(['passed', 'passed', 'failed'])
    expect(ended).toBe(true)
  })
})
