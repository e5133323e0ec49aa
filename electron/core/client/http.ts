/**
 * The one place that calls axios. Everything that axios does by itself and must not do here is
 * switched off, and no AxiosError leaves: it carries the secret headers.
 */
import type { IncomingMessage } from 'node:http'
import axios, { type AxiosResponse } from 'axios'
import { fail, ok, type Result } from '#contract/result.ts'
import type { Line } from './line.ts'
import { faultOf, type SocketFault } from './socket-faults.ts'

export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly line: Line
  readonly stop: AbortSignal
}

/** Far above any body that the table's fields allow. */
const maxBodyLength = 1024 * 1024

/**
 * Posts once, on the given line, and resolves when the reply's head is there; its body is still to
 * be read. After a failure a byte may have left, unless the line says that it was stale.
 */
export async function postOnce(post: Post): Promise<Result<IncomingMessage, SocketFault>> {
  try {
    const response: AxiosResponse<IncomingMessage> = await axios.request({
      adapter: 'http',
      method: 'post',
      url: post.url,
      headers: { ...post.headers },
      data: post.body,
      httpAgent: post.line.agent,
      httpsAgent: post.line.agent,
      signal: post.stop,
      // The way was chosen in proxy.ts; axios would otherwise obey http_proxy by itself.
      proxy: false,
      // x-api-key and x-api-secret would follow a redirect to another host.
      maxRedirects: 0,
      // Deadlines are ours: this one does not end a dripping body.
      timeout: 0,
      maxBodyLength,
      // Decompressed and counted in body.ts, which keeps the first part of a reply that is too large.
      responseType: 'stream',
      decompress: false,
      maxContentLength: -1,
      validateStatus: () => true,
      // As given: axios would parse and rewrite what looks like JSON.
      transformRequest: (data: string) => data,
      transformResponse: (data: unknown) => data
    })
    return ok(response.data)
  } catch (error) {
    return fail(faultOf(error))
  }
}
