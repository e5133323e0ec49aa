/**
 * Asks a SOCKS5 proxy for a connection (RFC 1928, RFC 1929). The proxy receives only the service's host and port, and resolves the name
 * by itself.
 */
import type net from 'node:net'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { SocketFault, StopReason } from './socket-faults.ts'
import type { BasicSignIn, TunnelAnswer } from './tunnel.ts'

/** The protocol gives the length of each in one byte, and the package throws where it does not fit. */
const longest = 255
const fits = (text: string): boolean => Buffer.byteLength(text) <= longest

/** The replies that say what an answer of an HTTP proxy says by its status. */
const statuses: Readonly<Record<string, number>> = {
  NotAllowed: 403,
  NetworkUnreachable: 502,
  HostUnreachable: 502,
  ConnectionRefused: 502,
  TTLExpired: 504
}
const required: TunnelAnswer = { status: 407, challenges: [{ scheme: 'Basic' }] }

/** An answer that refused, from the package's text; undefined for what is no answer of SOCKS5. */
function refusal(text: string): TunnelAnswer | undefined {
  // A user name and a password are offered only if there are some, so this asks for them, or does not take these.
  if (/no accepted authentication type|Authentication failed/.test(text)) return required
  const [, reply] = /rejected connection - (\w+)$/.exec(text) ?? []
  if (reply === undefined || reply === 'undefined') return undefined
  return { status: statuses[reply] ?? 500, reply: `SOCKS5 ${reply}`, challenges: [] }
}

export interface SocksOrder {
  readonly host: string
  readonly port: number
  readonly signIn?: BasicSignIn | undefined
  readonly stop: AbortSignal
  /** The time limit of the connection; the package has one of its own, which must not come first. */
  readonly seconds: number
}

/** Asks once, and returns the answer. The socket is then as after a CONNECT, or closed. */
export async function askSocks(socket: net.Socket, order: SocksOrder): Promise<Result<TunnelAnswer, SocketFault>> {
  const { host, port, signIn, stop, seconds } = order
  if (signIn && !(fits(signIn.user) && fits(signIn.password))) return ok(required)
  // Loaded only where a network has such a proxy.
  const { SocksClient } = await import('socks')
  const stopped = (): Result<never, SocketFault> => fail({ code: 'STOPPED', stop: stop.reason as StopReason })
  if (stop.aborted) return stopped()
  const onStop = (): void => void socket.destroy()
  stop.addEventListener('abort', onStop, { once: true })
  try {
    await SocksClient.createConnection({
      command: 'connect',
      destination: { host, port },
      existing_socket: socket,
      timeout: seconds * 1000 + 1000,
      // The address is not used, since the socket is given.
      proxy: { host, port, type: 5, ...(signIn && { userId: signIn.user, password: signIn.password }) }
    })
  } catch (error) {
    // Its error has the password.
    if (stop.aborted) return stopped()
    const answer = refusal((error as Error).message)
    return answer ? ok(answer) : fail({ code: 'CLOSED' })
  } finally {
    stop.removeEventListener('abort', onStop)
  }
  // The package gives bytes that came with the answer to a listener at the end of this turn. A server sends nothing before the TLS client
  // hello, so a connection with early bytes cannot be trusted.
  let early = false
  const onEarly = (): void => void (early = true)
  socket.on('data', onEarly).on('error', () => undefined)
  await new Promise((resolve) => setImmediate(resolve))
  socket.off('data', onEarly).pause()
  return early ? fail({ code: 'EARLY' }) : ok({ status: 200, challenges: [] })
}
