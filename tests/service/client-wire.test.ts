/**
 * One request on the wire: the cost of errors that nobody reads.
 * @deadlines
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it, vi } from 'vitest'
import { postOnce } from '#core/client/http.ts'
import { openLine } from '#core/client/line.ts'
import { bodySent, httpReply, rawService } from './support/client-order.ts'

afterEach(() => vi.unstubAllGlobals())

/** Posts once, reads the complete reply, and lists every error created until the connection closed. */
async function errorsOf(reply: string): Promise<readonly unknown[]> {
  const service = await rawService((socket) => socket.end(reply))
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1')
  await once(socket, 'connect')
  const line = openLine(socket, false, false)
  const made: unknown[] = []
  vi.stubGlobal(
    'Error',
    new Proxy(Error, { construct: (target, [words]) => (made.push(words), Reflect.construct(target, [words])) })
  )
  const answered = await postOnce({
    url: `${service.origin}/`,
    headers: {},
    body: bodySent,
    line,
    stop: new AbortController().signal
  })
  if (answered.ok) {
    const closed = once(answered.value.socket, 'close')
    await text(answered.value)
    await closed
  }
  vi.unstubAllGlobals()
  return made
}

it('makes an error of a connection that closed without a reply, and none beside a reply', async () => {
  expect(await errorsOf('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n')).toEqual([
    'closed without a reply'
  ])
  expect(await errorsOf(httpReply('{"message":"valid"}'))).toEqual([])
})
