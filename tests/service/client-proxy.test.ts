/**
 * Routes through a proxy: a real CONNECT proxy on loopback, and every way in which it can refuse.
 * @deadlines
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import https from 'node:https'
import net, { type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ok } from '#contract/failures/result.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { checkReachability } from '#core/client/reachability.ts'
import { routeOfPac, type Route } from '#core/client/proxy.ts'
import { sendVerification } from '#core/client/send.ts'
import type { Trust } from '#wire/trust.ts'
import { canaryForms, closedPort, leaks, orderTo, trustIn, until, wait } from './support/client-order.ts'
import { createTestAuthority, type Issued } from './support/tls.ts'
import { inTime } from './support/in-time.ts'
import { socksProxy, type SocksRules } from './support/socks-proxy.ts'
import { listen } from './support/way-servers.ts'
import { said } from '../said.ts'

const authority = createTestAuthority()
// Only the proxy knows the service: no resolver of this machine can find it.
const serviceName = 'kyc.service.test'
let folder = ''
let trust: Trust

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-proxy-'))
  await writeFile(join(folder, 'ca.pem'), authority.cert)
  trust = await trustIn(join(folder, 'ca.pem'))
})
afterAll(() => rm(folder, { recursive: true }))

async function service(
  issued: Issued = authority.issue({ names: [serviceName] })
): Promise<{ port: number; origin: string; requests: string[] }> {
  const requests: string[] = []
  const server = https.createServer(issued, (request, response) => {
    requests.push(request.url ?? '')
    request.resume().on('end', () => response.end('{"message":"through"}'))
  })
  server.on('tlsClientError', () => undefined)
  const port = await listen(server)
  return { port, origin: `https://${serviceName}:${port}`, requests }
}

interface Proxy {
  readonly port: number
  /** Heads of the requests, as sent. */
  readonly asked: string[]
  readonly passed: () => string
}

/** A proxy that tunnels to loopback; `answer` may refuse instead, or not answer at all. */
async function connectProxy(options: { secure?: Issued; answer?: (socket: Socket) => void } = {}): Promise<Proxy> {
  const asked: string[] = []
  let passed = ''
  const server = options.secure ? https.createServer(options.secure) : http.createServer()
  server.on('connect', (request: http.IncomingMessage, client: Socket) => {
    client.on('error', () => undefined)
    asked.push(`CONNECT ${request.url ?? ''} ${JSON.stringify(request.headers)}`)
    if (options.answer) return options.answer(client)
    const upstream = net.connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.on('data', (chunk: Buffer) => (passed += chunk.toString('latin1')))
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy())
  })
  server.on('request', (_request: http.IncomingMessage, response: http.ServerResponse) => {
    asked.push('a plain request')
    response.end()
  })
  server.on('tlsClientError', () => undefined)
  return { port: await listen(server), asked, passed: () => passed }
}

function by(pac: string): Route {
  const route = routeOfPac(pac)
  if (!route.ok) throw new Error(sentencesOf(route.failure).what)
  return route.value
}

