/** A line between an installation and its database that passes bytes on, remembers them, and can break in two ways. */
import { connect as dial, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  /** Every byte that passed, in both directions. */
  seen(): Buffer
  /** From now on nothing passes, and nobody is told: a black hole. */
  swallow(): void
  /** The database's side is gone; the installation's is closed in one direction. */
  closeHalf(): void
  end(): void
}

/** Listens on loopback for connections to a port of this computer. */
export async function startRelay(to: number): Promise<Relay> {
  const pairs: (readonly [Socket, Socket])[] = []
  const parts: Buffer[] = []
  let isBlack = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = dial({ port: to, host: '127.0.0.1', allowHalfOpen: true })
    pairs.push([near, far])
    for (const socket of [near, far]) socket.on('error', () => undefined)
    // Who dials again is in the same hole.
    if (isBlack) return void near.pause()
    for (const [from, other] of [
      [near, far],
      [far, near]
    ] as const) {
      from.on('data', (part) => {
        parts.push(part)
        other.write(part)
      })
      from.on('end', () => other.end())
    }
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen: () => Buffer.concat(parts),
    swallow: () => {
      isBlack = true
      pairs.flat().forEach((socket) => socket.pause().removeAllListeners('data'))
    },
    closeHalf: () =>
      pairs.forEach(([near, far]) => {
        far.removeAllListeners('end')
        far.destroy()
        near.end()
      }),
    end: () => {
      for (const socket of pairs.flat()) socket.destroy()
      server.close()
    }
  }
}
