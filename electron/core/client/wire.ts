/** One HTTP request on a connection that was dialled before, and nothing that a request does not need. */
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { boundHead } from './head.ts'

export interface WireRequest {
  readonly url: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: string
  /** Holds the connection; nothing connects here by itself. */
  readonly agent: http.Agent
  readonly stop: AbortSignal
}

/**
 * Posts, and resolves when the reply's head is there, its body unread. Rejects with Node's error where the
 * connection failed or was stopped. Follows no redirect, obeys no proxy, ends at no deadline of its own.
 */
export function post({ url, headers, body, agent, stop }: WireRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const address = new URL(url)
    const request = (address.protocol === 'https:' ? https : http).request(address, {
      method: 'POST',
      agent,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal: stop
    })
    boundHead(request, 'response')
    // A reply that switches the protocol ends a request without a response, and without an error.
    const unanswered = (): void => reject(Object.assign(new Error('closed without a reply'), { code: 'ECONNRESET' }))
    request.on('close', unanswered)
    request.on('response', (reply) => {
      // Each reply's request closes, too: the stack of an error that nobody reads is not made for it.
      request.off('close', unanswered)
      resolve(reply)
    })
    // Stays for good: an error after the reply's head must find a listener; it is the body's reader that tells of it.
    request.on('error', reject)
    request.end(body)
  })
}
