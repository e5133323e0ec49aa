/** The one place that calls axios. No AxiosError leaves: it carries the secret headers. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import axios, { type AxiosResponse } from 'axios'
import { fail, ok, type Result } from '#contract/result.ts'
import { boundHead } from './head.ts'
import type { Line } from './line.ts'
import { faultOf, type SocketFault } from './socket-faults.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly line: Line
  readonly stop: AbortSignal
}

/** Node's own request, with what axios leaves open: a reply whose head never ends, and a connection that closes without a reply. */
function request(options: RequestOptions, onReply: (reply: IncomingMessage) => void): ClientRequest {
  const made = (options.protocol === 'https:' ? https : http).request(options)
  boundHead(made, 'response')
  // A reply that switches the protocol ends a request without a response, and without an error.
  const unanswered = (): void => void made.emit('error', Object.assign(new Error('closed without a reply'), { code: 'ECONNRESET' }))
  made.on('close', unanswered)
  made.on('response', (reply) => {
    // Each reply's request closes, too: the stack of an error that nobody reads is not made for it.
    made.off('close', unanswered)
    onReply(reply)
  })
  return made
}

// What axios would do beyond one request stays off: redirects, proxies from the environment, deadlines, decompression.
const client = axios.create({
  adapter: 'http',
  transport: { request },
  method: 'post',
  responseType: 'stream',
  maxRedirects: 0,
  proxy: false,
  decompress: false,
  validateStatus: () => true,
  // As given: axios would parse and rewrite what looks like JSON.
  transformRequest: (data: string) => data,
  transformResponse: (data: unknown) => data
})

/**
 * Posts once, on the given line, and resolves when the reply's head is there; its body is still to
 * be read. After a failure a byte may have left, unless the line says that it was outdated.
 */
export async function postOnce({ url, headers, body, line, stop }: Post): Promise<Result<IncomingMessage, SocketFault>> {
  try {
    const response: AxiosResponse<IncomingMessage> = await client.request({
      url, headers: { ...headers }, data: body, signal: stop,
      // The line's own connection, whatever the scheme.
      httpAgent: line.agent, httpsAgent: line.agent
    })
    return ok(response.data)
  } catch (error) {
    return fail(faultOf(error))
  }
}
