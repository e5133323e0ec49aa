/**
 * Every outcome of a verification, with real socket failures.
 * @deadlines
 */
import http from 'node:http'
import net from 'node:net'
import fc from 'fast-check'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { defaultSettings } from '#contract/settings/settings.ts'
import { sendVerification, type SendOrder } from '#core/client/send.ts'
import { startBlackHole } from './support/black-hole.ts'
import {
  bodySent,
  canaries,
  closedPort,
  codeOf,
  headerLines,
  httpReply,
  leaks,
  orderTo,
  rawService,
  timed,
  trustIn,
  until,
  wait
} from './support/client-order.ts'
import { inTime } from './support/in-time.ts'
import { counted, times } from './support/times.ts'
import { said } from '../said.ts'

const answer = httpReply('{"message":"valid","score":0.5}')

afterEach(() => vi.unstubAllEnvs())

describe('answered', () => {
  it('posts exactly the path, the three headers and the declared body, once', async () => {
    const service = await rawService((socket) => socket.end(answer))
    const order = await orderTo(service.origin)
    const ending = await sendVerification(order)
    expect(ending).toMatchObject({
      outcome: 'answered',
      message: 'valid',
      reply: { status: 200, statusText: 'OK', body: '{"message":"valid","score":0.5}', bytes: 31, truncated: false }
    })
    expect(ending.took).toBeGreaterThan(0)
    expect(order.phases).toEqual(['connecting', 'sent', 'receiving'])
    expect(service.received).toHaveLength(1)
    const [head = '', body] = service.received[0]?.split('\r\n\r\n') ?? []
    expect(body).toBe(bodySent)
    expect(head.split('\r\n')[0]).toBe(`POST ${order.path} HTTP/1.1`)
    const lines = head
      .split('\r\n')
      .slice(1)
      .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()))
    for (const line of headerLines) expect(lines).toContain(line)
    expect(lines).toEqual(expect.arrayContaining(['content-type: application/json', 'accept: application/json']))
    const names = lines.map((line) => line.split(':')[0]).sort()
    const expected = [
      ...credentials.map(({ header }) => header.toLowerCase()),
      'accept',
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent'
    ]
    expect(names).toEqual(expected.sort())
  })

  it.each([
    '200 OK',
    '400 Bad Request',
    '401 Unauthorized',
    '404 Not Found',
    '429 Too Many Requests',
    '500 Internal Server Error',
    '302 Found',
    '599 Odd'
  ])('status %s with a readable body', async (status) => {
    const service = await rawService((socket) => socket.end(httpReply('{"message":"m"}', [], status)))
    const ending = await sendVerification(await orderTo(service.origin))
    expect(ending).toMatchObject({ outcome: 'answered', message: 'm', reply: { status: Number(status.slice(0, 3)) } })
  })

  it('below the prefix of a gateway', async () => {
    const service = await rawService((socket) => socket.end(answer))
    const order = await orderTo(`${service.origin}/gateway/eu`)
    expect(await sendVerification(order)).toMatchObject({ outcome: 'answered' })
    expect(service.received[0]?.split('\r\n')[0]).toBe(`POST /gateway/eu${order.path} HTTP/1.1`)
  })

  it('with what a service states or writes as many do', async () => {
    const latin = Buffer.from('{"message":"İŞL"}', 'utf8')
    const turkish = Buffer.from([...Buffer.from('{"message":"'), 0xdd, 0xde, ...Buffer.from('L"}')])
    const head = (type: string, length: number): string =>
      `HTTP/1.1 200 BaÅ\u009farÄ±lÄ±\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\nx-note: ÅŸ\r\nconnection: close\r\n\r\n`
    for (const [type, body, raw] of [
      ['application/json', latin, undefined],
      ['application/json; charset=windows-1254', turkish, turkish.toString('base64')]
    ] as const) {
      const service = await rawService((socket) =>
        socket.end(Buffer.concat([Buffer.from(head(type, body.length), 'latin1'), body]))
      )
      const ending = await sendVerification(await orderTo(service.origin))
      expect(ending).toMatchObject({
        outcome: 'answered',
        message: 'İŞL',
        reply: { statusText: 'Başarılı', body: '{"message":"İŞL"}' }
      })
      expect(ending.reply?.raw).toBe(raw)
    }
  })

  it('with headers of 48 KiB', async () => {
    const service = await rawService((socket) =>
      socket.end(
        httpReply(
          '{"message":"m"}',
          Array.from({ length: 48 }, (_, at) => `x-trace-${at}: ${'t'.repeat(1000)}`)
        )
      )
    )
    expect(await sendVerification(await orderTo(service.origin))).toMatchObject({ outcome: 'answered', message: 'm' })
  })

  it('does not obey http_proxy and its kin', async () => {
    const proxy = await rawService(() => undefined)
    for (const name of ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, proxy.origin)
    vi.stubEnv('no_proxy', '')
    vi.stubEnv('NO_PROXY', '')
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    const service = await rawService((socket) => socket.end(answer))
    expect((await sendVerification(await orderTo(service.origin))).outcome).toBe('answered')
    expect(proxy.sockets).toHaveLength(0)
    // For a proxy, axios would write the absolute address and headers of its own.
    expect(service.received[0]).toMatch(/^POST \/kyc-api\//)
  })
})

