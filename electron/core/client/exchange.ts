/**
 * One request over a connection of its own, which ends with it: for servers other than the service, which get neither
 * credentials nor cookies. What the answer means is its caller's.
 */
import http, { type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { codingsOf } from './codings.ts'
import { boundHead } from './head.ts'
import { faultOf } from './socket-faults.ts'

/** Why there is no answer: `stopped` by the signal, `lost` if the other end closed, or a system error code. */
export type ExchangeFault =
  | { readonly why: 'stopped' }
  | { readonly why: 'lost' }
  | { readonly why: 'error'; readonly errno: string }

export interface ExchangeOrder<Answer> {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | number>>
  readonly body?: Uint8Array
  /** Ends it before. */
  readonly stop: AbortSignal
  /** Reads the answer; a rejection is a fault. */
  read(reply: IncomingMessage): Promise<Answer>
  /** The answer for a fault. */
  fault(fault: ExchangeFault): Answer
}

const lost: readonly string[] = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** Sends one request and closes the connection, whatever happens. Never rejects. */
export function exchange<Answer>(
  socket: Socket,
  { method, path, headers, body, stop, read, fault }: ExchangeOrder<Answer>
): Promise<Answer> {
  return new Promise((resolve) => {
    const end = (answer: Answer): void => {
      stop.removeEventListener('abort', onStop)
      socket.destroy()
      resolve(answer)
    }
    const onStop = (): void => end(fault({ why: 'stopped' }))
    const onError = (error: unknown): void => {
      const { code } = faultOf(error)
      end(fault(lost.includes(code) ? { why: 'lost' } : { why: 'error', errno: code }))
    }
    const request = http.request({
      method,
      path,
      createConnection: () => socket,
      headers: { ...headers, connection: 'close' }
    })
    boundHead(request, 'response')
    request.on('error', onError)
    // A response that switches protocols, or none at all, ends the request without an error.
    request.on('close', () => end(fault({ why: 'lost' })))
    request.on('response', (reply) => {
      request.removeAllListeners('close')
      read(reply).then(end, onError)
    })
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    request.end(body)
  })
}

/** Whether an answer is compressed, although no request of this kind asks for it. */
export const isCompressed = (reply: IncomingMessage): boolean => codingsOf(reply).length > 0

/**
 * Where an answer redirects to, in ASCII: bytes beyond it are escaped one by one, as browsers do, so that a path or a host
 * in UTF-8 is read as its server wrote it. Node gives each byte as a character.
 */
export const locationOf = ({ headers: { location } }: Pick<IncomingMessage, 'headers'>): string | undefined =>
  location?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)

/** The body of a small answer: `too-large` as soon as it has more bytes than the limit, `lost` if it ends early. */
export async function smallBody(
  reply: IncomingMessage,
  limitBytes: number
): Promise<Uint8Array | 'too-large' | 'lost'> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of reply as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > limitBytes) return 'too-large'
    parts.push(part)
  }
  return reply.complete ? Buffer.concat(parts) : 'lost'
}
