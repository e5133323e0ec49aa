/** The one place that calls axios. No AxiosError leaves: it carries the secret headers. */
import type { IncomingMessage } from 'node:http'
import axios, { type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { fail, ok, type Result } from '#contract/result.ts'
import type { Line } from './line.ts'
import { faultOf, type SocketFault } from './socket-faults.ts'
import * as wire from './wire.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly line: Line
  readonly stop: AbortSignal
}

/**
 * The way to the wire, in place of axios' own adapter for Node. What that one does beyond a request (redirects,
 * proxies from the environment, deadlines, decompression) must not happen here; switched off, it still took more
 * than half of a request's processor time (docs/decisions/0006-how-a-batch-runs.md).
 */
async function adapter(config: InternalAxiosRequestConfig<string>): Promise<AxiosResponse<IncomingMessage>> {
  const { url = '', data: body = '', httpAgent: agent, signal } = config
  const reply = await wire.post({ url, body, agent: agent as Line['agent'], stop: signal as AbortSignal, headers: config.headers.toJSON() as Record<string, string> })
  return { data: reply, status: reply.statusCode ?? 0, statusText: reply.statusMessage ?? '', headers: {}, config }
}

const client = axios.create({
  adapter,
  method: 'post',
  validateStatus: () => true,
  // As given: axios would parse and rewrite what looks like JSON.
  transformRequest: (data: string) => data,
  transformResponse: (data: unknown) => data
})

/**
 * Posts once, on the given line, and resolves when the reply's head is there; its body is still to
 * be read. After a failure a byte may have left, unless the line says that it was outdated.
 */
export async function postOnce(post: Post): Promise<Result<IncomingMessage, SocketFault>> {
  try {
    const response: AxiosResponse<IncomingMessage> = await client.request({
      url: post.url,
      headers: { ...post.headers },
      data: post.body,
      // The line's own connection, whatever the scheme.
      httpAgent: post.line.agent,
      signal: post.stop
    })
    return ok(response.data)
  } catch (error) {
    return fail(faultOf(error))
  }
}
