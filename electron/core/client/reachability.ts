/**
 * Tests whether a connection's address can be reached: DNS, TCP (and proxy), TLS. Sends no request and no
 * credentials of the service.
 */
import {
  baseUrlFault,
  type ReachabilityFinding,
  type ReachabilityReport,
  type ReachabilityStep
} from '#contract/connections/connection.ts'
import type { Clock } from '#kit/clock.ts'
import { dial, type SignInTo } from './dial.ts'
import type { DialStep } from './dial-steps.ts'
import type { Route } from './proxy.ts'
import type { Trust } from '#wire/trust.ts'

export interface ReachabilityOrder {
  readonly origin: string
  readonly route: Route
  readonly trust: Trust
  readonly signIn?: SignInTo
  /** Seconds. */
  readonly connectTimeout: number
  readonly clock: Clock
}

const order = ['name', 'connect', 'tls'] as const

/** What a passed step found; undefined for those of a proxy, which count as part of connecting. */
function foundBy(step: DialStep): ReachabilityFinding | undefined {
  const proxy = step.proxy === undefined ? {} : { proxy: step.proxy }
  if (step.step === 'name') return { code: 'addresses', host: step.host, addresses: step.addresses, ...proxy }
  if (step.step === 'connect') return { code: 'connected', address: step.address ?? '', ...proxy }
  if (step.step !== 'tls') return undefined
  const [certificate] = step.handshake?.chain ?? []
  return {
    code: 'certificate',
    protocol: step.handshake?.protocol ?? 'TLS',
    subject: certificate?.subject || step.host,
    ...(certificate?.issuer && { issuer: certificate.issuer }),
    validUntil: certificate?.validTo ?? ''
  }
}

/**
 * Takes the same steps as a verification does before it sends, then closes the connection. Reports each step with its
 * milliseconds, and the failure of the last failed one. Resolves within the timeout.
 */
export async function checkReachability(asked: ReachabilityOrder): Promise<ReachabilityReport> {
  const { origin, route, trust, signIn, connectTimeout, clock } = asked
  const fault = baseUrlFault(origin)
  const steps = new Map<ReachabilityStep['step'], ReachabilityStep>()
  if (fault) return { reachable: false, steps: order.map((step) => ({ step, state: 'skipped', fault, took: 0 })) }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort('connect-timeout'), connectTimeout * 1000)
  const begun = clock.monotonic()
  const socket = await dial({
    origin,
    route,
    trust,
    ...(signIn && { signIn }),
    stop: controller.signal,
    seconds: connectTimeout,
    onStep(found) {
      const { failure } = found
      const name = order.find((step) => step === found.step)
      if (!name) return
      const passed = foundBy(found)
      // A later hop of the route overwrites an earlier one: the report shows the last one tried.
      steps.set(name, {
        step: name,
        took: Math.round(found.took),
        ...(failure ? { state: 'failed', failure } : { state: 'passed', ...(passed && { found: passed }) })
      })
    }
  })
  clearTimeout(timer)
  if (socket.ok) socket.value.destroy()
  else if (![...steps.values()].some(({ state }) => state === 'failed')) {
    // The proxy was reached but refused or did not answer; this counts as part of connecting.
    steps.set('connect', {
      step: 'connect',
      state: 'failed',
      failure: socket.failure,
      took: Math.round(clock.monotonic() - begun)
    })
  }
  return { reachable: socket.ok, steps: order.map((step) => steps.get(step) ?? skipped(step, origin)) }
}

function skipped(step: ReachabilityStep['step'], origin: string): ReachabilityStep {
  const plain = step === 'tls' && origin.startsWith('http:')
  return { step, state: 'skipped', found: { code: plain ? 'not-needed' : 'not-tried' }, took: 0 }
}
