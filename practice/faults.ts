/** Answers that break off, are slow, too large or redirected, as networks and proxies make them. */
import { brotliCompressSync, constants, createGzip, gzipSync } from 'node:zlib'
import { Readable } from 'node:stream'
import { ordinaryBody, send, type Exchange, type Player } from './exchange.ts'

function ordinaryText(exchange: Exchange): string {
  return JSON.stringify(ordinaryBody(exchange))
}

/** The ordinary response as raw HTTP text. */
function wireOf(exchange: Exchange): { head: string; body: string } {
  const body = ordinaryText(exchange)
  const head = [
    'HTTP/1.1 200 OK',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date(exchange.now()).toUTCString()}`,
    '\r\n'
  ].join('\r\n')
  return { head, body }
}

/** Writes bytes to the socket without Node's framing, then closes the connection. */
function writeAndClose({ response }: Exchange, bytes: Uint8Array): void {
  const socket = response.socket
  if (!socket) return
  if (bytes.length === 0) socket.destroy()
  else socket.write(bytes, () => socket.destroy())
}

/** Closes the connection at a given point of the response. */
export function cut(at: 'before-headers' | 'mid-headers' | 'mid-body'): Player {
  return (exchange) => {
    const { head, body } = wireOf(exchange)
    const wire = {
      'before-headers': '',
      'mid-headers': head.slice(0, 40),
      'mid-body': head + body.slice(0, Math.floor(body.length / 2))
    }[at]
    writeAndClose(exchange, Buffer.from(wire))
  }
}

/** Closes the connection after as many bytes of the response as the trigger's number. */
export const cutAfter: Player = (exchange) => {
  const { head, body } = wireOf(exchange)
  writeAndClose(exchange, Buffer.from(head + body).subarray(0, exchange.number))
}

/** Resets the connection (RST) instead of closing it. */
export const reset: Player = ({ response }) => {
  response.socket?.resetAndDestroy()
}

/** Sends nothing and keeps the connection open. */
export const silent: Player = () => {}

/** The ordinary response, one byte at a time. The trigger's number is the interval in milliseconds. */
export function drip(what: 'head' | 'body'): Player {
  return (exchange) => {
    const socket = exchange.response.socket
    const { head, body } = wireOf(exchange)
    const bytes = Buffer.from(head + body)
    let at = what === 'head' ? 0 : Buffer.byteLength(head)
    if (at > 0) socket?.write(bytes.subarray(0, at))
    const next = (): void => {
      if (!socket?.writable) return
      if (at === bytes.length) {
        socket.end()
        return
      }
      socket.write(bytes.subarray(at, ++at))
      exchange.after(exchange.number, next)
    }
    exchange.after(exchange.number, next)
  }
}

/** A redirect to another host name of this computer; the ledger shows whether a client followed it. */
export function redirect(code: number): Player {
  return ({ response, baseUrl }) => {
    const location = `http://localhost:${new URL(baseUrl).port}/redirected`
    send(response, code, JSON.stringify({ message: `The service has moved to ${location}.` }), { Location: location })
  }
}

/** The ordinary answer, compressed. */
export function compressed(coding: 'gzip' | 'br'): Player {
  return (exchange) => {
    const text = ordinaryText(exchange)
    send(exchange.response, 200, coding === 'gzip' ? gzipSync(text) : brotliCompressSync(text), {
      'Content-Encoding': coding
    })
  }
}

/** A valid answer whose message has as many KiB as the trigger's number. */
export const huge: Player = ({ response, number }) => {
  send(response, 200, JSON.stringify({ message: 'x'.repeat(number * 1024) }))
}

function* beginningThenFilling(kibibytes: number): Generator<Buffer> {
  yield Buffer.from('{"message":"')
  const filling = Buffer.alloc(64 * 1024, 'x')
  for (let sent = 0; sent < kibibytes; sent += 64) yield filling
  yield Buffer.from('"}')
}

/** An endless answer, sent as fast as the client reads. */
export const endless: Player = ({ response }) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  stream(Readable.from(beginningThenFilling(Infinity)), response)
}

/** A few kilobytes that expand to as many MiB as the trigger's number. */
export const bomb: Player = ({ response, number }) => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
  const packed = createGzip({ level: constants.Z_BEST_SPEED })
  stream(Readable.from(beginningThenFilling(number * 1024)), packed)
  stream(packed, response)
}

/** Pipes a stream, and destroys the source when the target closes. */
function stream(source: Readable, target: NodeJS.WritableStream): void {
  source.on('error', () => source.destroy())
  target.on('error', () => source.destroy())
  target.on('close', () => source.destroy())
  source.pipe(target)
}
