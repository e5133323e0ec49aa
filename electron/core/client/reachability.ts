/**
 * Tests whether a connection's address can be reached: DNS, TCP (and proxy), TLS. Sends no request and no
 * credentials.
 */
import { baseUrlFault, type ReachabilityReport, type ReachabilityStep } from '#contract/connection.ts'
import type { Clock } from '#core/ports/clock.ts'
import { dial } from './dial.ts'
import type { Route } from './proxy.ts'
import type { Trust } from './trust.ts'

export interface ReachabilityOrder {
  readonly origin: string
  readonly route: Route
  readonly trust: Trust
  /** Seconds. */
  readonly connectTimeout: number
  readonly clock: Clock
}

const order = ['name', 'connect', 'tls'] as const

/**
 * Takes the same steps as a verification does before it sends, then closes the connection. Reports each step with its
 * milliseconds, and the failure of the last failed one. Resolves within the timeout.
 */
export async function checkReachability(asked: ReachabilityOrder): Promise<ReachabilityReport> {
  const fault = baseUrlFault(asked.origin)
  const steps = new Map<ReachabilityStep['step'], ReachabilityStep>()
  if (fault) return { reachable: false, steps: order.map((step) => ({ step, state: 'skipped', fault, took: 0 })) }
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort('connect-timeout'), asked.connectTimeout * 1000)
  const begun = asked.clock.monotonic()
  const socket = await dial({
    origin: asked.origin,
    route: asked.route,
    trust: asked.trust,
    stop: controller.signal,
    seconds: asked.connectTimeout,
    onStep({ step, result, took }) {
      // A later hop of the route overwrites an earlier one: the report shows the last one tried.
      steps.set(step, { step, took: Math.round(took), ...(result.ok ? { state: 'passed', found: result.value } : { state: 'failed', failure: result.failure }) })
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
      took: Math.round(asked.clock.monotonic() - begun)
    })
  }
  return { reachable: socket.ok, steps: order.map((step) => steps.get(step) ?? skipped(step, asked.origin)) }
}

function skipped(step: ReachabilityStep['step'], origin: string): ReachabilityStep {
  const plain = step === 'tls' && origin.startsWith('http:')
  return { step, state: 'skipped', found: { code: plain ? 'not-needed' : 'not-tried' }, took: 0 }
}
