/** A server of documents on loopback, honest or hostile, and a trap that counts who connects to it. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import type { Issued } from './tls.ts'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

export interface DocumentServer {
  readonly port: number
  /** `http://127.0.0.1:PORT`, or https. */
  readonly origin: string
  readonly asked: IncomingMessage[]
  /** The address of a new document; its path ends in `name`. */
  at(answer: Buffer | Answer, name?: string): string
  close(): Promise<void>
}

/** Starts a server; with a certificate it uses TLS. */
export async function serveDocuments(secure?: Issued): Promise<DocumentServer> {
  const asked: IncomingMessage[] = []
  const answers = new Map<string, Answer>()
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    asked.push(request)
    const answer = answers.get((request.url ?? '').split('?')[0] ?? '')
    if (answer) answer(response, request)
    else response.writeHead(404).end()
  }
  const server = secure
    ? https.createServer({ key: secure.key, cert: secure.cert }, onRequest)
    : http.createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `${secure ? 'https' : 'http'}://127.0.0.1:${port}`
  return {
    port,
    origin,
    asked,
    at(answer, name = 'photo') {
      const path = `/${answers.size + 1}/${name}`
      answers.set(path, Buffer.isBuffer(answer) ? (response) => response.end(answer) : answer)
      return `${origin}${path}`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

/** Answers with a redirect. */
export const redirectTo =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end()
/** Answers with a stated media type. */
export const stated =
  (type: string, content: Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type, ...headers }).end(content)

/** An answer that waits: `asked` is fulfilled when the request has arrived, with the function that sends the content. */
export function heldAnswer(content: Buffer): { readonly answer: Answer; readonly asked: Promise<() => void> } {
  let arrived: (release: () => void) => void
  const asked = new Promise<() => void>((resolve) => (arrived = resolve))
  return { answer: (response) => arrived(() => response.end(content)), asked }
}

export interface Trap {
  readonly port: number
  connections(): number
  close(): Promise<void>
}

/** Listens on every address of this computer, and counts connections. */
export async function setTrap(): Promise<Trap> {
  let connections = 0
  const server = net.createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}

export interface TestProxy {
  readonly port: number
  /** The authorities that it was asked to connect to. */
  readonly asked: string[]
  close(): Promise<void>
}

/** A real CONNECT proxy that knows every name, and leads all of them to one port of this computer. */
export async function startProxyTo(port: number): Promise<TestProxy> {
  const asked: string[] = []
  const server = http.createServer()
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '')
    const onward = net.connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () => new Promise((resolve) => server.close(() => resolve()))
  }
}
