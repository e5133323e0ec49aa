/** Errors of a socket before a request, as values. */
import type { Socket } from 'node:net'

/** Why an attempt was aborted; the `reason` of the client's abort signals. */
export type StopReason = 'cancelled' | 'connect-timeout' | 'total-timeout'

export interface SocketFault {
  /** Node's error code; never a message, which may quote what was sent. */
  readonly code: string
  readonly syscall?: string
  readonly stop?: StopReason
  /** Of a response that Node refused to read: the status of its first line. */
  readonly status?: number
}

/** The status in the bytes that Node's parser could not read; nothing else of them is kept. */
function statusIn(bytes: unknown): number | undefined {
  const line = Buffer.isBuffer(bytes) && /^HTTP\/1\.[01] ([1-5]\d\d)\b/.exec(bytes.toString('latin1', 0, 16))
  return line ? Number(line[1]) : undefined
}

/** Reduces an error to its code, its system call, and the status of a response that breaks the rules of HTTP. */
export function faultOf(error: unknown): SocketFault {
  const { code, syscall, rawPacket, cause } = error as NodeJS.ErrnoException & { rawPacket?: unknown }
  const status = statusIn(rawPacket ?? (cause as { rawPacket?: unknown } | undefined)?.rawPacket)
  return {
    code: typeof code === 'string' ? code : 'UNKNOWN',
    ...(typeof syscall === 'string' && { syscall }),
    ...(status !== undefined && { status })
  }
}

/**
 * Waits for one event of a socket. Resolves with undefined if it occurred, otherwise with the failure, close or abort
 * that came first; the socket is then destroyed.
 */
export function waitFor(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  stop: AbortSignal
): Promise<SocketFault | undefined> {
  return new Promise((resolve) => {
    const end = (fault?: SocketFault): void => {
      socket.off(event, onGood)
      socket.off('error', onError)
      socket.off('close', onClose)
      stop.removeEventListener('abort', onStop)
      // A late error on a socket without a listener would end the process.
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
