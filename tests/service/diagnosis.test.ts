/** The network diagnosis on real sockets: each cause has its code and its sentence, and nothing that is secret leaves. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import net, { type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DiagnosisReport, DiagnosisStep } from '#contract/connections/diagnosis.ts'
import { diagnosisText, fixerText } from '#contract/connections/diagnosis-text.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { ok } from '#contract/failures/result.ts'
import { defaultSettings, type Settings } from '#contract/settings/settings.ts'
import type { SignInTo } from '#core/client/dial.ts'
import { createNetwork } from '#core/client/network.ts'
import { diagnose } from '#core/diagnosis/diagnose.ts'
import { systemClock } from '../../electron/hosts/node/ports.ts'
import { closedPort } from './support/client-order.ts'
import { createTestAuthority, selfSigned } from './support/tls.ts'
import { proxyTo, rawServer, requiring, says, tlsService } from './support/way-servers.ts'

const authority = createTestAuthority()
const day = 86_400_000
// Only a proxy knows the service: no resolver of this machine can find it.
const serviceName = 'kyc.service.test'
let folder = ''
let caFile = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'veridesk-diagnosis-'))
  caFile = join(folder, 'company.pem')
  await writeFile(caFile, authority.cert)
})
afterAll(() => rm(folder, { recursive: true }))

interface Given {
  readonly settings?: Partial<Settings>
  readonly pac?: string
  readonly signIn?: SignInTo
  readonly cancel?: AbortSignal
  readonly onStep?: (step: DiagnosisStep) => void
}

async function look(
  address: string,
  { settings = {}, pac = 'DIRECT', signIn, cancel = new AbortController().signal, onStep }: Given = {}
): Promise<DiagnosisReport> {
  const current: Settings = { ...defaultSettings, extraCaFile: caFile, ...settings }
  const network = createNetwork({ clock: systemClock, resolveSystemProxy: async () => pac }, () => current, signIn)
  return diagnose({
    address,
    network,
    settings: current,
    clock: systemClock,
    version: '0',
    platform: 'test',
    cancel,
    onStep: (step) => onStep?.(step)
  })
}

/** The code, the sentence and who can fix it. */
const result = ({ end, failure }: DiagnosisReport): string =>
  failure ? `${failure.code}: ${sentencesOf(failure).what} [${fixerText(failure)}]` : end
const step = (report: DiagnosisReport, name: DiagnosisStep['step']): DiagnosisStep | undefined =>
  report.steps.findLast((each) => each.step === name)
const values = (report: DiagnosisReport, of: DiagnosisStep['step'], fact: string): readonly string[] | undefined =>
  step(report, of)?.facts.find(({ name }) => name === fact)?.values

const [you, administrator, operator] = ['[You]', '[Your network administrator]', '[The operator of the service]']

describe('a service that works', () => {
  it('has every step with its facts, and gets one HEAD without credentials', async () => {
    const service = await tlsService(authority.issue({ names: ['localhost'] }))
    const seen: string[] = []
    const report = await look(`https://localhost:${service.port}`, { onStep: ({ step: name }) => seen.push(name) })
    expect(result(report)).toBe('good')
    expect(seen).toEqual(['route', 'trust', 'name', 'connect', 'tls', 'http', 'clock'])
    expect(values(report, 'name', 'addresses')).toContain('127.0.0.1 (IPv4)')
    expect(step(report, 'tls')).toMatchObject({
      facts: [
        { name: 'protocol', values: ['TLSv1.3'] },
        { name: 'cipher' },
        { name: 'alpn', values: ['http/1.1'] },
        { code: 'name-matches' },
        { code: 'chain-trusted' }
      ],
      certificates: [
        {
          subject: 'localhost',
          names: ['localhost'],
          fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/) as string
        },
        { selfIssued: true, store: 'file' }
      ]
    })
    expect(step(report, 'trust')?.facts.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['store-system', 'store-file'])
    )
    expect(values(report, 'http', 'answer')).toEqual(['404 Not Found'])
    expect(service.requests).toEqual([
      {
        method: 'HEAD',
        url: '/',
        headers: {
          'host': `localhost:${service.port}`,
          'user-agent': 'Veridesk',
          'accept': '*/*',
          'connection': 'close'
        }
      }
    ])
  })
})

