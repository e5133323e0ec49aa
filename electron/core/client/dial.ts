/**
 * Opens the connection for a request: TCP, the proxy's tunnel, TLS.
 *
 * This finishes before the first byte of a request exists, so any failure here is certainly "not sent": no
 * credential, path or body has been passed to a socket yet.
 */
import http from 'node:http'
import net from 'node:net'
import tls from 'node:tls'
import type { ReachabilityFinding } from '#contract/connection.ts'
import { failure, type Failure } from '#contract/failures.ts'
import { fail, ok, type Result } from '#contract/result.ts'
import { boundHead } from './head.ts'
import type { Hop, ProxyHop, Route } from './proxy.ts'
import { faultOf, waitFor, type SocketFault, type StopReason } from './socket-faults.ts'
import type { Trust } from './trust.ts'

/** A finished step, for the reachability check; `took` is in milliseconds. */
export interface DialStep {
  readonly step: 'name' | 'connect' | 'tls'
  /** What the step found, or why it failed. */
  readonly result: Result<ReachabilityFinding, Failure>
  readonly took: number
}

export interface DialOrder {
  readonly origin: string
  readonly route: Route
  readonly trust: Trust
  /** Aborts the attempt at once; its reason is a `StopReason`. */
  readonly stop: AbortSignal
  /** The time limit in seconds, for the failure's details. */
  readonly seconds: number
  /** Resolves the names of direct hops; the system does by default. A proxy resolves names by itself. */
  readonly lookup?: net.LookupFunction
  readonly onStep?: (step: DialStep) => void
}

/** Why an attempt failed, and whether the next hop of the route may be tried. */
interface DialFailure {
  readonly failure: Failure
  readonly tryNext: boolean
}

interface Target {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** For display. */
  readonly name: string
}

function targetOf(origin: string): Target {
  const url = new URL(origin)
  const secure = url.protocol === 'https:'
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || (secure ? 443 : 80)),
    name: url.host
  }
}

const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Connects to an origin by the first hop of the route that works. The socket is ready for a request: connected,
 * tunnelled, and its certificate checked. Fails with `name-not-found`, `connection-refused`, `connect-timeout`,
 * `tls-failed`, `proxy-failed` or `cancelled-before-sending`.
 */
export async function dial(order: DialOrder): Promise<Result<net.Socket, Failure>> {
  let last: Failure | undefined
  for (const hop of order.route.hops) {
    const attempt = await dialBy(hop, targetOf(order.origin), order)
    if (attempt.ok) return attempt
    last = attempt.failure.failure
    if (!attempt.failure.tryNext || order.stop.aborted) break
  }
  return fail(last ?? failure('internal', { reason: 'no-route' }))
}

async function dialBy(hop: Hop, target: Target, order: DialOrder): Promise<Result<net.Socket, DialFailure>> {
  const viaProxy = hop.kind === 'proxy'
  const tcp = await openTcp(viaProxy ? hop : target, viaProxy, order)
  if (!tcp.ok) return tcp
  let socket = tcp.value
  if (viaProxy) {
    const tunnel = await openTunnel(socket, hop, target, order)
    if (!tunnel.ok) return tunnel
    socket = tunnel.value
  }
  if (!target.secure) return ok(socket)
  return secure(socket, target, order)
}

/** The failure of an abort: cancelled by the user, or the connect timeout. */
function stopped(reason: StopReason, host: string, seconds: number): DialFailure {
  return {
    failure: reason === 'cancelled' ? failure('cancelled-before-sending') : failure('connect-timeout', { host, seconds }),
    tryNext: false
  }
}

async function openTcp(
  to: { readonly host: string; readonly port: number },
  isProxy: boolean,
  order: DialOrder
): Promise<Result<net.Socket, DialFailure>> {
  const name = hostPort(to.host, to.port)
  const begun = performance.now()
  let named = begun
  const addresses: string[] = []
  const socket = net.connect({ host: to.host, port: to.port, noDelay: true, ...(!isProxy && order.lookup && { lookup: order.lookup }) })
  socket.on('lookup', (_error, address) => {
    if (!address) return
    if (addresses.length === 0) named = performance.now()
    addresses.push(address)
  })
  const fault = await waitFor(socket, 'connect', order.stop)
  const proxy = isProxy ? { proxy: name } : {}
  const nameFailed = fault?.syscall === 'getaddrinfo' || (fault?.stop !== undefined && addresses.length === 0 && net.isIP(to.host) === 0)
  const why = fault && attemptFailure(fault, { nameFailed, isProxy, host: to.host, name, seconds: order.seconds })
  order.onStep?.({
    step: 'name',
    result: why && nameFailed ? fail(why.failure) : ok({ code: 'addresses', host: to.host, addresses: [...new Set(addresses)], ...proxy }),
    took: (nameFailed ? performance.now() : named) - begun
  })
  if (!why) {
    order.onStep?.({
      step: 'connect',
      result: ok({ code: 'connected', address: hostPort(socket.remoteAddress ?? to.host, to.port), ...proxy }),
      took: performance.now() - named
    })
    return ok(socket)
  }
  if (!nameFailed) order.onStep?.({ step: 'connect', result: fail(why.failure), took: performance.now() - named })
  return fail(why)
}

