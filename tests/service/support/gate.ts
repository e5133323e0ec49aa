/** Stands before a service and passes a number of requests on; further ones wait until more are allowed. */
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gate {
  readonly baseUrl: string
  /** Passes so many further requests on. */
  allow(count: number): void
  /** Passes on what waits now. */
  passWaiting(): void
  /** How many it has passed on. */
  passed(): number
  close(): void
}

/** Of one connection alone. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/** @param target Where the service is. A request whose client is gone before it is passed on never reaches it. */
export async function startGate(target: string): Promise<Gate> {
  const waiting = new Set<() => void>()
  let left = 0
  let passed = 0

  function pass({ method, url = '/', headers }: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const onward = ask(new URL(url, target), { method, headers }, (answer) => {
      response.writeHead(
        answer.statusCode ?? 502,
        Object.fromEntries(Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name)))
      )
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  function drain(): void {
    for (const next of waiting) {
      if (left === 0) return
      left -= 1
      passed += 1
      waiting.delete(next)
      next()
    }
  }

  const server = createServer((request, response) => {
    const body: Buffer[] = []
    request.on('data', (part: Buffer) => body.push(part))
    request.once('end', () => {
      const mine = (): void => pass(request, response, Buffer.concat(body))
      response.once('close', () => waiting.delete(mine))
      waiting.add(mine)
      drain()
    })
    response.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    allow(count) {
      left += count
      drain()
    },
    passWaiting() {
      const before = left
      left = waiting.size
      drain()
      left = before
    },
    passed: () => passed,
    close() {
      server.close()
      server.closeAllConnections()
    }
  }
}
