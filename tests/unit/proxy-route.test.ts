import { describe, expect, it } from 'vitest'
import { bypassEntry, environmentProxy, proxyUrlFault, resolveRoute, routeOfPac } from '#core/client/proxy.ts'

const proxy = (host: string, port: number, secure = false): object => ({ kind: 'proxy', secure, host, port })
const socks = (host: string, port: number): object => ({ ...proxy(host, port), socks: true })
const direct = { kind: 'direct' }

describe('PAC results', () => {
  it.each([
    ['DIRECT', [direct]],
    ['', [direct]],
    ['PROXY a:1; DIRECT', [proxy('a', 1), direct]],
    [
      'proxy a.example:8080;HTTPS b.example:8443 ; direct;',
      [proxy('a.example', 8080), proxy('b.example', 8443, true), direct]
    ],
    ['HTTPS b.example', [proxy('b.example', 443, true)]],
    ['PROXY [::1]:3128', [proxy('::1', 3128)]],
    ['SOCKS s:1; PROXY a:1', [proxy('a', 1)]],
    ['SOCKS5 S:1; SOCKS5 t; DIRECT', [socks('s', 1), socks('t', 1080), direct]],
    ['SOCKS5 [::1]:80', [socks('::1', 80)]]
  ])('%s', (text, hops) => {
    expect(routeOfPac(text)).toEqual({ ok: true, value: { hops } })
  })

  it.each(['SOCKS5 s:99999', 'SOCKS s', 'SOCKS4 s:1', 'PROXY', 'PROXY a:99999', 'nonsense'])(
    '%s is no way, and not silently DIRECT',
    (text) => {
      expect(routeOfPac(text)).toMatchObject({ ok: false, failure: { code: 'system-proxy-unusable' } })
    }
  )

  it('takes a sign-in along as a header', () => {
    expect(routeOfPac('PROXY us%40er:p%3Aw@a:1')).toEqual({
      ok: true,
      value: { hops: [{ ...proxy('a', 1), authorization: `Basic ${btoa('us@er:p:w')}` }] }
    })
  })
})

describe('the way to an origin', () => {
  const settings = { proxyMode: 'manual', proxyUrl: 'http://p.example:8080', proxyBypass: 'internal.example' } as const
  const never = (): Promise<string> => Promise.reject(new Error('must not be asked'))

  it('manual, with its bypass list', async () => {
    const to = (origin: string) => resolveRoute({ origin, settings, resolveSystemProxy: never })
    expect(await to('https://kyc.example.com')).toEqual({ ok: true, value: { hops: [proxy('p.example', 8080)] } })
    expect(await to('https://kyc.internal.example')).toEqual({ ok: true, value: { hops: [direct] } })
  })

  it.each(['http://127.0.0.1:1', 'http://localhost:1', 'https://[::1]:1', 'http://127.9.9.9'])(
    '%s never through a proxy',
    async (origin) => {
      for (const proxyMode of ['none', 'system', 'manual'] as const) {
        expect(await resolveRoute({ origin, settings: { ...settings, proxyMode }, resolveSystemProxy: never })).toEqual(
          { ok: true, value: { hops: [direct] } }
        )
      }
    }
  )

  it('system: asks the host, and says so where the host fails', async () => {
    const system = { ...settings, proxyMode: 'system' } as const
    const asked: string[] = []
    const origin = 'https://kyc.example.com'
    const good = await resolveRoute({
      origin,
      settings: system,
      resolveSystemProxy: (url) => (asked.push(url), Promise.resolve('PROXY q:1'))
    })
    expect(good).toEqual({ ok: true, value: { hops: [proxy('q', 1)] } })
    expect(asked).toEqual(['https://kyc.example.com/'])
    expect(await resolveRoute({ origin, settings: system, resolveSystemProxy: never })).toMatchObject({
      ok: false,
      failure: { code: 'system-proxy-unusable' }
    })
  })

  it.each([
    '',
    'ftp://p',
    'socks4://p',
    'socks5://',
    'socks5://u:p@p',
    'socks5://p/path',
    'http://u:p@p',
    'http://p/path',
    'http://p?x',
    '::::'
  ])('manual “%s” is refused', async (proxyUrl) => {
    const fault = proxyUrlFault(proxyUrl)
    expect(fault?.code).toMatch(/^proxy-/)
    const route = await resolveRoute({
      origin: 'https://k.example',
      settings: { ...settings, proxyUrl },
      resolveSystemProxy: never
    })
    expect(route).toMatchObject({
      ok: false,
      failure: { code: 'proxy-setting-unusable', fields: { proxyUrl: fault } }
    })
  })

  it.each(['http://p', 'https://p:8443/', 'p.example:3128', 'socks5://p', 'socks5://p:1080/'])(
    'manual “%s” can be used',
    (text) => {
      expect(proxyUrlFault(text)).toBeUndefined()
    }
  )
})

