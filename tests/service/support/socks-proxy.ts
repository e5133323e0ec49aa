/** A SOCKS5 proxy on loopback (RFC 1928, RFC 1929) that connects to loopback, whatever name it is given; it ends with its test. */
import net, { type Socket } from 'node:net'
import { listen } from './way-servers.ts'

export interface SocksProxy {
  readonly port: number
  /** Host and port of each request. */
  readonly asked: string[]
  /** User name and password that each client gave. */
  readonly given: string[]
  /** All bytes that clients sent after the proxy said that the connection is open. */
  readonly passed: () => string
}

export interface SocksRules {
  /** `user:password` that it requires. */
  readonly requires?: string
  /** Its reply, if not success (RFC 1928, section 6). */
  readonly reply?: number
  /** Bytes of its own behind its reply. */
  readonly more?: string
  /** Written in place of every answer. */
  readonly instead?: string
  /** It reads and never answers. */
  readonly silent?: boolean
}

/** Reads a socket in pieces of the length that the protocol gives; `end` leaves what comes next to others. */
function reader(socket: Socket): { read(length: number): Promise<Buffer>; end(): void } {
  let held = Buffer.alloc(0)
  let wake = (): void => undefined
  const take = (chunk: Buffer): void => {
    held = Buffer.concat([held, chunk])
    wake()
  }
  socket.on('data', take)
  return {
    async read(length) {
      while (held.length < length) await new Promise<void>((resolve) => (wake = resolve))
      const piece = held.subarray(0, length)
      held = held.subarray(length)
      return piece
    },
    end: () => void socket.off('data', take)
  }
}

/** Starts one. */
export async function socksProxy(rules: SocksRules = {}): Promise<SocksProxy> {
  const [asked, given]: [string[], string[]] = [[], []]
  let passed = ''
  const serve = async (client: Socket): Promise<void> => {
    if (rules.silent) return void client.resume()
    if (rules.instead !== undefined) return void client.end(rules.instead)
    const { read, end } = reader(client)
    const [, methods = 0] = await read(2)
    const offered = [...(await read(methods))]
    const method = rules.requires === undefined ? 0 : 2
    if (!offered.includes(method)) return void client.end(Buffer.from([5, 0xff]))
    client.write(Buffer.from([5, method]))
    if (method === 2) {
      const user = await read((await read(2))[1] ?? 0)
      const password = await read((await read(1))[0] ?? 0)
      given.push(`${user.toString()}:${password.toString()}`)
      const good = given.at(-1) === rules.requires
      client.write(Buffer.from([1, good ? 0 : 1]))
      if (!good) return void client.end()
    }
    const [, , , kind] = await read(4)
    const host =
      kind === 3 ? (await read((await read(1))[0] ?? 0)).toString() : [...(await read(kind === 1 ? 4 : 16))].join('.')
    const port = (await read(2)).readUInt16BE()
    asked.push(`${host}:${port}`)
    const answer = Buffer.from([5, rules.reply ?? 0, 0, 1, 0, 0, 0, 0, 0, 0])
    if (rules.reply) return void client.end(answer)
    end()
    const upstream = net.connect(port, '127.0.0.1', () => {
      client.write(Buffer.concat([answer, Buffer.from(rules.more ?? '')]))
      client.on('data', (chunk: Buffer) => (passed += chunk.toString('latin1')))
      client.pipe(upstream).pipe(client)
    })
    upstream.on('error', () => client.destroy())
  }
  const server = net.createServer((client) => void serve(client).catch(() => client.destroy()))
  return { port: await listen(server), asked, given, passed: () => passed }
}
