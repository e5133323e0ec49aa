/** Limits how much may arrive before a response header is complete. */
import type { ClientRequest } from 'node:http'

/** Node limits the header itself to 16 KiB; the rest allows for interim responses and the start of the body. */
const maxBytes = 256 * 1024

/**
 * Destroys a request with HPE_HEADER_OVERFLOW once 256 KiB have arrived without `event`. Otherwise blank lines and
 * interim responses would be read until the deadline, as fast as they arrive.
 */
export function boundHead(request: ClientRequest, event: 'response' | 'connect'): void {
  request.on('socket', (socket) => {
    let seen = 0
    const count = (chunk: Uint8Array): void => {
      seen += chunk.length
      if (seen <= maxBytes) return
      end()
      request.destroy(Object.assign(new Error('no head'), { code: 'HPE_HEADER_OVERFLOW' }))
    }
    const end = (): void => void socket.off('data', count)
    socket.on('data', count)
    request.once(event, end).once('close', end)
  })
}
