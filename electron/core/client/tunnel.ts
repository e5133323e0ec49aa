/** Asks a proxy for a tunnel (RFC 9110, section 9.3.6). The proxy receives only the service's host and port. */
import http from 'node:http'
import type net from 'node:net'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { challengesOf, type Challenge } from './challenges.ts'
import { boundHead } from './head.ts'
import { faultOf, type SocketFault, type StopReason } from './socket-faults.ts'

/** A proxy's answer to CONNECT. */
export interface TunnelAnswer {
  /** 200 for any 2xx: the tunnel is open. */
  readonly status: number
  /** What a SOCKS5 proxy said, in place of a status. */
  readonly reply?: string
  /** How the proxy lets users sign in; only with 407. */
  readonly challenges: readonly Challenge[]
}

/** A user name and a password for a proxy. Secret. */
export interface BasicSignIn {
  readonly user: string
  readonly password: string
}

/** The Proxy-Authorization value of the Basic scheme, in UTF-8 (RFC 7617). */
export const basicValue = ({ user, password }: BasicSignIn): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** What a value of the Basic scheme has in it. */
export function signInOf(authorization: string): BasicSignIn {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const colon = pair.indexOf(':')
  return { user: pair.slice(0, colon), password: pair.slice(colon + 1) }
}

/** Node joins repeated headers of this name, which the challenges allow; the raw list keeps them apart. */
function challengeHeaders(response: http.IncomingMessage): string[] {
  const { rawHeaders } = response
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'proxy-authenticate'
  )
}

/** Sends one CONNECT and returns the answer. Node's parser limits the size of its header. */
export function askTunnel(
  socket: net.Socket,
  authority: string,
  authorization: string | undefined,
  stop: AbortSignal
): Promise<Result<TunnelAnswer, SocketFault>> {
  return new Promise((resolve) => {
    const request = http.request({
      method: 'CONNECT',
      path: authority,
      createConnection: () => socket,
      headers: {
        'host': authority,
        'connection': 'keep-alive',
        'proxy-connection': 'keep-alive',
        ...(authorization !== undefined && { 'proxy-authorization': authorization })
      }
    })
    boundHead(request, 'connect')
    const end = (result: Result<TunnelAnswer, SocketFault>): void => {
      stop.removeEventListener('abort', onStop)
      resolve(result)
    }
    const onStop = (): void => {
      end(fail({ code: 'STOPPED', stop: stop.reason as StopReason }))
      request.destroy()
    }
    request.on('error', (error) => end(fail(faultOf(error))))
    request.on('close', () => end(fail({ code: 'CLOSED' })))
    request.on('connect', (response, tunnel, head) => {
      tunnel.on('error', () => undefined)
      const status = response.statusCode ?? 0
      const success = status >= 200 && status < 300
      // A server sends nothing before the TLS client hello, so a tunnel with early bytes cannot be trusted.
      if (success && head.length > 0) return end(fail({ code: 'EARLY' }))
      end(
        ok({
          status: success ? 200 : status,
          challenges: status === 407 ? challengesOf(challengeHeaders(response)) : []
        })
      )
    })
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    request.end()
  })
}
