/** Passes the connections to a port of this computer on, and can hold up everything that clients send. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface HeldRelay {
  readonly port: number
  /** From now on, nothing that a client sends arrives. */
  hold(): void
  /** What was held up arrives. */
  release(): void
  /** Connections that clients have open. */
  open(): number
  close(): Promise<void>
}

export async function startRelay(target: number): Promise<HeldRelay> {
  const near = new Set<Socket>()
  let isHeld = false
  let waiting: (() => void)[] = []
  const server = createServer((socket) => {
    near.add(socket)
    const far = connect(target, '127.0.0.1')
    far.pipe(socket)
    // In the order in which it was sent, also what comes while earlier data waits.
    socket.on('data', (bytes: Buffer) => {
      if (isHeld) waiting.push(() => far.write(bytes))
      else far.write(bytes)
    })
    socket.on('error', () => undefined)
    far.on('error', () => socket.destroy())
    socket.on('close', () => {
      near.delete(socket)
      far.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => void (isHeld = true),
    release() {
      isHeld = false
      const held = waiting
      waiting = []
      for (const pass of held) pass()
    },
    open: () => near.size,
    async close() {
      for (const socket of near) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
