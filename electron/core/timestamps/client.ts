/**
 * Asks a time-stamp authority once: one POST over a connection of its own, without credentials, cookies or redirects,
 * with a time limit and a limit on the size of the answer.
 */
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { failure, failed, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { dial } from '#core/client/dial.ts'
import { boundHead } from '#core/client/head.ts'
import type { Network } from '#core/client/network.ts'
import { faultOf } from '#core/client/socket-faults.ts'
import { maxTokenBytes } from './token.ts'

export interface AuthorityOrder {
  readonly url: string
  readonly query: Uint8Array
  readonly network: Pick<Network, 'to'>
  /** Seconds for everything. */
  readonly seconds: number
}

/** Returns the bytes of the answer; they are not verified. Failures: `timestamp-not-answered`, and the connection's. */
export async function askAuthority({ url, query, network, seconds }: AuthorityOrder): Promise<Result<Uint8Array, Failure>> {
  const { origin, host, pathname, search } = new URL(url)
  const way = await network.to(origin)
  if (!way.ok) return way
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort('connect-timeout'), seconds * 1000)
  try {
    const line = await dial({ origin, ...way.value, stop: stop.signal, seconds })
    return line.ok ? await post(line.value, { host, path: `${pathname}${search}`, query, stop: stop.signal, seconds }) : line
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

function post(socket: Socket, { host, path, query, stop, seconds }: Post): Promise<Result<Uint8Array, Failure>> {
  return new Promise((resolve) => {
    const end = (result: Result<Uint8Array, Failure>): void => {
      stop.removeEventListener('abort', onStop)
      socket.destroy()
      resolve(result)
    }
    const onStop = (): void => end(failed('timestamp-not-answered', { host, reason: 'silence', seconds }))
    const onError = (error: unknown): void => end({ ok: false, failure: faultFailure(host, faultOf(error).code) })
    const request = http.request({
      method: 'POST',
      path,
      createConnection: () => socket,
      headers: { 'host': host, 'content-type': 'application/timestamp-query', 'content-length': query.length, 'accept': 'application/timestamp-reply', 'user-agent': 'Veridesk', 'connection': 'close' }
    })
    boundHead(request, 'response')
    request.on('error', onError)
    // A response that switches protocols, or none at all, ends the request without an error.
    request.on('close', () => end(failed('timestamp-not-answered', { host, reason: 'lost' })))
    request.on('response', (reply) => {
      request.removeAllListeners('close')
      void readReply(reply, host).then(end, onError)
    })
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    request.end(query)
  })
}

const faultFailure = (host: string, errno: string): Failure =>
  errno === 'ECONNRESET' || errno === 'EPIPE' ? failure('timestamp-not-answered', { host, reason: 'lost' }) : failure('timestamp-not-answered', { host, errno })

async function readReply(reply: IncomingMessage, host: string): Promise<Result<Uint8Array, Failure>> {
  const status = reply.statusCode ?? 0
  if (status >= 300 && status < 400) return failed('timestamp-not-answered', { host, reason: 'redirect' })
  if (status !== 200) return failed('timestamp-not-answered', { host, reason: 'status', status })
  if (!['', 'identity'].includes((reply.headers['content-encoding'] ?? '').trim().toLowerCase())) return failed('timestamp-not-answered', { host, reason: 'compressed' })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of reply as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > maxTokenBytes) return failed('timestamp-not-answered', { host, reason: 'too-large', limitBytes: maxTokenBytes })
    parts.push(part)
  }
  return reply.complete ? ok(Buffer.concat(parts)) : failed('timestamp-not-answered', { host, reason: 'lost' })
}