describe('the way to the service', () => {
  it('a name that does not exist', async () => {
    expect(result(await look('https://no-such-name.invalid'))).toMatch(
      /^diagnosis-name-(unknown|server): .*no-such-name\.invalid/
    )
  })
  it('a refused connection', async () => {
    const report = await look(`https://127.0.0.1:${await closedPort()}`)
    expect(result(report)).toBe(
      `diagnosis-refused: ${new URL(report.address).host} refuses connections at this port. ${operator}`
    )
  })
  it('an address that is none, and one with a password', async () => {
    const report = await look('https://jane:CANARY-pass@kyc.example')
    expect(result(report)).toMatch(/^diagnosis-address-invalid: .*\[You\]$/)
    expect(diagnosisText(report)).not.toMatch(/jane|CANARY/)
  })
  it('TLS that never answers', async () => {
    const port = await rawServer(() => undefined)
    expect(result(await look(`https://127.0.0.1:${port}`, { settings: { connectTimeout: 1 } }))).toBe(
      `diagnosis-tls-silent: 127.0.0.1:${port} accepted the connection, but did not answer the TLS handshake within 1 s. ${operator}`
    )
  })
  it('something that does not use TLS, and a service that closes', async () => {
    const plain = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(result(await look(`https://127.0.0.1:${plain}`))).toMatch(/^diagnosis-not-tls/)
    const closing = await rawServer((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect(result(await look(`https://127.0.0.1:${closing}`))).toMatch(/^diagnosis-tls-closed/)
  })
  it('a service that answers with an error, with something else than HTTP, or not at all', async () => {
    const failing = await tlsService(authority.issue({ names: ['localhost'] }), { status: 503 })
    expect(result(await look(`https://localhost:${failing.port}`))).toMatch(
      /^diagnosis-service-error: .* 503: .*operator/
    )
    const other = await rawServer((socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')))
    expect(result(await look(`http://127.0.0.1:${other}`))).toMatch(/^diagnosis-not-http/)
    const closing = await rawServer((socket) => socket.once('data', () => socket.end()))
    expect(result(await look(`http://127.0.0.1:${closing}`))).toMatch(/^diagnosis-http-closed/)
  })
  it('a clock that differs by hours', async () => {
    const service = await tlsService(authority.issue({ names: ['localhost'] }), {
      headers: { date: new Date(Date.now() - 3 * 3_600_000).toUTCString() }
    })
    const report = await look(`https://localhost:${service.port}`)
    expect(result(report)).toBe(
      `diagnosis-clock: The service can be reached, but this computer’s clock is 180 minutes ahead of the service’s. ${you}`
    )
    expect(step(report, 'clock')?.state).toBe('failed')
  })
  it('a cancelled diagnosis says so and has what was found', async () => {
    const port = await rawServer(() => undefined)
    const controller = new AbortController()
    const report = await look(`https://127.0.0.1:${port}`, {
      cancel: controller.signal,
      onStep: ({ step: name }) => name === 'connect' && controller.abort()
    })
    expect(report).toMatchObject({
      end: 'cancelled',
      steps: [
        { step: 'route' },
        { step: 'trust' },
        { step: 'name' },
        { step: 'connect' },
        { step: 'tls', state: 'failed' }
      ]
    })
    expect(report.failure).toBeUndefined()
  })
})

describe('certificates', () => {
  it.each([
    ['self-signed', () => selfSigned(['localhost']), {}, /^diagnosis-self-signed: .*\[The operator of the service\]$/],
    [
      'expired',
      () =>
        authority.issue({ names: ['localhost'], notBefore: new Date('2020-01-01'), notAfter: new Date('2020-02-03') }),
      {},
      /^diagnosis-expired: .* expired on 2020-02-03\. \[The operator/
    ],
    [
      'not valid yet',
      () => authority.issue({ names: ['localhost'], notBefore: new Date(Date.now() + day) }),
      {},
      /^diagnosis-not-yet-valid: .*\[You\]$/
    ],
    [
      'for another name',
      () => authority.issue({ names: ['other.example'] }),
      {},
      /^diagnosis-wrong-name: The certificate is not for localhost, but for other\.example\. \[The operator/
    ],
    [
      'of an authority that is in no store',
      () => authority.issue({ names: ['localhost'] }),
      { extraCaFile: '' },
      /^diagnosis-untrusted: .*“Veridesk test CA [0-9a-f]{8}”, which this computer does not trust.*\[Your network administrator\]$/
    ]
  ] as const)('%s: the chain is shown, and no request is sent', async (_name, issue, settings, expected) => {
    const service = await tlsService(issue())
    const report = await look(`https://localhost:${service.port}`, { settings })
    expect(result(report)).toMatch(expected)
    expect(step(report, 'tls')?.certificates?.length).toBeGreaterThan(0)
    expect(service.requests).toEqual([])
  })
  it('a file of authorities that is gone', async () => {
    expect(result(await look('https://localhost:1', { settings: { extraCaFile: join(folder, 'gone.pem') } }))).toBe(
      `diagnosis-ca-file: The certificate file in the settings cannot be used. ${you}`
    )
  })
})

describe('proxies', () => {
  const by = (port: number): string => `PROXY 127.0.0.1:${port}`
  const at = (port: number): string => `https://${serviceName}:${port}`

  it('one that works, and what decided the route', async () => {
    const [service, proxy] = [await tlsService(authority.issue({ names: [serviceName] })), await proxyTo()]
    const report = await look(at(service.port), { pac: by(proxy.port) })
    expect(result(report)).toBe('good')
    expect(values(report, 'route', 'verdict')).toEqual([by(proxy.port)])
    expect(values(report, 'tunnel', 'answer')).toEqual(['200'])
    const manual = await look(at(service.port), {
      settings: { proxyMode: 'manual', proxyUrl: `http://127.0.0.1:${proxy.port}` }
    })
    expect(step(manual, 'route')?.facts[0]).toEqual({ name: 'route', values: [], code: 'manual' })
    const bypassed = await look(at(1), {
      settings: { proxyMode: 'manual', proxyUrl: 'http://127.0.0.1:1', proxyBypass: 'a.example, *.service.test' }
    })
    expect(step(bypassed, 'route')?.facts[0]).toEqual({ name: 'route', values: ['*.service.test'], code: 'bypass' })
  })

  it.each([
    ['refusing', says('HTTP/1.1 403 Forbidden'), /^diagnosis-proxy-forbids: .*\(403\)/],
    ['without a way to the service', says('HTTP/1.1 502 Bad Gateway'), /^diagnosis-proxy-gateway: .*\(502\)/],
    ['that is a web server', says('HTTP/1.1 405 Method Not Allowed'), /^diagnosis-proxy-status: .* 405 /],
    ['dropping', (client: Socket) => (client.resetAndDestroy(), true), /^diagnosis-proxy-closed/],
    ['that speaks something else', says('SSH-2.0-x'), /^diagnosis-proxy-closed/],
    [
      'that accepts only Negotiate and NTLM',
      says('HTTP/1.1 407 Sign in\r\nproxy-authenticate: Negotiate\r\nproxy-authenticate: NTLM'),
      /^diagnosis-proxy-scheme: .* by Negotiate, NTLM only/
    ],
    ['that requires a password', requiring('never', 'Company proxy'), /^diagnosis-proxy-sign-in: .*\[You\]$/]
  ] as const)('one %s', async (_name, answer, expected) => {
    const proxy = await proxyTo(answer)
    expect(result(await look(at(443), { pac: by(proxy.port) }))).toMatch(expected)
  })

  it('one that lies: it says 200, then speaks garbage, or TLS with a certificate of its own', async () => {
    const garbage = await proxyTo(
      (client) => (
        client.write('HTTP/1.1 200 OK\r\n\r\n'),
        client.once('data', () => client.end('not TLS at all, whatever comes')),
        true
      )
    )
    expect(result(await look(at(443), { pac: by(garbage.port) }))).toMatch(
      new RegExp(`^diagnosis-tunnel-broken: The proxy 127\\.0\\.0\\.1:${garbage.port} .*administrator`)
    )
    const own = createTestAuthority().issue({ names: [serviceName] })
    const inspecting = await proxyTo((client) => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      new tls.TLSSocket(client, { isServer: true, ...own }).on('error', () => undefined)
      return true
    })
    const report = await look(at(443), { pac: by(inspecting.port) })
    expect(result(report)).toMatch(
      /^diagnosis-untrusted-proxy: .*“Veridesk test CA [0-9a-f]{8}”, which this computer does not trust.*inspects the traffic.*administrator/
    )
  })

  it('a slow one: over the limit it is silent, within it the time is named', async () => {
    const silent = await proxyTo(() => true)
    expect(result(await look(at(443), { pac: by(silent.port), settings: { connectTimeout: 1 } }))).toBe(
      `diagnosis-proxy-silent: The proxy 127.0.0.1:${silent.port} did not answer within 1 s. ${administrator}`
    )
    const service = await tlsService(authority.issue({ names: [serviceName] }))
    const late = await proxyTo((client) => {
      // What is tested is the time itself.
      setTimeout(() => client.write('HTTP/1.1 200 OK\r\n\r\n'), 2600)
      client.once('data', (hello: Buffer) => {
        const upstream = net.connect(service.port, '127.0.0.1', () => upstream.write(hello))
        upstream.on('error', () => client.destroy())
        client.pipe(upstream).pipe(client)
      })
      return true
    })
    expect(result(await look(at(service.port), { pac: by(late.port), settings: { connectTimeout: 5 } }))).toMatch(
      /^diagnosis-slow: .* of the 5 s allowed; most of it was spent on waiting for the proxy\. /
    )
  })

  it('one that cannot be reached, or whose name is not known, and a setting of the system that cannot be used', async () => {
    expect(result(await look(at(443), { pac: by(await closedPort()) }))).toMatch(
      /^diagnosis-proxy-unreachable: .*ECONNREFUSED/
    )
    expect(result(await look(at(443), { pac: 'PROXY no-such-proxy.invalid:1' }))).toMatch(
      /^diagnosis-proxy-name: .*no-such-proxy\.invalid/
    )
    expect(result(await look(at(443), { pac: 'SOCKS 127.0.0.1:1' }))).toMatch(/^diagnosis-system-proxy: .*SOCKS/)
    expect(result(await look(at(443), { settings: { proxyMode: 'manual', proxyUrl: 'ftp://x' } }))).toMatch(
      /^diagnosis-proxy-setting: .*\[You\]$/
    )
  })
})

describe('signing in to a proxy', () => {
  const canary = { user: 'CANARY-user-7c', password: 'CANARY-pass:"é\\/5f1c' }
  const value = `Basic ${Buffer.from(`${canary.user}:${canary.password}`).toString('base64')}`
  const quoted = (text: string): string => text.replaceAll(/["\\]/g, '\\$&')
  const forms = [canary.user, canary.password, value.slice(6), encodeURIComponent(canary.password), 'CANARY']

  it('with what is stored for this proxy, after it has asked; the report has none of it, even if the proxy repeats it', async () => {
    const service = await tlsService(authority.issue({ names: [serviceName] }), {
      headers: { server: `said ${canary.password} and ${value}` }
    })
    const proxy = await proxyTo(requiring(value, `of ${canary.user} ${quoted(canary.password)}`))
    const asked: string[] = []
    const report = await look(`https://${serviceName}:${service.port}`, {
      pac: `PROXY 127.0.0.1:${proxy.port}`,
      signIn: async (of) => (asked.push(of), ok(canary))
    })
    expect(result(report)).toBe('good')
    expect(proxy.given).toEqual(['', value])
    expect(asked).toEqual([`http://127.0.0.1:${proxy.port}`])
    expect(step(report, 'tunnel')).toMatchObject({
      state: 'passed',
      facts: [
        { name: 'answer', values: ['407'] },
        { name: 'schemes', values: ['Negotiate', 'Basic (of •••)'] }
      ]
    })
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization')
    for (const form of forms) expect(JSON.stringify(report) + diagnosisText(report)).not.toContain(form)
  })

  it('a wrong password is tried once, and named as such', async () => {
    const proxy = await proxyTo(requiring('Basic other', quoted(canary.password)))
    const report = await look(`https://${serviceName}`, {
      pac: `PROXY 127.0.0.1:${proxy.port}`,
      signIn: async () => ok(canary)
    })
    expect(result(report)).toMatch(/^diagnosis-proxy-password: .*\[You\]$/)
    expect(proxy.given).toEqual(['', value])
    for (const form of forms) expect(JSON.stringify(report)).not.toContain(form)
  })

  it('one that an environment variable names is masked in the verdict', async () => {
    const proxy = await proxyTo(says('HTTP/1.1 403 Forbidden'))
    const report = await look(`https://${serviceName}`, {
      pac: `PROXY ${canary.user}:CANARY-p@ss@127.0.0.1:${proxy.port}; DIRECT`
    })
    expect(values(report, 'route', 'verdict')).toEqual([`PROXY •••@127.0.0.1:${proxy.port}; DIRECT`])
    expect(JSON.stringify(report) + diagnosisText(report)).not.toContain('CANARY')
  })
})
