/**
 * Fetches a notice: one GET that is the same for everybody, without credentials, cookies or a version, within limits of time
 * and size. A redirect is followed only at the same scheme, host and port.
 */
import type { IncomingMessage } from 'node:http'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { maxReleaseBytes } from '#contract/updates/releases.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { dial } from '#core/client/dial.ts'
import { exchange, isCompressed, locationOf, smallBody } from '#core/client/exchange.ts'
import type { Network } from '#core/client/network.ts'
import type { Route } from '#core/client/proxy.ts'

export interface NoticeOrder {
  readonly url: string
  readonly network: Pick<Network, 'to'>
  /** Seconds for everything. */
  readonly seconds: number
  /** Ends it before. */
  readonly stop: AbortSignal
}

const maxRedirects = 3

/** What one address answered: the notice, or where it is. */
type Step = { readonly bytes: Uint8Array } | { readonly to: URL }

/** The bytes that a feed serves. Failures: `update-not-fetched`, `update-redirected`, `update-too-large`, those of settings. */
export async function fetchNotice(order: NoticeOrder): Promise<Result<Uint8Array, Failure>> {
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort('connect-timeout'), order.seconds * 1000)
  const stop = AbortSignal.any([ending.signal, order.stop])
  try {
    let url = new URL(order.url)
    for (let redirects = 0; ; redirects += 1) {
      const step = await get(url, { ...order, stop })
      if (!step.ok) return step
      if ('bytes' in step.value) return ok(step.value.bytes)
      const { to } = step.value
      // One that never ends is no better than one to another host.
      if (to.origin !== url.origin || to.username !== '' || to.password !== '' || redirects === maxRedirects)
        return failed('update-redirected', { host: url.host, target: to.host.slice(0, 200) || to.protocol })
      url = to
    }
  } finally {
    clearTimeout(timer)
  }
}

async function get(url: URL, { network, stop, seconds }: NoticeOrder): Promise<Result<Step, Failure>> {
  const { origin, host } = url
  const way = await network.to(origin)
  if (!way.ok) return way
  const line = await dial({ origin, ...way.value, stop, seconds })
  if (!line.ok)
    return stop.aborted && !isOfProxy(line.failure, way.value.route)
      ? failed('update-not-fetched', { host, reason: 'silence', seconds })
      : failed('update-not-fetched', { host, cause: line.failure })
  return exchange<Result<Step, Failure>>(line.value, {
    method: 'GET',
    path: `${url.pathname}${url.search}`,
    stop,
    headers: { 'host': host, 'accept': '*/*', 'accept-encoding': 'identity', 'user-agent': 'Veridesk' },
    read: (reply) => stepOf(reply, url),
    fault(fault) {
      if (fault.why === 'stopped') return failed('update-not-fetched', { host, reason: 'silence', seconds })
      return fault.why === 'lost'
        ? failed('update-not-fetched', { host, reason: 'lost' })
        : failed('update-not-fetched', { host, errno: fault.errno })
    }
  })
}

/** Whether it was a proxy that did not answer in time: the feed was not reached, and is not to blame. */
function isOfProxy({ code, details }: Failure, { hops }: Route): boolean {
  const name = String(details?.host)
  return (
    code === 'connect-timeout' &&
    hops.some((hop) => hop.kind === 'proxy' && [`${hop.host}:${hop.port}`, `[${hop.host}]:${hop.port}`].includes(name))
  )
}

async function stepOf(reply: IncomingMessage, url: URL): Promise<Result<Step, Failure>> {
  const { host } = url
  const status = reply.statusCode ?? 0
  const location = locationOf(reply) ?? ''
  if ([301, 302, 303, 307, 308].includes(status) && URL.canParse(location, url.href))
    return ok({ to: new URL(location, url) })
  if (status !== 200) return failed('update-not-fetched', { host, reason: 'status', status })
  if (isCompressed(reply)) return failed('update-not-fetched', { host, reason: 'compressed' })
  const body = await smallBody(reply, maxReleaseBytes)
  if (body === 'too-large') return failed('update-too-large', { limitBytes: maxReleaseBytes })
  return body === 'lost' ? failed('update-not-fetched', { host, reason: 'lost' }) : ok({ bytes: body })
}
