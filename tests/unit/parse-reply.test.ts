import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReply, textOfReply } from '#core/client/parse.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const deep = 100_000

describe('strict reading of a reply', () => {
  it.each([
    ['{"message":"ok"}', 'ok'],
    [' \r\n{"message":"","more":{"a":[1]}}\n', ''],
    ['\ufeff{"message":"after a byte order mark"}', 'after a byte order mark'],
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
    ['two byte order marks', bytes('\ufeff\ufeff{"message":"ok"}'), 'not-json'],
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

  const turkish = Uint8Array.from([...bytes('{"message":"'), 0xdd, 0xde, ...bytes('L"}')])
  const utf16 = Uint8Array.from(Buffer.from('{"message":"İŞL"}', 'utf16le'))
  const utf8 = bytes('{"message":"İŞL"}')
  it.each([
    ['windows-1254', turkish, 'application/json; charset=windows-1254', 'İŞL'],
    ['ISO-8859-9 in quotes', turkish, 'application/json;Charset="ISO-8859-9"', 'İŞL'],
    ['UTF-16', utf16, 'application/json; charset=utf-16', 'İŞL'],
    [
      'UTF-16 of ASCII, which is valid UTF-8',
      Uint8Array.from(Buffer.from('{"message":"ok"}', 'utf16le')),
      'text/json; charset=UTF-16LE',
      'ok'
    ],
    // RFC 8259 gives the parameter no meaning, and servers state Latin-1 for what they write in UTF-8.
    ['UTF-8 that states Latin-1', utf8, 'application/json; charset=ISO-8859-1', 'İŞL'],
    ['UTF-8 that states nothing known', utf8, 'application/json; charset=x-user', 'İŞL']
  ])('reads the character set that is stated: %s', (_, body, type, message) =>
    expect(parseReply(body, type)).toEqual({ ok: true, value: message })
  )
  it.each([
    ['nothing stated', turkish, 'application/json'],
    ['an unknown one stated', turkish, 'application/json; charset=x-user'],
    ['UTF-16 that is none', turkish, 'application/json; charset=utf-16be']
  ])('guesses none: %s', (_, body, type) => expect(parseReply(body, type).ok).toBe(false))
  it.each([
    ['exact', utf8, '', { text: '{"message":"İŞL"}', exact: true, damaged: false }],
    ['a mark', bytes('\ufeffa'), '', { text: 'a', exact: false, damaged: false }],
    ['a cut character', Uint8Array.from([0x61, 0xc4]), '', { text: 'a', exact: true, damaged: false }],
    ['damaged', turkish, '', { text: '{"message":"\ufffd\ufffdL"}', exact: false, damaged: true }]
  ])('says whether the text gives the bytes back: %s', (name, body, type, read) =>
    expect(textOfReply(body, type, name === 'a cut character')).toEqual(read)
  )

  it('no cut of an answer is an answer', () => {
    const whole = bytes('{"message":"é ok","a":[1,{"message":"x"}]}')
    for (let length = 0; length < whole.length; length += 1)
      expect(parseReply(whole.subarray(0, length)).ok).toBe(false)
  })

  it('never throws, whatever the bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (body) => typeof parseReply(body).ok === 'boolean'))
  })
})
