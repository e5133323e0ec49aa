/** A collector of syslog over TLS (RFC 5425) on loopback that reads frames as they are counted, and can break off in the middle. */
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import type { Issued } from './tls.ts'

export interface LogCollector {
  /** Host and port. */
  readonly place: string
  /** Frames without their counts, of all connections. */
  readonly taken: string[]
  connections(): number
  /** Resets each connection after so many frames; undefined takes all. */
  breakAfter(frames: number | undefined): void
  /** Reads all, and never ends a connection. */
  neverEnd(): void
  close(): Promise<void>
}

export async function startCollector(issued: Issued): Promise<LogCollector> {
  const taken: string[] = []
  const sockets = new Set<Socket>()
  /** The sockets below those of TLS, by their client's port. */
  const raw = new Map<number | undefined, Socket>()
  let connections = 0
  let limit: number | undefined
  let ends = true
  const server = tls.createServer({ ...issued, allowHalfOpen: true }, (socket) => {
    connections += 1
    let bytes = Buffer.alloc(0)
    let count = 0
    socket.on('error', () => undefined)
    socket.on('data', (more: Buffer) => {
      bytes = Buffer.concat([bytes, more])
      for (;;) {
        const head = /^(\d+) /.exec(bytes.toString('latin1', 0, 12))
        if (!head) return
        const [length, from] = [Number(head[1]), head[0].length]
        if (bytes.length < from + length) return
        if (limit !== undefined && count >= limit) return raw.get(socket.remotePort)?.resetAndDestroy()
        taken.push(String(bytes.subarray(from, from + length)))
        count += 1
        bytes = bytes.subarray(from + length)
      }
    })
    socket.on('end', () => ends && socket.end())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined))
    raw.set(socket.remotePort, socket)
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    place: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    connections: () => connections,
    breakAfter: (frames) => void (limit = frames),
    neverEnd: () => void (ends = false),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
