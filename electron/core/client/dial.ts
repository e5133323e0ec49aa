/**
 * Opens the connection for a request: TCP, the proxy's tunnel (by CONNECT or SOCKS5), TLS.
 *
 * This finishes before the first byte of a request exists, so any failure here is certainly "not sent": no
 * credential of the service, path or body has been passed to a socket yet.
 */
import net from 'node:net'
import { failure, type Failure } from '#contract/failures/failures.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { acceptsBasic, schemesOf } from './challenges.ts'
import type { DialStep, DialStepBase } from './dial-steps.ts'
import { shakeHands } from './handshake.ts'
import { proxyAddress, type Hop, type ProxyHop, type Route } from './proxy.ts'
import { askSocks } from './socks.ts'
import { waitFor, type SocketFault, type StopReason } from './socket-faults.ts'
import type { Trust } from '#wire/trust.ts'
import { askTunnel, basicValue, signInOf, type BasicSignIn, type TunnelAnswer } from './tunnel.ts'

/** What is stored for signing in to a proxy, by its address; undefined if nothing is. */
export type SignInTo = (proxy: string) => Promise<Result<BasicSignIn | undefined, Failure>>

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
  /** Asked only after a proxy has answered that it requires the Basic scheme, and used for that proxy only. */
  readonly signIn?: SignInTo
  readonly onStep?: (step: DialStep) => void
  /** Application protocols that are offered to the service; HTTP/1.1 by default. */
  readonly protocols?: readonly string[]
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

/** A hop of the attempt; `silent` if its steps were reported before. */
interface Leg extends DialOrder {
  readonly target: Target
  readonly proxy?: ProxyHop
  readonly silent?: true
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
 * `tls-failed`, `proxy-failed`, `keychain-*` or `cancelled-before-sending`.
 */
export async function dial(order: DialOrder): Promise<Result<net.Socket, Failure>> {
  let last: Failure | undefined
  const target = targetOf(order.origin)
  for (const hop of order.route.hops) {
    const attempt = await dialBy(hop, { ...order, target })
    if (attempt.ok) return attempt
    last = attempt.failure.failure
    if (!attempt.failure.tryNext || order.stop.aborted) break
  }
  return fail(last ?? failure('internal', { reason: 'no-route' }))
}

async function dialBy(hop: Hop, direct: Leg): Promise<Result<net.Socket, DialFailure>> {
  const leg: Leg = hop.kind === 'proxy' ? { ...direct, proxy: hop } : direct
  const reached = await reach(leg)
  if (!reached.ok) return reached
  const socket = leg.proxy ? await openTunnel(reached.value, leg.proxy, leg) : reached
  if (!socket.ok) return socket
  return leg.target.secure ? secure(socket.value, leg) : socket
}

function report({ onStep, silent }: Leg, step: DialStep): void {
  if (!silent) onStep?.(step)
}

function baseOf({ proxy }: Leg, begun: number, why?: DialFailure, fault?: SocketFault): DialStepBase {
  return {
    took: performance.now() - begun,
    ...(proxy && { proxy: hostPort(proxy.host, proxy.port) }),
    ...(why && { failure: why.failure }),
    ...(fault && { fault })
  }
}

/** The failure of an abort: cancelled by the user, or the connect timeout. */
function stopped(reason: StopReason, host: string, seconds: number): DialFailure {
  return {
    failure:
      reason === 'cancelled' ? failure('cancelled-before-sending') : failure('connect-timeout', { host, seconds }),
    tryNext: false
  }
}

/** A connection to the service, or to the proxy of this leg, over TLS if the proxy is reached that way. */
async function reach(leg: Leg): Promise<Result<net.Socket, DialFailure>> {
  const { proxy, target } = leg
  const tcp = await openTcp(proxy ?? target, leg)
  if (!tcp.ok || !proxy?.secure) return tcp
  const begun = performance.now()
  const { socket, handshake, fault } = await shakeHands(tcp.value, proxy.host, leg.trust, leg.stop)
  const name = hostPort(proxy.host, proxy.port)
  const why =
    fault &&
    (fault.stop
      ? stopped(fault.stop, name, leg.seconds)
      : { failure: failure('proxy-failed', { host: name, errno: fault.code }), tryNext: true })
  report(leg, {
    step: 'proxy-tls',
    host: proxy.host,
    ...(handshake && { handshake }),
    ...baseOf(leg, begun, why, fault)
  })
  if (!why) return ok(socket)
  tcp.value.destroy()
  return fail(why)
}

async function openTcp(
  to: { readonly host: string; readonly port: number },
  leg: Leg
): Promise<Result<net.Socket, DialFailure>> {
  const isProxy = leg.proxy !== undefined
  const begun = performance.now()
  let named = begun
  const addresses: string[] = []
  const attempts: { address: string; error: string }[] = []
  const socket = net.connect({
    host: to.host,
    port: to.port,
    noDelay: true,
    ...(!isProxy && leg.lookup && { lookup: leg.lookup })
  })
  socket.on('lookup', (_error, address) => {
    if (!address) return
    if (addresses.length === 0) named = performance.now()
    addresses.push(address)
  })
  socket.on('connectionAttemptFailed', (address, port, _family, error) =>
    attempts.push({ address: hostPort(address, port), error: (error as NodeJS.ErrnoException).code ?? 'unknown' })
  )
  const fault = await waitFor(socket, 'connect', leg.stop)
  const nameFailed =
    fault?.syscall === 'getaddrinfo' || (fault?.stop !== undefined && addresses.length === 0 && net.isIP(to.host) === 0)
  const why =
    fault &&
    attemptFailure(fault, {
      nameFailed,
      isProxy,
      host: to.host,
      name: hostPort(to.host, to.port),
      seconds: leg.seconds
    })
  const name = { step: 'name', host: to.host, addresses: [...new Set(addresses)] } as const
  if (nameFailed) report(leg, { ...name, ...baseOf(leg, begun, why, fault) })
  else {
    report(leg, { ...name, ...baseOf(leg, begun), took: named - begun })
    const address = fault ? {} : { address: hostPort(socket.remoteAddress ?? to.host, to.port) }
    report(leg, { step: 'connect', attempts, ...address, ...baseOf(leg, named, why, fault) })
  }
  return why ? fail(why) : ok(socket)
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
    const why = nameFailed
      ? ({ reason: 'name-not-found' } as const)
      : ({ reason: 'unreachable', socketError: fault.code } as const)
    return { failure: failure('proxy-failed', { host: name, ...why }), tryNext: true }
  }
  return {
    failure: nameFailed ? failure('name-not-found', { host }) : failure('connection-refused', { host: name }),
    tryNext: true
  }
}