describe('invalid response', () => {
  it.each([
    ['an empty body', httpReply(''), /empty/],
    ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', /empty/],
    ['HTML', httpReply('<html>Sign in</html>', ['content-type: text/html']), /web page/],
    ['an array', httpReply('[]'), /array/],
    ['cut JSON in a complete response', httpReply('{"message":"m"'), /not complete/],
    [
      'a body without a length that ends early',
      'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"message":"m"',
      /not complete/
    ],
    ['gzip that is none', httpReply('{"message":"m"}', ['content-encoding: gzip']), /compression/],
    ['a compression that is none', httpReply('{"message":"m"}', ['content-encoding: zstd, x-own']), /compression/]
  ])('%s', async (_name, reply, why) => {
    const service = await rawService((socket) => socket.end(reply))
    const ending = await sendVerification(await orderTo(service.origin))
    expect(ending.outcome).toBe('invalid-response')
    expect(ending.failure?.code).toBe('reply-not-json')
    expect(said(ending)).toMatch(why)
    expect(ending.reply?.status).toBeGreaterThan(199)
    expect(ending.message).toBeUndefined()
  })

  it.each(['aws-chunked', 'UTF-8', 'utf-8, identity', 'x-own'])(
    'a coding that is none, %s, says nothing about the answer, as in browsers',
    async (coding) => {
      const service = await rawService((socket) =>
        socket.end(httpReply('{"message":"m"}', [`content-encoding: ${coding}`]))
      )
      expect(await sendVerification(await orderTo(service.origin))).toMatchObject({ outcome: 'answered', message: 'm' })
    }
  )

  it.each(['::::', 'https://other.example/', '//other.example', 'https://a:b@other.example'])(
    'redirect to “%s”',
    async (location) => {
      const service = await rawService((socket) => socket.end(httpReply('', [`location: ${location}`], '302 Found')))
      expect(codeOf(await sendVerification(await orderTo(service.origin)))).toBe('reply-redirect')
    }
  )
})

