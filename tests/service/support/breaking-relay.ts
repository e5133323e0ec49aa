/** A relay before a service that breaks a connection after a given byte of the request or of the response. */
import net, { type AddressInfo, type Socket } from 'node:net'

/** Where a connection breaks: after this many bytes of one direction, counted from the moment at which it is set. */
export interface Break {
  readonly of: 'request' | 'response'
  readonly after: number
  /** A reset, or an orderly close. */
  readonly how: 'reset' | 'close'
}

export interface Relay {
  readonly origin: string
  /** How each new connection breaks, if it does. */
  breaks: () => Break | undefined
  /** Breaks the connections that are open. */
  breakOpen(how: Break): void
  /** Bytes of the last connection, in each direction. */
  seen(): Readonly<Record<Break['of'], number>>
  end(): void
}

/** Forwards to a port of this computer. */
export async function startRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const open = new Set<{ broken?: Break; count: Record<Break['of'], number> }>()
  let last = { request: 0, response: 0 }
  const watch = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  }
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    watch(client)
    const state = { broken: relay.breaks(), count: { request: 0, response: 0 } }
    open.add(state)
    last = state.count
    const service = watch(net.connect({ port, host: '127.0.0.1', noDelay: true }))
    const stop = (): void => {
      if (state.broken?.how === 'close') client.end()
      else client.resetAndDestroy()
      // The service gets what has been forwarded, and then the end.
      service.end()
    }
    if (state.broken?.of === 'request' && state.broken.after === 0) stop()
    const forward = (of: Break['of'], from: Socket, to: Socket): void => {
      from.on('data', (chunk: Buffer) => {
        const left = state.broken?.of === of ? state.broken.after - state.count[of] : Infinity
        if (left < 0) return
        const part = chunk.subarray(0, Math.min(left, chunk.length))
        state.count[of] += part.length
        if (chunk.length < left) to.write(part)
        // Broken once the bytes before it are with the receiver's system.
        else if (part.length > 0) to.write(part, () => setTimeout(stop, 2))
        else stop()
      })
      from.on('end', () => to.end())
    }
    forward('request', client, service)
    forward('response', service, client)
    service.on('close', () => client.end())
    client.on('close', () => (open.delete(state), service.end()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    breaks: () => undefined,
    breakOpen(how) {
      for (const state of open) Object.assign(state, { broken: how, count: { request: 0, response: 0 } })
    },
    seen: () => last,
    end() {
      for (const socket of sockets) socket.destroy()
      server.close()
    }
  }
  return relay
}
