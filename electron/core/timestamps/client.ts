/**
 * Asks a time-stamp authority once: one POST over a connection of its own, without credentials, cookies or redirects,
 * with a time limit and a limit on the size of the answer.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { dial } from '#core/client/dial.ts'
import { exchange, isCompressed, smallBody } from '#core/client/exchange.ts'
import type { Network } from '#core/client/network.ts'
import { maxTokenBytes } from './token.ts'

export interface AuthorityOrder {
  readonly url: string
  readonly query: Uint8Array
  readonly network: Pick<Network, 'to'>
  /** Seconds for everything. */
  readonly seconds: number
}

/** Returns the bytes of the answer; they are not verified. Failures: `timestamp-not-answered`, and the connection's. */
export async function askAuthority({
  url,
  query,
  network,
  seconds
}: AuthorityOrder): Promise<Result<Uint8Array, Failure>> {
  const { origin, host, pathname, search } = new URL(url)
  const way = await network.to(origin)
  if (!way.ok) return way
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort('connect-timeout'), seconds * 1000)
  try {
    const line = await dial({ origin, ...way.value, stop: stop.signal, seconds })
    return line.ok
      ? await post(line.value, { host, path: `${pathname}${search}`, query, stop: stop.signal, seconds })
      : line
  } finally {
    clearTimeout(timer)
  }
}

interface Post {
  readonly host: string
  readonly path: string
  readonly query: Uint8Array
  readonly stop: AbortSignal
  readonly seconds: number
}

const post = (socket: Socket, { host, path, query, stop, seconds }: Post): Promise<Result<Uint8Array, Failure>> =>
  exchange(socket, {
    method: 'POST',
    path,
    body: query,
    stop,
    headers: {
      'host': host,
      'content-type': 'application/timestamp-query',
      'content-length': query.length,
      'accept': 'application/timestamp-reply',
      'user-agent': 'Veridesk'
    },
    read: (reply) => readReply(reply, host),
    fault(fault) {
      if (fault.why === 'stopped') return failed('timestamp-not-answered', { host, reason: 'silence', seconds })
      return fault.why === 'lost'
        ? failed('timestamp-not-answered', { host, reason: 'lost' })
        : failed('timestamp-not-answered', { host, errno: fault.errno })
    }
  })

async function readReply(reply: IncomingMessage, host: string): Promise<Result<Uint8Array, Failure>> {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) return failed('timestamp-not-answered', { host, reason: 'redirect' })
  if (status !== 200) return failed('timestamp-not-answered', { host, reason: 'status', status })
  if (isCompressed(reply)) return failed('timestamp-not-answered', { host, reason: 'compressed' })
  const body = await smallBody(reply, maxTokenBytes)
  if (body === 'too-large')
    return failed('timestamp-not-answered', { host, reason: 'too-large', limitBytes: maxTokenBytes })
  return body === 'lost' ? failed('timestamp-not-answered', { host, reason: 'lost' }) : ok(body)
}