describe('bypass lists', () => {
  it.each([
    ['https://a.example.com', 'example.com', true],
    ['https://example.com', '.example.com', true],
    ['https://a.example.com', '*.example.com', true],
    ['https://notexample.com', 'example.com', false],
    ['https://example.com.evil', 'example.com', false],
    ['https://a.example.com:8443', 'example.com:8443', true],
    ['https://a.example.com', 'example.com:8443', false],
    ['https://a.example.com', 'b.example, A.Example.COM', true],
    ['https://10.1.2.3', '10.0.0.0/8', true],
    ['https://11.1.2.3', '10.0.0.0/8', false],
    ['https://10.1.2.3', '10.0.0.0/99', false],
    ['https://[fd00::1]', 'fd00::/8', true],
    ['https://[fd00::1]', 'fd00::1', true],
    ['https://intranet', '<local>', true],
    ['https://kyc.example', '<local>', false],
    ['https://kyc.example', '*', true],
    ['https://kyc.example', ' , ;', false],
    ['https://1.2.3.4', '3.4', false]
  ])('%s by “%s”: %s', (url, list, expected) => {
    expect(bypassEntry(url, list) !== undefined).toBe(expected)
  })
})

describe('environment variables', () => {
  it.each([
    [{}, 'DIRECT'],
    [{ HTTPS_PROXY: 'http://p:8080' }, 'PROXY p:8080'],
    [{ HTTPS_PROXY: 'http://upper:1', https_proxy: 'http://lower:1/' }, 'PROXY lower:1'],
    [{ HTTP_PROXY: 'http://p:8080' }, 'DIRECT'],
    [{ ALL_PROXY: 'p:8080' }, 'PROXY p:8080'],
    [{ all_proxy: 'socks5h://s:1080' }, 'SOCKS5 s:1080'],
    [{ HTTPS_PROXY: 'socks5://s' }, 'SOCKS5 s'],
    [{ ALL_PROXY: 'socks4a://s:1' }, 'SOCKS s:1'],
    [{ HTTPS_PROXY: 'https://p:8443' }, 'HTTPS p:8443'],
    [{ HTTPS_PROXY: 'http://p:8080', NO_PROXY: 'localhost,.example.com' }, 'DIRECT'],
    [{ HTTPS_PROXY: 'http://p:8080', no_proxy: '*' }, 'DIRECT'],
    [{ HTTPS_PROXY: ' ', ALL_PROXY: '' }, 'DIRECT']
  ])('%j for an https address', (env, pac) => {
    expect(environmentProxy('https://kyc.example.com', env)).toBe(pac)
  })

  it.each([
    'http://user:p@ss#w%rd@127.0.0.1:3128',
    'user:pa/ss@proxy:1',
    'http://user:p?ss@proxy:1',
    'http://user:p ss@proxy:1'
  ])('no piece of a password becomes a host: %s', async (HTTPS_PROXY) => {
    const settings = { proxyMode: 'system', proxyUrl: '', proxyBypass: '' } as const
    const route = await resolveRoute({
      origin: 'https://kyc.example.com',
      settings,
      resolveSystemProxy: (url) => Promise.resolve(environmentProxy(url, { HTTPS_PROXY }))
    })
    expect(route).toMatchObject({
      ok: false,
      failure: { code: 'system-proxy-unusable', details: { reason: 'address' } }
    })
  })

  it.each([
    ['http://user:p@ss@proxy:3128', 'user:p@ss'],
    ['http://user:a;b@proxy:3128', 'user:a;b'],
    ['http://user:100%@proxy:3128/', 'user:100%'],
    ['http://user:p%40ss%23@proxy:3128', 'user:p@ss#']
  ])('a user with a password: %s', (HTTPS_PROXY, user) => {
    const authorization = `Basic ${Buffer.from(user).toString('base64')}`
    expect(routeOfPac(environmentProxy('https://kyc.example.com', { HTTPS_PROXY }))).toMatchObject({
      ok: true,
      value: { hops: [{ host: 'proxy', port: 3128, authorization }] }
    })
  })

  it('plain http has a variable of its own', () => {
    expect(environmentProxy('http://kyc.example.com', { http_proxy: 'http://p:1', HTTPS_PROXY: 'http://q:1' })).toBe(
      'PROXY p:1'
    )
  })
})
