/** What can go wrong on a socket before a request, as values and as words for people. */
import type { Socket } from 'node:net'
import { isIP } from 'node:net'

/** Why an attempt was ended from outside; the `reason` of the client's abort signals. */
export type StopReason = 'cancelled' | 'connect-timeout' | 'total-timeout'

export interface SocketFault {
  /** Node's error code; never a message, which may quote what was sent. */
  readonly code: string
  readonly syscall?: string
  readonly stop?: StopReason
}

/** The code of an error, nothing else of it. */
export function faultOf(error: unknown): SocketFault {
  const { code, syscall } = error as NodeJS.ErrnoException
  return { code: typeof code === 'string' ? code : 'UNKNOWN', ...(typeof syscall === 'string' && { syscall }) }
}

/**
 * Waits for one event of a socket, or for its failure, its close or a stop. After a failure the
 * socket is destroyed. Resolves with undefined where the event came.
 */
export function waitFor(socket: Socket, event: 'connect' | 'secureConnect', stop: AbortSignal): Promise<SocketFault | undefined> {
  return new Promise((resolve) => {
    const end = (fault?: SocketFault): void => {
      socket.off(event, onGood)
      socket.off('error', onError)
      socket.off('close', onClose)
      stop.removeEventListener('abort', onStop)
      // A late error on a socket that nobody listens to any more would end the process.
      socket.on('error', () => undefined)
      if (fault) socket.destroy()
      resolve(fault)
    }
    const onGood = (): void => end()
    const onError = (error: Error): void => end(faultOf(error))
    const onClose = (): void => end({ code: 'ECONNRESET' })
    const onStop = (): void => end({ code: 'STOPPED', stop: stop.reason as StopReason })
    if (stop.aborted) return onStop()
    socket.on(event, onGood)
    socket.on('error', onError)
    socket.on('close', onClose)
    stop.addEventListener('abort', onStop)
  })
}

const unknownAuthority = 'its certificate is signed by an authority that this computer does not know'
const tlsTable: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check this computer’s clock',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  CERT_SIGNATURE_FAILURE: 'the signature of its certificate is wrong',
  CERT_REVOKED: 'its certificate has been revoked',
  ECONNRESET: 'it closed the connection before the secure connection stood',
  EPIPE: 'it closed the connection before the secure connection stood',
  EPROTO: 'it does not speak TLS as this console does',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there does not speak TLS',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers there does not speak TLS',
  ERR_SSL_UNSUPPORTED_PROTOCOL: 'it speaks only versions of TLS that are no longer safe',
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: 'it speaks only versions of TLS that are no longer safe'
}

/** A failed handshake as the end of a sentence. */
export function tlsWords(fault: SocketFault): string {
  return tlsTable[fault.code] ?? `the handshake ended with ${fault.code}`
}

/** What a name was resolved to, as words. */
export function addressWords(host: string, addresses: readonly string[]): string {
  if (isIP(host) !== 0) return `${host} is an address already`
  return addresses.length > 0 ? `${host} is ${[...new Set(addresses)].join(', ')}` : `${host} was resolved`
}
