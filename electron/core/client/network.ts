/** Applies the current settings to a host: the proxy route and the trusted certificates. */
import type { Failure } from '#contract/failures/failures.ts'
import type { ReachabilityReport } from '#contract/connections/connection.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { SignInTo } from './dial.ts'
import { decideRoute, type Route, type RouteDecision } from './proxy.ts'
import { createTrustStore, type Trust } from '#wire/trust.ts'
import type { HostPorts } from '#core/ports/host.ts'
import type { Clock } from '#kit/clock.ts'

/** How to reach an origin. */
export interface Way {
  readonly route: Route
  readonly trust: Trust
  readonly signIn?: SignInTo
}

export interface Network {
  /** Route and trust for an origin. Failures: `proxy-failed`, `ca-file-unusable`; then nothing may be sent. */
  to(origin: string): Promise<Result<Way, Failure>>
  /** The route to an origin, and what decided it. */
  decide(origin: string): Promise<RouteDecision>
  /** The trusted certificates. Failure: `ca-file-unusable`. */
  trust(): Promise<Result<Trust, Failure>>
  /** What is stored for signing in to a proxy. */
  readonly signIn?: SignInTo
  /** Tests DNS lookup, connection and TLS of an origin and reports each step; sends no request. */
  reach(origin: string): Promise<Result<ReachabilityReport, Failure>>
}

/** What core needs to send something by itself: to a feed of updates, or to a collector. */
export interface OutgoingParts {
  readonly settings: () => Settings
  readonly sendingRefusal: () => Failure | undefined
  readonly network: Pick<Network, 'to'>
  readonly clock: Clock
  readonly folder: string
  /** The installed version. */
  readonly version: string
}

export function createNetwork(
  host: Pick<HostPorts, 'resolveSystemProxy' | 'clock'>,
  settings: () => Settings,
  signIn?: SignInTo
): Network {
  const store = createTrustStore()
  const decide: Network['decide'] = (origin) =>
    decideRoute({ origin, settings: settings(), resolveSystemProxy: (url) => host.resolveSystemProxy(url) })
  const trust: Network['trust'] = () => store.trust(settings().extraCaFile)
  const to: Network['to'] = async (origin) => {
    const { route } = await decide(origin)
    if (!route.ok) return route
    const trusted = await trust()
    return trusted.ok ? ok({ route: route.value, trust: trusted.value, ...(signIn && { signIn }) }) : trusted
  }
  return {
    to,
    decide,
    trust,
    ...(signIn && { signIn }),
    async reach(origin) {
      const way = await to(origin)
      if (!way.ok) return way
      const { connectTimeout } = settings()
      const { checkReachability } = await import('./reachability.ts')
      return ok(await checkReachability({ origin, ...way.value, connectTimeout, clock: host.clock }))
    }
  }
}