describe('through a proxy', () => {
  it('by CONNECT: the proxy learns host and port, and sees nothing of the request', async () => {
    const [there, proxy] = [await service(), await connectProxy()]
    const ending = await sendVerification(
      await orderTo(there.origin, { trust, route: by(`PROXY 127.0.0.1:${proxy.port}`) })
    )
    expect(ending).toMatchObject({ outcome: 'answered', message: 'through' })
    expect(there.requests).toHaveLength(1)
    expect(proxy.asked).toHaveLength(1)
    expect(proxy.asked[0]).toContain(`CONNECT ${serviceName}:${there.port}`)
    expect(proxy.asked[0]).not.toMatch(/x-api|"authorization"/i)
    for (const form of canaryForms) expect(proxy.passed() + proxy.asked.join()).not.toContain(form)
  })

  it('by a proxy that is itself reached over TLS, with a sign-in', async () => {
    const [there, proxy] = [await service(), await connectProxy({ secure: authority.issue({ names: ['localhost'] }) })]
    const ending = await sendVerification(
      await orderTo(there.origin, { trust, route: by(`HTTPS user:p%40ss@localhost:${proxy.port}`) })
    )
    expect(ending).toMatchObject({ outcome: 'answered' })
    expect(proxy.asked[0]).toContain(`Basic ${btoa('user:p@ss')}`)
  })

  it('the service’s certificate is checked through the tunnel too', async () => {
    const [there, proxy] = [await service(createTestAuthority().issue({ names: [serviceName] })), await connectProxy()]
    const ending = await sendVerification(
      await orderTo(there.origin, { trust, route: by(`PROXY 127.0.0.1:${proxy.port}`) })
    )
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'tls-failed' } })
    expect(there.requests).toHaveLength(0)
  })

  it('the next route is tried if a proxy cannot be reached', async () => {
    const [there, proxy] = [await service(), await connectProxy()]
    const route = by(`PROXY 127.0.0.1:${await closedPort()}; PROXY 127.0.0.1:${proxy.port}; DIRECT`)
    expect((await sendVerification(await orderTo(there.origin, { trust, route }))).outcome).toBe('answered')
    expect(there.requests).toHaveLength(1)
  })

  it('the reachability check takes the same way', async () => {
    const [there, proxy] = [await service(), await connectProxy()]
    const clock = { now: () => Date.now(), monotonic: () => performance.now() }
    const route = by(`PROXY 127.0.0.1:${proxy.port}`)
    const report = await checkReachability({ origin: there.origin, route, trust, connectTimeout: 5, clock })
    expect(report).toMatchObject({
      reachable: true,
      steps: [{ found: { code: 'addresses', proxy: `127.0.0.1:${proxy.port}` } }, {}, { state: 'passed' }]
    })
    expect(there.requests).toHaveLength(0)
    const refusing = await connectProxy({ answer: (socket) => socket.end('HTTP/1.1 407 Sign in\r\n\r\n') })
    const refused = await checkReachability({
      origin: there.origin,
      route: by(`PROXY 127.0.0.1:${refusing.port}`),
      trust,
      connectTimeout: 5,
      clock
    })
    expect(refused).toMatchObject({
      reachable: false,
      steps: [
        { state: 'passed' },
        { state: 'failed', failure: { code: 'proxy-failed', details: { reason: 'sign-in' } } },
        { state: 'skipped' }
      ]
    })
  })
})

describe('a proxy that refuses: not sent', () => {
  it.each([
    ['403', 'HTTP/1.1 403 Forbidden\r\ncontent-length: 5\r\n\r\nnever', /403/],
    [
      '407',
      'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\n\r\n',
      /requires authentication/
    ],
    ['502', 'HTTP/1.1 502 Bad Gateway\r\n\r\n', /502/],
    ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n', /302/],
    ['no HTTP', 'hello\r\n\r\n', /without a valid response/],
    ['a reset', '', /without a valid response/],
    [
      'endless headers',
      `HTTP/1.1 200 OK\r\n${`x: ${'a'.repeat(1000)}\r\n`.repeat(100)}\r\n`,
      /without a valid response/
    ],
    [
      'words of its own inside the tunnel',
      'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 15\r\n\r\n{"message":"m"}',
      /without a valid response|secure/
    ]
  ])('%s', async (_name, answer, why) => {
    const proxy = await connectProxy({
      answer: (socket) => (answer === '' ? socket.resetAndDestroy() : socket.end(answer))
    })
    const there = await service()
    const route = by(`PROXY 127.0.0.1:${proxy.port}; DIRECT`)
    const ending = await sendVerification(await orderTo(there.origin, { trust, route }))
    expect(ending.outcome).toBe('not-sent')
    expect(said(ending)).toMatch(why)
    expect(['proxy-failed', 'tls-failed']).toContain(ending.failure?.code)
    await wait(20)
    expect(there.requests).toHaveLength(0)
    expect(leaks(ending)).toEqual([])
  })

  it('one that cannot be reached, and one whose name is not known', async () => {
    for (const [pac, why] of [
      [`PROXY 127.0.0.1:${await closedPort()}`, /could not be reached/],
      ['PROXY no-such-proxy.invalid:1', /DNS lookup failed/]
    ] as const) {
      const ending = await sendVerification(await orderTo(`https://${serviceName}`, { trust, route: by(pac) }))
      expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'proxy-failed' } })
      expect(said(ending)).toMatch(why)
    }
  })

  it('one that never answers: the connect limit holds, a cancel too, and the connection closes', async () => {
    let closed = 0
    const proxy = await connectProxy({ answer: (socket) => socket.resume().on('end', () => (closed += 1)) })
    const route = by(`PROXY 127.0.0.1:${proxy.port}`)
    const limits = { connectTimeout: 1, totalTimeout: 30, maxReplyBytes: 1024 }
    const silent = await orderTo(`https://${serviceName}`, { trust, route, limits })
    expect(await inTime(1500, () => sendVerification(silent))).toMatchObject({
      inTime: true,
      value: { outcome: 'not-sent', failure: { code: 'connect-timeout' } }
    })
    await until(() => closed === 1)
    const order = await orderTo(`https://${serviceName}`, { trust, route })
    setTimeout(order.cancel, 50)
    expect(await sendVerification(order)).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'cancelled-before-sending' }
    })
    await until(() => closed === 2)
  })
})

