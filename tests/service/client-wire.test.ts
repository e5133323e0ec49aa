/** One request on the wire, beneath axios: what it costs that nobody reads. */
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { post } from '#core/client/wire.ts'
import { bodySent, httpReply, rawService } from './support/client-order.ts'

afterEach(() => vi.unstubAllGlobals())

/** Posts once, reads the reply whole, and lists the words of every error that was made until the connection had closed. */
async function errorsOf(reply: string): Promise<readonly unknown[]> {
  const service = await rawService((socket) => socket.end(reply))
  const made: unknown[] = []
  vi.stubGlobal('Error', new Proxy(Error, { construct: (target, [words]) => (made.push(words), Reflect.construct(target, [words])) }))
  const agent = new http.Agent()
  const request = { url: `${service.origin}/`, headers: {}, body: bodySent, agent, stop: new AbortController().signal }
  const answered = await post(request).catch(() => undefined)
  if (answered) {
    const closed = once(answered.socket, 'close')
    await text(answered)
    await closed
  }
  vi.unstubAllGlobals()
  return made
}

it('makes an error of a connection that closed without a reply, and none beside a reply', async () => {
  expect(await errorsOf('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')).toEqual(['closed without a reply'])
  expect(await errorsOf(httpReply('{"message":"valid"}'))).toEqual([])
})
