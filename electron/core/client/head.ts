/** Bounds what may come before a reply's head is whole. */
import type { ClientRequest } from 'node:http'

/** Node bounds the head itself to 16 KiB; the rest is room for interim replies and the start of the body. */
const mostBytes = 256 * 1024

/**
 * Ends a request with HPE_HEADER_OVERFLOW where a quarter of a mebibyte has come and no `event` yet. Without it
 * blank lines and interim replies are read until the deadline, as fast as they come.
 */
export function boundHead(request: ClientRequest, event: 'response' | 'connect'): void {
  request.on('socket', (socket) => {
    let seen = 0
    const count = (chunk: Uint8Array): void => {
      seen += chunk.length
      if (seen <= mostBytes) return
      end()
      request.destroy(Object.assign(new Error('no head'), { code: 'HPE_HEADER_OVERFLOW' }))
    }
    const end = (): void => void socket.off('data', count)
    socket.on('data', count)
    request.once(event, end).once('close', end)
  })
}
