/** One harmless request on an open connection: HEAD / without credentials. */
import http from 'node:http'
import type { Socket } from 'node:net'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import { boundHead } from './head.ts'
import { faultOf, type SocketFault, type StopReason } from './socket-faults.ts'

/** What is shown to the person before it is sent. */
export const probeRequest = 'HEAD /'

export interface ProbeAnswer {
  readonly status: number
  readonly statusText: string
  /** The `Date` header, as it came. */
  readonly date?: string
  readonly server?: string
  readonly location?: string
}

/**
 * Sends `HEAD /` once and returns the head of the answer; the connection is then closed. HEAD changes nothing on a server (RFC
 * 9110, section 9.2.1), and has neither a body nor any header that says who asks.
 */
export function probe(socket: Socket, host: string, stop: AbortSignal): Promise<Result<ProbeAnswer, SocketFault>> {
  return new Promise((resolve) => {
    const request = http.request({
      method: 'HEAD',
      path: '/',
      createConnection: () => socket,
      headers: { 'host': host, 'user-agent': 'Veridesk', 'accept': '*/*', 'connection': 'close' }
    })
    boundHead(request, 'response')
    const end = (result: Result<ProbeAnswer, SocketFault>): void => {
      stop.removeEventListener('abort', onStop)
      request.destroy()
      socket.destroy()
      resolve(result)
    }
    const onStop = (): void => end(fail({ code: 'STOPPED', stop: stop.reason as StopReason }))
    request.on('error', (error) => end(fail(faultOf(error))))
    request.on('close', () => end(fail({ code: 'CLOSED' })))
    request.on('response', ({ statusCode = 0, statusMessage = '', headers: { date, server, location } }) =>
      end(
        ok({
          status: statusCode,
          statusText: statusMessage,
          ...(date !== undefined && { date }),
          ...(typeof server === 'string' && { server }),
          ...(location !== undefined && { location })
        })
      )
    )
    if (stop.aborted) onStop()
    else stop.addEventListener('abort', onStop, { once: true })
    request.end()
  })
}
