/** Services and proxies on loopback for tests of the way to a service; each ends with its test. */
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Issued } from './tls.ts'

/** Listens on loopback until the test ends. */
export async function listen(server: net.Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => undefined)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

export interface TlsService {
  readonly port: number
  /** Method, path and header names of each request. */
  readonly requests: { readonly method: string; readonly url: string; readonly headers: http.IncomingHttpHeaders }[]
}

/** A service over TLS that answers every request with 404 and this computer's time. */
export async function tlsService(
  issued: Issued,
  answer: { status?: number; headers?: Record<string, string> } = {}
): Promise<TlsService> {
  const requests: TlsService['requests'] = []
  const server = https.createServer(issued, (request, response) => {
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers })
    response.writeHead(answer.status ?? 404, answer.headers).end()
  })
  server.on('tlsClientError', () => undefined)
  return { port: await listen(server), requests }
}

/** A server of raw sockets. */
export const rawServer = (onSocket: (socket: Socket) => void): Promise<number> =>
  listen(net.createServer((socket) => onSocket(socket.on('error', () => undefined))))

export interface TestProxy {
  readonly port: number
  /** The Proxy-Authorization of each CONNECT; empty without one. */
  readonly given: string[]
}

/** A proxy that tunnels to loopback; `answer` decides instead, and returns whether it did. */
export async function proxyTo(
  answer: (client: Socket, authorization: string) => boolean = () => false
): Promise<TestProxy> {
  const given: string[] = []
  const server = http.createServer()
  server.on('connect', (request: http.IncomingMessage, client: Socket) => {
    client.on('error', () => undefined)
    const authorization = request.headers['proxy-authorization'] ?? ''
    given.push(authorization)
    if (answer(client, authorization)) return
    const upstream = net.connect(Number((request.url ?? '').split(':').at(-1)), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy())
  })
  return { port: await listen(server), given }
}

/** Answers CONNECT with a head. */
export const says =
  (head: string) =>
  (client: Socket): boolean => (client.end(`${head}\r\n\r\n`), true)

/** A proxy that requires Basic, and accepts one value. */
export const requiring =
  (accepted: string, realm: string) =>
  (client: Socket, authorization: string): boolean => {
    if (authorization === accepted) return false
    client.end(
      `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Negotiate\r\nProxy-Authenticate: Basic realm="${realm}", charset="UTF-8"\r\ncontent-length: 0\r\n\r\n`
    )
    return true
  }
