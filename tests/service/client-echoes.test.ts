/**
 * A service that returns what it was sent, in common encodings: none of it reaches a result.
 * @deadlines
 */
import { expect, it } from 'vitest'
import { sendVerification } from '#core/client/send.ts'
import { canaries, httpReply, orderTo, rawService } from './support/client-order.ts'

const key = canaries['api-key']
const hex = (text: string): string => Buffer.from(text).toString('hex')

it.each([
  ['the whole request in base64', (request: string) => Buffer.from(request).toString('base64')],
  ['the whole request in hexadecimal', hex],
  ['the whole request, percent-encoded twice', (request: string) => encodeURIComponent(encodeURIComponent(request))],
  ['the whole request as numbers', (request: string) => JSON.stringify([...Buffer.from(request)])],
  ['the headers in upper case', (request: string) => request.toUpperCase()]
])('%s', async (_name, echo) => {
  const service = await rawService((socket, request) => {
    const [head = ''] = request.split('\r\n\r\n')
    const headers = [
      `retry-after: ${hex(key)}`,
      `x-trace: ${encodeURIComponent(key).toLowerCase()}`,
      `x-${hex(key)}: 1`,
      'x-kept: 1'
    ]
    socket.end(
      httpReply(JSON.stringify({ message: `got ${echo(head)}`, [echo(head)]: 1 }), headers, `200 ${[...key].join(' ')}`)
    )
  })
  const ending = await sendVerification(await orderTo(service.origin))
  expect(ending.outcome).toBe('answered')
  const body = JSON.parse(ending.reply?.body ?? '') as { message: string }
  expect(ending.message).toBe(body.message)
  expect(ending.message).toContain('<API_KEY>')
  expect(ending.reply?.statusText).toBe('<API_KEY>')
  expect(ending.reply?.headers.map(([name]) => name)).toEqual(['content-length', 'content-type', 'x-kept'])
  const kept = JSON.stringify(ending).toLowerCase()
  for (const value of Object.values(canaries)) {
    for (let at = 0; at + 12 <= value.length; at += 1) {
      const piece = value.slice(at, at + 12)
      for (const form of [piece, hex(piece), Buffer.from(piece).toString('base64'), [...Buffer.from(piece)].join(',')])
        expect(kept).not.toContain(form.toLowerCase())
    }
  }
})

it('a redirect to an address that holds one, whatever its form', async () => {
  const service = await rawService((socket) =>
    socket.end(httpReply('', [`location: https://${hex(key)}.example.com/`], '302 Found'))
  )
  const ending = await sendVerification(await orderTo(service.origin))
  expect(ending).toMatchObject({ outcome: 'invalid-response', failure: { code: 'reply-redirect' } })
  expect(JSON.stringify(ending)).not.toContain(hex(key))
})