async function secure(raw: net.Socket, leg: Leg): Promise<Result<net.Socket, DialFailure>> {
  const { target, trust, stop, seconds, protocols } = leg
  const begun = performance.now()
  const { socket, handshake, fault } = await shakeHands(raw, target.host, trust, stop, protocols)
  const why =
    fault &&
    (fault.stop
      ? stopped(fault.stop, target.name, seconds)
      : { failure: failure('tls-failed', { host: target.name, errno: fault.code }), tryNext: false })
  report(leg, { step: 'tls', host: target.host, ...(handshake && { handshake }), ...baseOf(leg, begun, why, fault) })
  if (!why) return ok(socket)
  raw.destroy()
  return fail(why)
}

/** One CONNECT, of HTTP or of SOCKS5, and why it did not open the tunnel. */
interface Asked {
  readonly answer?: TunnelAnswer
  readonly fault?: SocketFault
  readonly why?: DialFailure
}

async function ask(socket: net.Socket, authorization: string | undefined, leg: Leg, proxyName: string): Promise<Asked> {
  const { host, port } = leg.target
  const asked = leg.proxy?.socks
    ? await askSocks(socket, {
        ...leg,
        host,
        port,
        signIn: authorization === undefined ? undefined : signInOf(authorization)
      })
    : await askTunnel(socket, hostPort(host, port), authorization, leg.stop)
  const refused = (why: ProxyReason): DialFailure => ({
    failure: failure('proxy-failed', { host: proxyName, ...why }),
    tryNext: false
  })
  if (!asked.ok)
    return {
      fault: asked.failure,
      why: asked.failure.stop ? stopped(asked.failure.stop, proxyName, leg.seconds) : refused({ reason: 'closed' })
    }
  const answer = asked.value
  if (answer.status === 200) return { answer }
  return {
    answer,
    why: refused(
      answer.status === 407
        ? signInReason(answer, authorization !== undefined)
        : { reason: 'status', answer: answer.reply ?? String(answer.status) }
    )
  }
}

/** Why a proxy did not open a tunnel. */
type ProxyReason =
  | { readonly reason: 'sign-in' | 'password' | 'closed' }
  | { readonly reason: 'scheme'; readonly schemes: string }
  | { readonly reason: 'status'; readonly answer: string }

function signInReason({ challenges }: TunnelAnswer, signedIn: boolean): ProxyReason {
  if (challenges.length > 0 && !acceptsBasic(challenges))
    return { reason: 'scheme', schemes: schemesOf(challenges).join(', ') }
  return { reason: signedIn ? 'password' : 'sign-in' }
}

/**
 * Asks the proxy for a tunnel. If it requires a user name and a password, asks a second time on a new connection with those that
 * are stored for it, once: a repeated wrong password locks accounts.
 */
async function openTunnel(socket: net.Socket, proxy: ProxyHop, leg: Leg): Promise<Result<net.Socket, DialFailure>> {
  const name = hostPort(proxy.host, proxy.port)
  let begun = performance.now()
  const first = await ask(socket, proxy.authorization, leg, name)
  const needsBasic = first.answer?.status === 407 && acceptsBasic(first.answer.challenges)
  const stored = needsBasic && leg.signIn ? await leg.signIn(proxyAddress(proxy)) : ok(undefined)
  const retried = stored.ok && stored.value !== undefined
  const why = stored.ok ? first.why : { failure: stored.failure, tryNext: false }
  const given = proxy.authorization !== undefined
  report(leg, {
    step: 'tunnel',
    given: given ? 'environment' : 'none',
    ...(first.answer && { answer: first.answer }),
    // That it asks is not a failure if it can be answered.
    ...baseOf(leg, begun, retried ? undefined : why, first.fault)
  })
  if (!why) return ok(socket)
  socket.destroy()
  if (!retried) return fail(why)
  begun = performance.now()
  const again = await reach({ ...leg, silent: true })
  if (!again.ok) {
    report(leg, { step: 'sign-in', ...baseOf(leg, begun, again.failure) })
    return again
  }
  const second = await ask(again.value, basicValue(stored.value as BasicSignIn), leg, name)
  report(leg, {
    step: 'sign-in',
    ...(second.answer && { answer: second.answer }),
    ...baseOf(leg, begun, second.why, second.fault)
  })
  if (!second.why) return ok(again.value)
  again.value.destroy()
  return fail(second.why)
}
