/** Orders for the client, and services on loopback that fail in every possible way; also used outside of a test runner. */
import net, { type AddressInfo, type Socket } from 'node:net'
import { credentials, type CredentialValues } from '#contract/connections/credentials.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { operationOf } from '#contract/verification/operations.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { directRoute } from '#core/client/proxy.ts'
import type { SendOrder, SendPhase } from '#core/client/send.ts'
import { createTrustStore, type Trust } from '#wire/trust.ts'

export const canaries: CredentialValues = {
  'api-key': 'CANARY-key-5f1c9e',
  'api-secret': 'CANARY-secret-"77/a\\b',
  'authorization': 'Bearer CANARY-token-03d2'
}

/** Every form in which a canary must not occur. */
export const canaryForms: readonly string[] = [
  'CANARY',
  ...Object.values(canaries).flatMap((value) => [
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    Buffer.from(value).toString('base64').replace(/=+$/, '')
  ]),
  Buffer.from('CANARY-token-03d2').toString('base64').replace(/=+$/, '')
]

export function leaks(ending: unknown): string[] {
  const text = JSON.stringify(ending).toLowerCase()
  return canaryForms.filter((form) => text.includes(form.toLowerCase()))
}

export async function trustIn(file = ''): Promise<Trust> {
  const trust = await createTrustStore().trust(file)
  if (!trust.ok) throw new Error(sentencesOf(trust.failure).what)
  return trust.value
}

const operation = operationOf('validate-passport')
export const bodySent = JSON.stringify({ id_url: 'https://files.example.com/passport.jpg' })

export interface TestOrder extends SendOrder {
  readonly phases: SendPhase[]
  readonly cancel: () => void
}

/** An order with canaries as credentials; `but` overrides its other properties. */
export async function orderTo(origin: string, but: Partial<SendOrder> = {}): Promise<TestOrder> {
  const controller = new AbortController()
  const phases: SendPhase[] = []
  const { onPhase, ...rest } = but
  return {
    origin,
    path: operation.path,
    body: { id_url: 'https://files.example.com/passport.jpg' },
    credentials: canaries,
    limits: { connectTimeout: 5, totalTimeout: 30, maxReplyBytes: 1024 * 1024 },
    route: directRoute,
    trust: but.trust ?? (await trustIn()),
    signal: controller.signal,
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    ...rest,
    phases,
    cancel: () => controller.abort(),
    onPhase(phase) {
      phases.push(phase)
      onPhase?.(phase)
    }
  }
}

export interface TestService {
  readonly port: number
  readonly origin: string
  /** Bytes received, by connection. */
  readonly received: string[]
  readonly sockets: Socket[]
  closed(): number
  end(): void
}

/** A service made of raw sockets; calls `onRequest` once a connection's request has arrived completely. */
export async function startRawService(
  onRequest: (socket: Socket, request: string, nth: number) => void
): Promise<TestService> {
  const received: string[] = []
  const sockets: Socket[] = []
  let closed = 0
  let requests = 0
  const server = net.createServer((socket) => {
    const index = sockets.push(socket) - 1
    received[index] = ''
    let pending = ''
    socket.on('error', () => undefined)
    socket.on('close', () => (closed += 1))
    socket.on('data', (chunk) => {
      received[index] += chunk.toString('latin1')
      pending += chunk.toString('latin1')
      if (!pending.endsWith(bodySent)) return
      const request = pending
      pending = ''
      onRequest(socket, request, (requests += 1))
    })
  })
  return serve(server, received, sockets, () => closed)
}

async function serve(
  server: net.Server,
  received: string[],
  sockets: Socket[],
  closed: () => number
): Promise<TestService> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const end = (): void => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port, origin: `http://127.0.0.1:${port}`, received, sockets, closed, end }
}

/** A complete HTTP response as text. */
export function httpReply(body: string, headers: readonly string[] = [], status = '200 OK'): string {
  return [
    `HTTP/1.1 ${status}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json',
    ...headers,
    '',
    body
  ].join('\r\n')
}

/** A port on loopback without a listener. */
export async function closedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

export async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly took: number }> {
  const begun = performance.now()
  const value = await work()
  return { value, took: performance.now() - begun }
}

export const codeOf = (ending: RecordEnding): string | undefined => ending.failure?.code
export const headerLines = credentials.map(({ id, header }) => `${header.toLowerCase()}: ${canaries[id]}`)

export const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a condition holds, up to two seconds. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 2000
  while (!holds()) {
    if (performance.now() > end) throw new Error('it did not happen within two seconds')
    await wait(10)
  }
}
