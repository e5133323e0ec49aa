import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReply } from '#core/client/parse.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const deep = 100_000

describe('strict reading of a reply', () => {
  it.each([
    ['{"message":"ok"}', 'ok'],
    [' \r\n{"message":"","more":{"a":[1]}}\n', ''],
    ['{"message":"\\u00e9\\ud83d\\ude00"}', 'é😀'],
    ['{"__proto__":{"message":"x"},"message":"own"}', 'own'],
    [`{"message":"deep","more":${'['.repeat(deep)}${']'.repeat(deep)}}`, 'deep']
  ])('reads %.40s', (text, message) => {
    expect(parseReply(bytes(text))).toEqual({ ok: true, value: message })
  })

  const faults: [string, Uint8Array, string][] = [
    ['empty', bytes(''), 'empty'],
    ['blank', bytes(' \n'), 'blank'],
    ['truncated', bytes('{"message":"ok"'), 'not-json'],
    ['two values', bytes('{"message":"ok"}{}'), 'not-json'],
    ['HTML', bytes('<!doctype html><p>{"message":"ok"}'), 'web-page'],
    ['byte order mark', bytes('\ufeff{"message":"ok"}'), 'byte-order-mark'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x7b, 0x00]), 'not-utf8'],
    [
      'invalid UTF-8 within the message',
      Uint8Array.from([...bytes('{"message":"'), 0xc3, 0x28, ...bytes('"}')]),
      'not-utf8'
    ],
    ['array', bytes('[{"message":"ok"}]'), 'array'],
    ['null', bytes('null'), 'null'],
    ['bare text', bytes('"message"'), 'other-value'],
    ['no message', bytes('{"Message":"ok"}'), 'no-message'],
    ['inherited message', bytes('{"__proto__":{"message":"ok"}}'), 'no-message'],
    ['number', bytes('{"message":1}'), 'message-not-text'],
    ['null message', bytes('{"message":null}'), 'message-not-text'],
    ['object message', bytes('{"message":{"message":"ok"}}'), 'message-not-text'],
    ['comment', bytes('{"message":"ok"} // done'), 'not-json'],
    ['single quotes', bytes("{'message':'ok'}"), 'not-json'],
    ['100,000 open brackets', bytes('['.repeat(deep)), 'not-json'],
    ['100,000 nested objects', bytes(`${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`), 'no-message']
  ]
  it.each(faults)('%s is no answer', (_name, body, why) => {
    const read = parseReply(body)
    expect(read).toMatchObject({ ok: false, failure: { reason: why } })
  })

  it('no cut of an answer is an answer', () => {
    const whole = bytes('{"message":"é ok","a":[1,{"message":"x"}]}')
    for (let length = 0; length < whole.length; length += 1)
      expect(parseReply(whole.subarray(0, length)).ok).toBe(false)
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (body) => typeof parseReply(body).ok === 'boolean'))
  })
})