describe('not sent', () => {
  it('a port where nobody listens', async () => {
    const order = await orderTo(`http://127.0.0.1:${await closedPort()}`)
    expect(await sendVerification(order)).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'connection-refused' }
    })
    expect(order.phases).toEqual(['connecting'])
  })

  it('a name that does not exist', async () => {
    const ending = await sendVerification(await orderTo('https://no-such-name.invalid'))
    expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code: 'name-not-found' } })
    expect(sentencesOf(ending.failure!).what).toContain('no-such-name.invalid')
    expect(ending.took).toBeUndefined()
  })

  it.each([
    ['a line break', 'CANARY\r\nx: y', 'credential-invalid'],
    ['NUL', 'CANARY\0', 'credential-invalid'],
    ['Unicode', 'CANARY-é', 'credential-invalid'],
    ['2,561 bytes', 'CANARY'.padEnd(2561, 'x'), 'credential-invalid'],
    ['nothing', '', 'credentials-missing']
  ])('a credential with %s', async (_name, value, code) => {
    const service = await rawService((socket) => socket.end(answer))
    for (const { id } of credentials) {
      const ending = await sendVerification(
        await orderTo(service.origin, { credentials: { ...canaries, [id]: value } })
      )
      expect(ending).toMatchObject({ outcome: 'not-sent', failure: { code } })
      expect(leaks(ending)).toEqual([])
    }
    expect(service.sockets).toHaveLength(0)
  })

  it.each(['http://files.example.com', 'https://k.example/a//b', 'ftp://k.example', 'nonsense'])(
    'the address %s',
    async (origin) => {
      expect(await sendVerification(await orderTo(origin))).toMatchObject({
        outcome: 'not-sent',
        failure: { code: 'connection-address-invalid' }
      })
    }
  )

  it('cancelled before it began, and while it connects', async () => {
    const service = await rawService((socket) => socket.end(answer))
    const early = await orderTo(service.origin)
    early.cancel()
    expect(await sendVerification(early)).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'cancelled-before-sending' }
    })
    const connecting = await orderTo(service.origin, {
      onPhase: (phase) => phase === 'connecting' && connecting.cancel()
    })
    expect(await sendVerification(connecting)).toMatchObject({
      outcome: 'not-sent',
      failure: { code: 'cancelled-before-sending' }
    })
    await wait(30)
    expect(service.received.join('')).toBe('')
  })
})

