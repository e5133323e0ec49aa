/** The only module that calls axios. It passes on no AxiosError, because that contains the secret headers. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import axios, { type AxiosResponse } from 'axios'
import { fail, ok, type Result } from '#contract/failures/result.ts'
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

/**
 * What axios takes for the path of a local socket. It then looks for no proxy and adds no function to each request's
 * options; with `proxy: false` it adds one, and V8 keeps all that belongs to the request until the next full garbage
 * collection (`docs/decisions/0006-how-a-batch-runs.md`).
 */
const namedSocket = 'the line'

/** Of a response; servers and gateways that sign or trace write more than the 16 KiB that Node takes by itself. */
export const maxHeaderBytes = 64 * 1024

/**
 * Node's request, on the line that was dialled, with two cases that axios does not handle: a response header that never
 * ends, and a connection that closes without a response.
 */
function request(url: string, options: RequestOptions, onReply: (reply: IncomingMessage) => void): ClientRequest {
  const { hostname, port } = urlToHttpOptions(new URL(url))
  delete options.socketPath
  const made = (options.protocol === 'https:' ? https : http).request(
    Object.assign(options, { hostname, port, maxHeaderSize: maxHeaderBytes })
  )
  boundHead(made, 'response')
  // A response that switches protocols ends a request without a `response` event and without an error.
  const unanswered = (): void =>
    void made.emit('error', Object.assign(new Error('closed without a reply'), { code: 'ECONNRESET' }))
  made.on('close', unanswered)
  made.on('response', (reply) => {
    // The request also closes after a normal response; this avoids building an error's stack trace that nobody reads.
    made.off('close', unanswered)
    onReply(reply)
  })
  return made
}

// Everything that axios would do beyond one request is off: redirects, timeouts, decompression; and proxies, by the
// named socket.
const client = axios.create({
  adapter: 'http',
  method: 'post',
  responseType: 'stream',
  maxRedirects: 0,
  socketPath: namedSocket,
  decompress: false,
  validateStatus: () => true,
  // Unchanged: axios would parse and rewrite anything that looks like JSON.
  transformRequest: (data: string) => data,
  transformResponse: (data: unknown) => data
})

/**
 * Posts once on the given line and resolves when the response header has arrived; the body is still to be read. After
 * a failure bytes may have been sent, unless the line is `outdated`.
 */
export async function postOnce({
  url,
  headers,
  body,
  line,
  stop
}: Post): Promise<Result<IncomingMessage, SocketFault>> {
  try {
    const response: AxiosResponse<IncomingMessage> = await client.request({
      url,
      headers: { ...headers },
      data: body,
      signal: stop,
      transport: {
        request: (options: RequestOptions, onReply: (reply: IncomingMessage) => void) => request(url, options, onReply)
      },
      // The line's own connection, for either scheme.
      httpAgent: line.agent,
      httpsAgent: line.agent
    })
    return ok(response.data)
  } catch (error) {
    return fail(faultOf(error))
  }
}