interface FailedAttempt {
  readonly nameFailed: boolean
  readonly isProxy: boolean
  readonly host: string
  /** Host and port. */
  readonly name: string
  readonly seconds: number
}

function attemptFailure(fault: SocketFault, { nameFailed, isProxy, host, name, seconds }: FailedAttempt): DialFailure {
  if (fault.stop) return stopped(fault.stop, name, seconds)
  if (isProxy) {
    const why = nameFailed ? ({ reason: 'name-not-found' } as const) : ({ reason: 'unreachable', socketError: fault.code } as const)
    return { failure: failure('proxy-failed', { host: name, ...why }), tryNext: true }
  }
  return { failure: nameFailed ? failure('name-not-found', { host }) : failure('connection-refused', { host: name }), tryNext: true }
}

function startTls(socket: net.Socket, host: string, trust: Trust): tls.TLSSocket {
  return tls.connect({
    socket,
    secureContext: trust.secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    // The certificate is checked against `host`; an IP address is not allowed as server name (RFC 6066, section 3).
    host,
    ...(net.isIP(host) === 0 && { servername: host })
  })
}

async function secure(raw: net.Socket, target: Target, order: DialOrder): Promise<Result<net.Socket, DialFailure>> {
  const begun = performance.now()
  const socket = startTls(raw, target.host, order.trust)
  const fault = await waitFor(socket, 'secureConnect', order.stop)
  const report = (result: DialStep['result']): void => order.onStep?.({ step: 'tls', result, took: performance.now() - begun })
  if (!fault) {
    const certificate = socket.getPeerCertificate()
    const issuer = certificate.issuer?.O ?? certificate.issuer?.CN
    report(
      ok({
        code: 'certificate',
        protocol: socket.getProtocol() ?? 'TLS',
        subject: String(certificate.subject?.CN ?? target.host),
        ...(issuer !== undefined && { issuer: String(issuer) }),
        validUntil: certificate.valid_to
      })
    )
    return ok(socket)
  }
  raw.destroy()
  const why = fault.stop
    ? stopped(fault.stop, target.name, order.seconds)
    : { failure: failure('tls-failed', { host: target.name, errno: fault.code }), tryNext: false }
  report(fail(why.failure))
  return fail(why)
}

/** Asks a proxy for a tunnel (RFC 9110, section 9.3.6). The proxy receives only the service's host and port. */
async function openTunnel(
  tcp: net.Socket,
  hop: ProxyHop,
  target: Target,
  order: DialOrder
): Promise<Result<net.Socket, DialFailure>> {
  const proxyName = hostPort(hop.host, hop.port)
  const refused = (why: ProxyReason, tryNext = false): Result<net.Socket, DialFailure> =>
    fail({ failure: failure('proxy-failed', { host: proxyName, ...why }), tryNext })
  let socket = tcp
  if (hop.secure) {
    const secured = startTls(tcp, hop.host, order.trust)
    const fault = await waitFor(secured, 'secureConnect', order.stop)
    if (fault) tcp.destroy()
    if (fault?.stop) return fail(stopped(fault.stop, proxyName, order.seconds))
    if (fault) return refused({ errno: fault.code }, true)
    socket = secured
  }
  const answer = await askTunnel(socket, hop, hostPort(target.host, target.port), order.stop)
  if (answer.ok && answer.value === 200) return ok(socket)
  socket.destroy()
  tcp.destroy()
  if (answer.ok) return refused(answer.value === 407 ? { reason: 'sign-in' } : { reason: 'status', status: answer.value })
  if (answer.failure.stop) return fail(stopped(answer.failure.stop, proxyName, order.seconds))
  return refused({ reason: 'closed' })
}

/** Why a proxy did not open a tunnel. */
type ProxyReason = { readonly errno: string } | { readonly reason: 'sign-in' | 'closed' } | { readonly reason: 'status'; readonly status: number }

/** The status of the proxy's answer to CONNECT. Node's parser limits the size of its header. */
function askTunnel(socket: net.Socket, hop: ProxyHop, authority: string, stop: AbortSignal): Promise<Result<number, SocketFault>> {
  return new Promise((resolve) => {
    const request = http.request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      headers: {
        host: authority,
        connection: 'keep-alive',
        'proxy-connection': 'keep-alive',
        ...(hop.authorization && { 'proxy-authorization': hop.authorization })
      }
    })
    boundHead(request, 'connect')
    const end = (result: Result<number, SocketFault>): void => {
      stop.removeEventListener('abort', onStop)
      resolve(result)
    }
    const onStop = (): void => {
      end(fail({ code: 'STOPPED', stop: stop.reason as StopReason }))
      request.destroy()
    }
    request.on('error', (error) => end(fail(faultOf(error))))
    request.on('close', () => end(fail({ code: 'CLOSED' })))
    request.on('connect', (response, tunnel, head) => {
      tunnel.on('error', () => undefined)
      // A server sends nothing before the TLS client hello, so a tunnel with early bytes cannot be trusted.
      const early = head.length > 0 && (response.statusCode ?? 0) < 300
      const success = (response.statusCode ?? 0) >= 200 && (response.statusCode ?? 0) < 300
      end(early ? fail({ code: 'EARLY' }) : ok(success ? 200 : (response.statusCode ?? 0)))
    })
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    request.end()
  })
}