describe('unknown', () => {
  it('a reset at every byte of a reply; only the whole one is an answer', async () => {
    const whole = Buffer.from(answer)
    const service = await rawService((socket, _request, nth) => {
      const offset = nth - 1
      if (offset === 0) return socket.resetAndDestroy()
      // Resets after the client has had time to read what came before.
      socket.write(whole.subarray(0, offset), () => setTimeout(() => socket.resetAndDestroy(), 3))
    })
    const order = await orderTo(service.origin)
    for (let offset = 0; offset <= whole.length; offset += 1) {
      const ending = await sendVerification(order)
      expect(ending.outcome, `at byte ${offset}`).toBe(offset === whole.length ? 'answered' : 'unknown')
      if (offset < whole.length) expect(codeOf(ending)).toBe('connection-lost')
    }
    expect(service.sockets).toHaveLength(whole.length + 1)
  })

  it('a reply that only switches the protocol ends it at once', async () => {
    const service = await rawService((socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')
    )
    // Not by the deadline, which would be `total-timeout`.
    expect(await sendVerification(await orderTo(service.origin))).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'connection-lost' }
    })
  })

  it('the connection closes before the request was read', async () => {
    const server = net.createServer({ pauseOnConnect: true }, (socket) => {
      socket.on('error', () => undefined)
      setTimeout(() => socket.resetAndDestroy(), 20)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const order = await orderTo(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`)
    const ending = await sendVerification(order)
    server.close()
    expect(order.phases).toEqual(['connecting', 'sent'])
    expect(ending).toMatchObject({ outcome: 'unknown', failure: { code: 'connection-lost' } })
  })

  it.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
    ['a body shorter than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"message":"m"}'],
    ['chunks that never end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nf\r\n{"message":"m"}\r\n']
  ])('%s', async (_name, reply) => {
    const service = await rawService((socket) => socket.end(reply))
    expect(await sendVerification(await orderTo(service.origin))).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'connection-lost' }
    })
  })

  it('cancelled after sending, and while the reply comes; the connection closes', async () => {
    const silent = await rawService(() => undefined)
    const one = await orderTo(silent.origin)
    setTimeout(one.cancel, 60)
    expect(await sendVerification(one)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'cancelled-after-sending' }
    })
    await until(() => silent.closed() === 1)
    const partial = await rawService((socket) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"message":"m"}')
    )
    const other = await orderTo(partial.origin)
    setTimeout(other.cancel, 60)
    expect(await sendVerification(other)).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'cancelled-after-sending' },
      reply: { status: 200, body: '{"message":"m"}', truncated: true }
    })
    await until(() => partial.closed() === 1)
  })

  it.each([
    ['two lengths', ['content-length: 3', 'content-length: 4'], 'two-lengths'],
    ['a length beside chunks', ['content-length: 3', 'transfer-encoding: chunked'], 'two-lengths'],
    ['headers of 70 KiB', [`x-trace: ${'t'.repeat(70_000)}`], 'long-headers'],
    ['a control character in a header', ['x-note: a\u0001b'], 'header'],
    ['a space before a colon', ['x note : a'], 'header']
  ])('%s: the status and the cause are known', async (_name, headers, reason) => {
    const service = await rawService((socket) =>
      socket.end(['HTTP/1.1 422 Odd', ...headers, '', '{"message":"m"}'].join('\r\n'))
    )
    const ending = await sendVerification(await orderTo(service.origin))
    expect(ending).toMatchObject({
      outcome: 'unknown',
      failure: { code: 'reply-malformed', details: { status: 422, reason } }
    })
    expect(said({ ok: false, failure: ending.failure })).toContain('answered with status 422')
  })
})

describe('a signed link that a service echoes', () => {
  it('comes back without its signature, even one that is no well-formed text', async () => {
    const link = `https://b.example/p.jpg?sv=1&sig=SIGNATURE-\ud800-CANARY`
    const body = { id_url: link }
    const server = http.createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => response.end(`{"message":"could not fetch","input":${Buffer.concat(chunks).toString()}}`))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const ending = await sendVerification(
      await orderTo(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`, { body })
    )
    server.close()
    expect(ending.outcome).toBe('answered')
    expect(JSON.parse(ending.reply?.body ?? '')).toEqual({
      message: 'could not fetch',
      input: { id_url: 'https://b.example/p.jpg?sv=1&sig=REMOVED' }
    })
  })
})

describe('whatever a service writes', () => {
  it('ends in one of three ways, never as “not sent”, and never as an answer that it did not give', async () => {
    let reply: Buffer = Buffer.alloc(0)
    const service = await rawService((socket) => socket.end(reply))
    const order = await orderTo(service.origin, { limits: { connectTimeout: 5, totalTimeout: 5, maxReplyBytes: 1024 } })
    const part = fc.oneof(
      fc.constantFrom(
        'HTTP/1.1 200 OK\r\n',
        'content-length: 15\r\n',
        'transfer-encoding: chunked\r\n',
        'content-encoding: gzip\r\n',
        '\r\n',
        '{"message":1}',
        '0\r\n\r\n'
      ),
      fc.string({ unit: 'binary', maxLength: 20 })
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 12 }), async (parts) => {
        reply = Buffer.from(parts.join(''))
        expect(['invalid-response', 'unknown']).toContain((await sendVerification(order)).outcome)
      }),
      { numRuns: 200 }
    )
  })
})

describe('deadlines', () => {
  // Those of the default settings where `npm run prove` repeats this.
  const limits = times === 1 ? { ...defaultSettings, connectTimeout: 1, totalTimeout: 2 } : defaultSettings
  const drip =
    (text: string, start = '') =>
    (socket: net.Socket): void => {
      let at = 0
      socket.write(start)
      const timer = setInterval(
        () => (socket.destroyed ? clearInterval(timer) : socket.write(text[at++ % text.length] ?? ' ')),
        20
      )
      socket.on('close', () => clearInterval(timer))
    }
  const isLinux = process.platform === 'linux'

  it('hold, at most half a second over, with whoever is silent or slow', { timeout: 120_000 }, async ({ task }) => {
    const trust = await trustIn()
    const silent = await rawService(() => undefined)
    const headers = await rawService(drip(`x-slow: ${'a'.repeat(60_000)}`, 'HTTP/1.1 200 OK\r\n'))
    const body = await rawService(drip('{"message":"m"}', 'HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n'))
    const stopped = await startBlackHole(true)
    onTestFinished(() => stopped.end())
    const behind = (port: number): Partial<SendOrder> => ({
      origin: 'https://service.invalid',
      route: { hops: [{ kind: 'proxy', secure: false, host: '127.0.0.1', port }] }
    })
    const of = { connect: 'not-sent connect-timeout', total: 'unknown total-timeout' }
    const [counts, latest] = [{ sent: 0, late: 0 }, { over: 0 }]
    const ends = async (name: string, deadline: keyof typeof of, but: Partial<SendOrder>): Promise<void> => {
      const order = await orderTo('', { limits, trust, ...but })
      const limit = 1000 * limits[`${deadline}Timeout`]
      const { value, took } = await timed(() => inTime(limit + 500, () => sendVerification(order)))
      counts.sent += 1
      counts.late += value.inTime ? 0 : 1
      latest.over = Math.max(latest.over, took - limit)
      expect(`${value.value.outcome} ${codeOf(value.value)}`, name).toBe(of[deadline])
      expect(took, name).toBeGreaterThan(limit - 50)
      expect(value.inTime, `${name}: ended after ${Math.round(took)} ms`).toBe(true)
    }
    const each = (...kind: Parameters<typeof ends>): Promise<void>[] =>
      Array.from({ length: times }, () => ends(...kind))
    const ofLostPackets = async (): Promise<void> => {
      const hole = await startBlackHole(false)
      onTestFinished(() => hole.end())
      await Promise.all([
        ...each('packets of the connection are lost', 'connect', { origin: `http://127.0.0.1:${hole.port}` }),
        ...each('the same behind a proxy', 'connect', behind(hole.port))
      ])
    }
    await Promise.all([
      ...(isLinux ? [ofLostPackets()] : []),
      ...each('TLS is never answered', 'connect', { origin: `https://127.0.0.1:${silent.port}` }),
      ...each('the proxy never answers', 'connect', behind(silent.port)),
      ...each('the service never answers', 'total', { origin: silent.origin }),
      ...each('the service reads nothing', 'total', { origin: `http://127.0.0.1:${stopped.port}` }),
      ...each('headers a letter at a time', 'total', { origin: headers.origin }),
      ...each('a body a letter at a time', 'total', { origin: body.origin })
    ])
    counted(task, { ...counts, 'most milliseconds over': Math.round(latest.over) })
    await until(() => [silent, headers, body].every(({ sockets, closed }) => closed() === sockets.length))
  })
})

