/** An update feed on loopback: what it serves can be changed, and every connection to it is counted. */
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Issued } from './tls.ts'

export type FeedAnswer = (request: http.IncomingMessage, response: http.ServerResponse) => void

export interface FeedServer {
  readonly url: string
  /** Connections so far, with or without a request. */
  connections(): number
  readonly asked: { readonly method: string; readonly url: string; readonly headers: http.IncomingHttpHeaders }[]
  answer(next: FeedAnswer | Buffer): void
  close(): Promise<void>
}

const serving = (answer: FeedAnswer | Buffer): FeedAnswer =>
  typeof answer === 'function'
    ? answer
    : (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(answer)

/** Over TLS with a certificate, or over http without one. */
export async function serveFeed(given: FeedAnswer | Buffer, issued?: Issued): Promise<FeedServer> {
  let answer = serving(given)
  let connections = 0
  const sockets = new Set<Socket>()
  const asked: FeedServer['asked'] = []
  const listener: http.RequestListener = (request, response) => {
    asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    answer(request, response)
  }
  const server = issued ? https.createServer(issued, listener) : http.createServer(listener)
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket.on('error', () => undefined))
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `${issued ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/veridesk-stable.update`,
    connections: () => connections,
    asked,
    answer: (next) => void (answer = serving(next)),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
