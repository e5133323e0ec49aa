/** Redirects to other hosts, ports and schemes: reported, and never followed with credentials. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import type { Trust } from '#wire/trust.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { bodySent, canaries, httpReply, orderTo, trustIn } from '../../../tests/service/support/client-services.ts'
import { createTestAuthority } from '../../../tests/service/support/tls.ts'

const statuses = [301, 302, 303, 307, 308] as const

/** A destination that records everything that it receives, decrypted. */
interface Trap {
  readonly port: number
  connections: number
  bytes: string
}

/** All servers of one run, on loopback, over TCP or TLS. */
function createServers(issued: { readonly key: string; readonly cert: string }) {
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  async function listen(host: string, secure: boolean, onSocket: (socket: Socket) => void): Promise<number> {
    const accept = (socket: Socket): void => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      onSocket(socket)
    }
    const server = secure ? tls.createServer({ ...issued }, accept) : net.createServer(accept)
    server.on('tlsClientError', () => undefined)
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, host, resolve))
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  return {
    listen,
    async trap(host: string, secure: boolean): Promise<Trap> {
      const found = { connections: 0, bytes: '' }
      const port = await listen(host, secure, (socket) => {
        found.connections += 1
        socket.on('data', (chunk: Buffer) => {
          found.bytes += chunk.toString('latin1')
          if (found.bytes.endsWith(bodySent)) socket.end(httpReply('{"message":"trapped"}'))
        })
      })
      return Object.assign(found, { port })
    },
    end() {
      for (const socket of sockets) socket.destroy()
      for (const server of servers) server.close()
    }
  }
}

interface Destination {
  readonly name: string
  readonly location: string
  /** The origin for the control, and what arrived there. */
  readonly origin: string
  readonly trap: Trap
}

async function destinations(
  from: 'http' | 'https',
  servers: ReturnType<typeof createServers>,
  own: () => number
): Promise<Destination[]> {
  const secure = from === 'https'
  const made: Destination[] = []
  const add = async (
    name: string,
    host: string,
    overTls: boolean,
    locationOf: (authority: string) => string,
    bind = host
  ): Promise<void> => {
    const trap = await servers.trap(bind, overTls)
    const authority = `${host}:${trap.port}`
    made.push({ name, location: locationOf(authority), origin: `${overTls ? 'https' : 'http'}://${authority}`, trap })
  }
  await add('another port', '127.0.0.1', secure, (at) => `${from}://${at}/x`)
  await add('another host', 'localhost', secure, (at) => `${from}://${at}/x`, '127.0.0.1')
  await add('another address of this computer', '127.0.0.2', secure, (at) => `${from}://${at}/x`)
  await add('another scheme', '127.0.0.1', !secure, (at) => `${secure ? 'http' : 'https'}://${at}/x`)
  await add('without a scheme', '127.0.0.1', secure, (at) => `//${at}/x`)
  await add('with a user and password', '127.0.0.1', secure, (at) => `${from}://user:password@${at}/x`)
  made.push({
    name: 'another path of the same service',
    location: '/elsewhere',
    origin: '',
    trap: { port: own(), connections: 0, bytes: '' }
  })
  return made
}

const leaked = (bytes: string): boolean => Object.values(canaries).some((value) => bytes.includes(value))

/** Sends to a service that redirects, by a connection of its own and by a kept one. */
async function redirectFrom(
  from: 'http' | 'https',
  servers: ReturnType<typeof createServers>,
  trust: Trust,
  rounds: number,
  faults: string[]
) {
  let reply = ''
  let requests = 0
  const port = await servers.listen('127.0.0.1', from === 'https', (socket) => {
    let pending = ''
    socket.on('data', (chunk: Buffer) => {
      pending += chunk.toString('latin1')
      if (!pending.endsWith(bodySent)) return
      pending = ''
      requests += 1
      socket.write(reply)
    })
  })
  const origin = `${from}://127.0.0.1:${port}`
  const rows: (string | number)[][] = []
  const lines = createLinePool(() => performance.now())
  for (const { name, location, origin: elsewhere, trap } of await destinations(from, servers, () => port)) {
    const label = `${from}, ${name}`
    if (elsewhere !== '') {
      // The control: a request that really goes there is found there, with its credentials.
      const there = await sendVerification(await orderTo(elsewhere, { trust }))
      if (there.outcome !== 'answered' || !leaked(trap.bytes))
        faults.push(`${label}: the destination does not receive what is sent to it`)
      Object.assign(trap, { connections: 0, bytes: '' })
    }
    let [sent, reported] = [0, 0]
    requests = 0
    for (let round = 0; round < rounds; round += 1)
      for (const status of statuses)
        for (const kept of [false, true]) {
          reply = httpReply(
            '{"message":"moved"}',
            [`location: ${location}`, 'connection: keep-alive'],
            `${status} Moved`
          )
          const ending = await sendVerification(await orderTo(origin, { trust, ...(kept && { lines }) }))
          sent += 1
          if (
            ending.outcome === 'unreadable' &&
            ending.failure?.code === 'reply-redirect' &&
            ending.reply?.status === status
          )
            reported += 1
          else faults.push(`${label}: ${status} ended as ${ending.outcome} (${ending.failure?.code ?? 'no failure'})`)
        }
    // A late connection would have been accepted by now.
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (requests !== sent) faults.push(`${label}: ${sent} were sent and the service received ${requests}`)
    if (trap.connections > 0 || trap.bytes !== '')
      faults.push(`${label}: ${trap.connections} connections and ${trap.bytes.length} bytes arrived at the destination`)
    rows.push([label, sent, reported, trap.connections, trap.bytes.length])
  }
  lines.close()
  return rows
}

/** Redirects with each status to each destination. Errors: anything that arrives there, and redirects not reported. */
export async function proveRedirects({ sized }: SectionRun): Promise<Measured> {
  const authority = createTestAuthority()
  const folder = mkdtempSync(join(tmpdir(), 'veridesk-redirects-'))
  const servers = createServers(authority.issue({ names: ['localhost', '127.0.0.1', '127.0.0.2'] }))
  const faults: string[] = []
  try {
    writeFileSync(join(folder, 'ca.pem'), authority.cert)
    const trust = await trustIn(join(folder, 'ca.pem'))
    const rounds = sized(20)
    const rows = []
    for (const from of ['http', 'https'] as const)
      rows.push(...(await redirectFrom(from, servers, trust, rounds, faults)))
    return {
      table: { columns: ['redirect', 'responses', 'reported', 'connections to the destination', 'bytes there'], rows },
      faults
    }
  } finally {
    servers.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