describe('credentials that a service echoes', () => {
  it('reach no result: not the body, message, headers, status text or failure', async () => {
    const echo = Object.values(canaries)
    const body = JSON.stringify({
      message: `refused ${echo.join(' and ')}`,
      [echo[0] ?? '']: echo,
      url: encodeURIComponent(echo[1] ?? ''),
      b64: btoa(echo[2] ?? '')
    })
    const headers = [
      `x-echo: ${echo[0]}`,
      `authorization: ${echo[2]}`,
      `set-cookie: session=1`,
      `x-fine: yes`,
      `WWW-Authenticate: Basic realm="${echo[0]}"`,
      'www-authenticate: Bearer'
    ]
    const service = await rawService((socket) => socket.end(httpReply(body, headers, `401 ${echo[0]}`)))
    const ending = await sendVerification(await orderTo(service.origin))
    expect(leaks(ending)).toEqual([])
    expect(ending).toMatchObject({
      outcome: 'answered',
      message: 'refused <API_KEY> and <API_SECRET> and <AUTHORIZATION_VALUE>',
      reply: { statusText: '<API_KEY>' }
    })
    expect(JSON.parse(ending.reply?.body ?? '')).toMatchObject({ message: ending.message })
    const names = ending.reply?.headers.map(([name]) => name)
    expect(names).toEqual(['content-length', 'content-type', 'x-fine', 'www-authenticate'])
  })

  it.each([
    ['a page', httpReply(`<p>${canaries['api-key']}</p>`)],
    [
      'a redirect',
      httpReply('', [`location: https://${canaries['api-key']}.example/?k=${canaries['api-key']}`], '302 Found')
    ],
    ['a cut reply', `HTTP/1.1 200 OK\r\ncontent-length: 999\r\n\r\n${canaries['api-key'].slice(0, -2)}`],
    ['broken HTTP', `${canaries['authorization']}\r\n\r\n`]
  ])('%s', async (_name, reply) => {
    const service = await rawService((socket) => socket.end(reply))
    expect(leaks(await sendVerification(await orderTo(service.origin)))).toEqual([])
  })
})