describe('through a SOCKS5 proxy', () => {
  it('which resolves the name, and sees nothing of the request', async () => {
    const [there, proxy] = [await service(), await socksProxy()]
    const route = by(`SOCKS5 127.0.0.1:${proxy.port}`)
    for (const _time of [1, 2])
      expect(await sendVerification(await orderTo(there.origin, { trust, route }))).toMatchObject({
        outcome: 'answered',
        message: 'through'
      })
    expect(proxy.asked).toEqual(Array(2).fill(`${serviceName}:${there.port}`))
    expect(there.requests).toHaveLength(2)
    for (const form of canaryForms) expect(proxy.passed()).not.toContain(form)
  })

  it('with a user name and a password: from the environment, or what is stored for it once it asks', async () => {
    const [there, proxy] = [await service(), await socksProxy({ requires: 'user:p@ss' })]
    const named = by(`SOCKS5 user:p%40ss@127.0.0.1:${proxy.port}`)
    expect(await sendVerification(await orderTo(there.origin, { trust, route: named }))).toMatchObject({
      outcome: 'answered'
    })
    const asked: string[] = []
    const stored = (password: string) => (address: string) => {
      asked.push(address)
      return Promise.resolve(ok({ user: 'user', password }))
    }
    const route = by(`SOCKS5 127.0.0.1:${proxy.port}; DIRECT`)
    const send = async (signIn?: ReturnType<typeof stored>) =>
      sendVerification(await orderTo(there.origin, { trust, route, ...(signIn && { signIn }) }))
    expect(await send(stored('p@ss'))).toMatchObject({ outcome: 'answered' })
    expect(asked).toEqual([`socks5://127.0.0.1:${proxy.port}`])
    // Not sent: without any, with a wrong one (given once), and with one that is too long for the protocol.
    const before = proxy.given.length
    expect(said(await send())).toMatch(/requires authentication/)
    for (const password of ['wrong', 'ü'.repeat(128)]) {
      const ending = await send(stored(password))
      expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'proxy-failed' } })
      expect(said(ending)).toMatch(/did not accept the user name and the password/)
    }
    expect(proxy.given.slice(before)).toEqual(['user:wrong'])
    expect(there.requests).toHaveLength(2)
  })

  it.each<[string, SocksRules, RegExp]>([
    ['not allowed', { reply: 2 }, /SOCKS5 NotAllowed/],
    ['the host cannot be reached', { reply: 4 }, /SOCKS5 HostUnreachable/],
    ['a general failure', { reply: 1 }, /SOCKS5 Failure/],
    ['a reply that nobody knows', { reply: 77 }, /without a valid response/],
    ['no SOCKS5', { instead: 'HTTP/1.1 400 Bad Request\r\n\r\n' }, /without a valid response/],
    ['an end', { instead: '' }, /without a valid response/],
    ['words of its own inside the tunnel', { more: 'HTTP/1.1 200 OK\r\n\r\n' }, /without a valid response/]
  ])('that refuses, nothing is sent: %s', async (_name, rules, why) => {
    const [there, proxy] = [await service(), await socksProxy(rules)]
    const ending = await sendVerification(
      await orderTo(there.origin, { trust, route: by(`SOCKS5 127.0.0.1:${proxy.port}; DIRECT`) })
    )
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'proxy-failed' } })
    expect(said(ending)).toMatch(why)
    expect(proxy.passed()).toBe('')
    expect(there.requests).toHaveLength(0)
    expect(leaks(ending)).toEqual([])
  })

  it('that never answers, the connect limit and a cancel hold', async () => {
    const route = by(`SOCKS5 127.0.0.1:${(await socksProxy({ silent: true })).port}`)
    const limits = { connectTimeout: 1, totalTimeout: 30, maxReplyBytes: 1024 }
    const silent = await orderTo(`https://${serviceName}`, { trust, route, limits })
    expect(await inTime(1500, () => sendVerification(silent))).toMatchObject({
      inTime: true,
      value: { outcome: 'not-sent', failure: { code: 'connect-timeout' } }
    })
    const order = await orderTo(`https://${serviceName}`, { trust, route })
    setTimeout(order.cancel, 50)
    expect(await sendVerification(order)).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'cancelled-before-sending' }
    })
  })
})
