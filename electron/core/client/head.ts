/** Limits how much may arrive before a response header is complete. */
import type { ClientRequest } from 'node:http'

/** Node limits the header itself (16 KiB, of the service 64 KiB); the rest allows for interim responses and the start of the body. */
const maxBytes = 256 * 1024

/**
 * Destroys a request with HPE_HEADER_OVERFLOW once 256 KiB have arrived without `event`. Otherwise blank lines and
 * interim responses would be read until the deadline, as fast as they arrive. An error before `event` gets the first bytes of the response as its `rawPacket`:
 * Node gives it those that its parser stopped at.
 */
export function boundHead(request: ClientRequest, event: 'response' | 'connect'): void {
  request.on('socket', (socket) => {
    let seen = 0
    let start: Uint8Array | undefined
    const count = (chunk: Uint8Array): void => {
      start ??= Uint8Array.prototype.slice.call(chunk, 0, 16)
      seen += chunk.length
      if (seen <= maxBytes) return
      end()
      request.destroy(Object.assign(new Error('no head'), { code: 'HPE_HEADER_OVERFLOW' }))
    }
    const end = (): void => void socket.off('data', count)
    const onError = (error: Error): void => void (start && Object.assign(error, { rawPacket: Buffer.from(start) }))
    request.on('error', onError).once(event, () => request.off('error', onError))
    socket.on('data', count)
    request.once(event, end).once('close', end)
  })
}
