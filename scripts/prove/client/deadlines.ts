/** The two deadlines at their default lengths, against services and networks that stay silent or slow. */
import type { Socket } from 'node:net'
import { defaultSettings } from '#contract/settings/settings.ts'
import { sendVerification, type SendOrder } from '#core/client/send.ts'
import { rowOf } from '../../figures/row.ts'
import type { Measured, SectionRun } from '../../figures/section.ts'
import { orderTo, startRawService, trustIn, type TestService } from '../../../tests/service/support/client-services.ts'
import { startBlackHole } from './black-hole.ts'

/** Milliseconds beyond a deadline. */
const aim = 500
/** Milliseconds by which a timer may be early: the clocks are not the same. */
const early = 50

interface Kind {
  readonly name: string
  readonly deadline: 'connect' | 'total'
  readonly origin: string
  readonly but?: Partial<SendOrder>
}

const drip =
  (text: string) =>
  (socket: Socket): void => {
    let at = 0
    const timer = setInterval(
      () => (socket.destroyed ? clearInterval(timer) : socket.write(text[at++ % text.length] ?? ' ')),
      50
    )
    socket.on('close', () => clearInterval(timer))
  }

/** Sends `times` to each kind at once, and returns the milliseconds beyond each one's deadline. */
async function overrun(
  kinds: readonly Kind[],
  limits: SendOrder['limits'],
  times: number,
  faults: string[]
): Promise<Map<string, number[]>> {
  const trust = await trustIn()
  const over = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
  const one = async ({ name, deadline, origin, but }: Kind): Promise<void> => {
    const order = await orderTo(origin, { trust, limits, ...but })
    const begun = performance.now()
    const ending = await sendVerification(order)
    const took = performance.now() - begun
    const limit = 1000 * (deadline === 'connect' ? limits.connectTimeout : limits.totalTimeout)
    over.get(name)?.push(Math.max(0, took - limit))
    if (took < limit - early) faults.push(`${name}: ended after ${Math.round(took)} ms, before its deadline`)
    const wanted = deadline === 'connect' ? 'not-sent connect-timeout' : 'unknown total-timeout'
    const got = `${ending.outcome} ${ending.failure?.code ?? ''}`
    if (got !== wanted) faults.push(`${name}: ended as ${got} instead of ${wanted}`)
  }
  await Promise.all(kinds.flatMap((kind) => Array.from({ length: times }, () => one(kind))))
  return over
}

/** Runs into each deadline. Errors: endings other than those promised, and endings before the deadline. */
export async function proveDeadlines({ sized, progress }: SectionRun): Promise<Measured> {
  const limits = {
    ...defaultSettings,
    connectTimeout: sized(defaultSettings.connectTimeout, 1),
    totalTimeout: sized(defaultSettings.totalTimeout, 2)
  }
  const faults: string[] = []
  const silent = await startRawService(() => undefined)
  const headers = await startRawService(drip(`HTTP/1.1 200 OK\r\nx-slow: ${'a'.repeat(60_000)}`))
  const body = await startRawService(
    (socket) => (socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n'), drip('{"message":"m"}')(socket))
  )
  const services: TestService[] = [silent, headers, body]
  const hole = await startBlackHole(false)
  const stopped = await startBlackHole(true)
  const proxy = (port: number): SendOrder['route'] => ({
    hops: [{ kind: 'proxy', secure: false, host: '127.0.0.1', port }]
  })
  const kinds: Kind[] = [
    ...(hole
      ? [
          {
            name: 'the network drops the connection’s packets',
            deadline: 'connect',
            origin: `http://127.0.0.1:${hole.port}`
          } as const
        ]
      : []),
    ...(hole
      ? [
          {
            name: 'the same behind a proxy',
            deadline: 'connect',
            origin: 'https://service.invalid',
            but: { route: proxy(hole.port) }
          } as const
        ]
      : []),
    { name: 'TLS is never answered', deadline: 'connect', origin: `https://127.0.0.1:${silent.port}` },
    {
      name: 'the proxy never answers',
      deadline: 'connect',
      origin: 'https://service.invalid',
      but: { route: proxy(silent.port) }
    },
    { name: 'the service never answers', deadline: 'total', origin: silent.origin },
    {
      name: 'the service is stopped and reads nothing',
      deadline: 'total',
      origin: `http://127.0.0.1:${stopped?.port}`
    },
    { name: 'headers a letter at a time', deadline: 'total', origin: headers.origin },
    { name: 'a body a letter at a time', deadline: 'total', origin: body.origin }
  ]
  try {
    const all = new Map<string, number[]>(kinds.map(({ name }) => [name, []]))
    const rounds = sized(3)
    for (let round = 1; round <= rounds; round += 1) {
      for (const [name, times] of await overrun(kinds, limits, 10, faults)) all.get(name)?.push(...times)
      progress(`${round} of ${rounds} rounds`)
    }
    return {
      notes: [
        `The deadlines are those of the default settings: ${limits.connectTimeout} s to connect, ${limits.totalTimeout} s in total.`
      ],
      rows: kinds.map(({ name, deadline }) =>
        rowOf({
          name: `${name}: beyond ${deadline === 'connect' ? limits.connectTimeout : limits.totalTimeout} s`,
          unit: 'ms',
          samples: all.get(name) ?? [],
          aims: { largest: aim }
        })
      ),
      notRun: hole
        ? []
        : [
            {
              name: 'packets dropped by the network',
              why: 'this system answers connections although the queue of the port is full'
            }
          ],
      faults
    }
  } finally {
    for (const service of services) service.end()
    hole?.end()
    stopped?.end()
  }
}
