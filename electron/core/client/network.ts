/** Applies the current settings to a host: the proxy route and the trusted certificates. */
import type { Failure } from '#contract/failures.ts'
import type { ReachabilityReport } from '#contract/connection.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Settings } from '#contract/settings.ts'
import { resolveRoute, type Route } from './proxy.ts'
import { createTrustStore, type Trust } from './trust.ts'
import type { HostPorts } from '#core/ports/host.ts'

export interface Network {
  /** Route and trust for an origin. Failures: `proxy-failed`, `ca-file-unusable`; then nothing may be sent. */
  to(origin: string): Promise<Result<{ readonly route: Route; readonly trust: Trust }, Failure>>
  /** Tests DNS lookup, connection and TLS of an origin and reports each step; sends no request. */
  reach(origin: string): Promise<Result<ReachabilityReport, Failure>>
}

export function createNetwork(host: Pick<HostPorts, 'resolveSystemProxy' | 'clock'>, settings: () => Settings): Network {
  const store = createTrustStore()
  const to: Network['to'] = async (origin) => {
    const { resolveSystemProxy } = host
    const route = await resolveRoute({ origin, settings: settings(), resolveSystemProxy: (url) => resolveSystemProxy(url) })
    if (!route.ok) return route
    const trust = await store.trust(settings().extraCaFile)
    return trust.ok ? ok({ route: route.value, trust: trust.value }) : trust
  }
  return {
    to,
    async reach(origin) {
      const way = await to(origin)
      if (!way.ok) return way
      const { connectTimeout } = settings()
      const { checkReachability } = await import('./reachability.ts')
      return ok(await checkReachability({ origin, ...way.value, connectTimeout, clock: host.clock }))
    }
  }
}
