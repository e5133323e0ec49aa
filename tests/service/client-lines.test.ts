/**
 * Connections kept open for a batch: reused while fresh, and never at the risk of a duplicate request.
 * @deadlines
 */
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLinePool } from '#core/client/line.ts'
import { sendVerification } from '#core/client/send.ts'
import {
  httpReply,
  orderTo,
  rawService,
  until,
  wait,
  type TestOrder,
  type TestService
} from './support/client-order.ts'

const answer = httpReply('{"message":"m"}', ['connection: keep-alive'])

async function batch(
  service: TestService,
  clock = { now: () => Date.now(), monotonic: () => performance.now() }
): Promise<TestOrder> {
  const lines = createLinePool(() => clock.monotonic())
  onTestFinished(() => lines.close())
  return orderTo(service.origin, { lines, clock })
}

async function run(order: TestOrder): Promise<string> {
  const ending = await sendVerification(order)
  // As in a batch, where the record is written before the next row is sent.
  await wait(2)
  return ending.outcome
}

describe('kept connections', () => {
  it('one connection serves many requests, one after another', async () => {
    const service = await rawService((socket) => socket.write(answer))
    const order = await batch(service)
    for (let row = 0; row < 20; row += 1) expect(await run(order)).toBe('answered')
    expect(service.sockets).toHaveLength(1)
    expect(service.received[0]?.match(/POST /g)).toHaveLength(20)
  })

  it('requests at the same time have a connection each', async () => {
    const service = await rawService((socket) => setTimeout(() => socket.write(answer), 20))
    const order = await batch(service)
    expect(await Promise.all(Array.from({ length: 8 }, () => run(order)))).toEqual(
      Array.from({ length: 8 }, () => 'answered')
    )
    expect(service.sockets).toHaveLength(8)
  })

  it('one that the service has closed meanwhile is not used again', async () => {
    const service = await rawService((socket) => socket.end(answer))
    const order = await batch(service)
    for (let row = 0; row < 5; row += 1) {
      expect(await run(order)).toBe('answered')
      await wait(10)
    }
    expect(service.sockets).toHaveLength(5)
  })

  it('one that has been idle for more than a second is not used again', async () => {
    let now = 0
    const service = await rawService((socket) => socket.write(answer))
    const order = await batch(service, { now: () => Date.now(), monotonic: () => now })
    expect(await run(order)).toBe('answered')
    now += 1001
    expect(await run(order)).toBe('answered')
    expect(service.sockets).toHaveLength(2)
    await until(() => service.closed() === 1)
  })

  it('one that breaks under its second request ends it as unknown, and sends it no second time', async () => {
    const service = await rawService((socket, _request, nth) =>
      nth === 2 ? socket.resetAndDestroy() : socket.write(answer)
    )
    const order = await batch(service)
    expect([await run(order), await run(order), await run(order)]).toEqual(['answered', 'unknown', 'answered'])
    expect(service.received.join('').match(/POST /g)).toHaveLength(3)
  })

  it('one whose reply was not read to its end is never used again', async () => {
    const service = await rawService((socket, _request, nth) =>
      socket.write(nth === 1 ? httpReply('x'.repeat(5000)) : answer)
    )
    const lines = createLinePool(() => performance.now())
    onTestFinished(() => lines.close())
    const order = await orderTo(service.origin, {
      lines,
      limits: { connectTimeout: 5, totalTimeout: 5, maxReplyBytes: 1024 }
    })
    expect([await run(order), await run(order)]).toEqual(['invalid-response', 'answered'])
    expect(service.sockets).toHaveLength(2)
  })

  it('one that closes in the very moment of its second use is replaced, and the request is sent once', async () => {
    const service = await rawService((socket) => socket.write(answer))
    const pool = createLinePool(() => performance.now())
    onTestFinished(() => pool.close())
    const order = await orderTo(service.origin, {
      lines: {
        ...pool,
        take(key) {
          const line = pool.take(key)
          line?.socket.destroy()
          return line
        }
      }
    })
    expect([await run(order), await run(order)]).toEqual(['answered', 'answered'])
    expect(service.received.join('').match(/POST /g)).toHaveLength(2)
    expect(service.sockets).toHaveLength(2)
  })

  it('every connection closes with the pool', async () => {
    const service = await rawService((socket) => socket.write(answer))
    const order = await batch(service)
    await run(order)
    order.lines?.close()
    await until(() => service.closed() === 1)
  })
})
