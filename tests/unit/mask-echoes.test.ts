/**
 * What the mask finds of the credentials in a response, however the service encodes them, and what it leaves unchanged.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMask } from '#core/client/mask.ts'

const values = {
  'api-key': 'ak_7Hq2mZx9Rt4Wn8Lb3Vc6',
  'api-secret': 'Zt9/kQ4+wX7p%2Fy1&"u\\m8==Jd5sGf3',
  'authorization': 'Bearer 5f1c9e77ab03d2e84c6b9a1fd07e3258'
}
const mask = createMask(values, { applicant_id: 'A-7' })

type Encoding = (text: string) => string
const each = (text: string, write: (code: number, char: string) => string): string =>
  [...text].map((char) => write(char.charCodeAt(0), char)).join('')
const hexOf = (code: number): string => code.toString(16).padStart(2, '0')
const encodings: Readonly<Record<string, Encoding>> = {
  'as sent': (text) => text,
  'in upper case': (text) => text.toUpperCase(),
  'in lower case': (text) => text.toLowerCase(),
  'with spaces': (text) => [...text].join(' '),
  'with characters of no width': (text) => [...text].join('\u200b'),
  'in groups of four': (text) => text.replace(/.{4}/gs, '$&-'),
  'in wide characters': (text) =>
    each(text, (code, char) => (code > 32 && code < 127 ? String.fromCharCode(code + 0xfee0) : char)),
  'in JSON': (text) => JSON.stringify(text).slice(1, -1),
  'in JSON, all escaped': (text) => each(text, (code) => `\\u00${hexOf(code)}`),
  'in \\x': (text) => each(text, (code) => `\\x${hexOf(code)}`),
  'percent-encoded': encodeURIComponent,
  'percent-encoded in lower case': (text) => encodeURIComponent(text).replace(/%../g, (found) => found.toLowerCase()),
  'percent-encoded, all of it': (text) => each(text, (code) => `%${hexOf(code)}`),
  'in HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&sol;'),
  'in decimal entities': (text) => each(text, (code) => `&#${code};`),
  'in hexadecimal entities': (text) => each(text, (code) => `&#x${hexOf(code).toUpperCase()};`),
  'in hexadecimal': (text) => each(text, hexOf),
  'in hexadecimal, upper case and colons': (text) =>
    [...text].map((char) => hexOf(char.charCodeAt(0)).toUpperCase()).join(':'),
  'in hexadecimal with 0x': (text) => [...text].map((char) => `0x${hexOf(char.charCodeAt(0))}`).join(', '),
  'in numbers': (text) => [...text].map((char) => char.charCodeAt(0)).join(', '),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64url': (text) => Buffer.from(text).toString('base64url'),
  'in base64, at the second place': (text) => Buffer.from(`x${text}y`).toString('base64'),
  'in base64, at the third place': (text) => Buffer.from(`ab${text}y`).toString('base64'),
  'in base64, of a whole request': (text) =>
    Buffer.from(`POST /kyc HTTP/1.1\r\nx-api-key: ${text}\r\naccept: */*\r\n\r\n{}`).toString('base64'),
  'in base64, in lines': (text) => Buffer.from(`authorization: ${text}`).toString('base64').replace(/.{20}/g, '$&\r\n'),
  'in base64, of UTF-16': (text) => Buffer.from(text, 'utf16le').toString('base64')
}

const fold = (text: string): string =>
  text
    .replace(/[\uff01-\uff5e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - 0xfee0))
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

/** The decodings of a text, by decoders of the test that are independent of the mask's. */
function readings(text: string): readonly string[] {
  const escapes = (from: string): string =>
    from
      .replace(/\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]+);/gi, (_all, ...hex: string[]) =>
        String.fromCharCode(parseInt(hex.slice(0, 4).find((found) => found) ?? '', 16))
      )
      .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
      .replace(/&(?:amp|quot|sol);/g, ' ')
      .replace(/\\([\\"/])/g, '$1')
  const runs = (from: string, run: RegExp, read: (found: string) => string[]): string[] =>
    (from.match(run) ?? []).flatMap(read)
  const bytes = (from: string): string[] => [
    ...runs(from, /[\w+/\r\n-]{11,}/g, (run) =>
      [0, 1, 2, 3].map((skip) => Buffer.from(run.replace(/\s/g, '').slice(skip), 'base64').toString('latin1'))
    ),
    ...runs(from, /(?:(?:0x)?[\da-f]{2}[\s:,]*){8,}/gi, (run) => [
      Buffer.from(run.replace(/0x|[^\da-f]/gi, ''), 'hex').toString('latin1')
    ]),
    ...runs(from, /(?:\d{2,3},\s*){7,}\d{2,3}/g, (run) => [String.fromCharCode(...run.split(',').map(Number))])
  ]
  const unescaped = (from: string): string[] => [
    from,
    escapes(from),
    escapes(escapes(from)),
    escapes(escapes(escapes(from)))
  ]
  const once = unescaped(text)
  const twice = once.flatMap(bytes).flatMap(unescaped)
  return [...once, ...twice, ...twice.flatMap(bytes).flatMap(unescaped)]
}

/** A part of a secret that can still be read in a text. */
function piece(text: string, secret: string, length: number): string | undefined {
  const pieces = new Set(
    Array.from({ length: Math.max(0, fold(secret).length - length + 1) }, (_, at) =>
      fold(secret).slice(at, at + length)
    )
  )
  for (const reading of readings(text)) {
    const folded = fold(reading)
    for (let at = 0; at + length <= folded.length; at += 1)
      if (pieces.has(folded.slice(at, at + length))) return folded.slice(at, at + length)
  }
  return undefined
}

describe('credentials that a service sends back', () => {
  it.each(Object.entries(encodings))('%s', (_name, encode) => {
    for (const [id, value] of Object.entries(values)) {
      const text = `before ${encode(value)} after`
      expect(piece(text, value, 12), 'the test must see it').toBeDefined()
      expect(piece(mask.text(text), value, 12), id).toBeUndefined()
      expect(mask.holdsSecret(text)).toBe(true)
      expect(mask.text(text)).toMatch(/^before .*<(API_KEY|API_SECRET|AUTHORIZATION_VALUE)>.* after$/s)
    }
  })

  it('whatever they are, encoded twice, in JSON that stays JSON', () => {
    const alphabets = [
      '0123456789abcdef',
      'abcdefghijklmnopqrstuvwxyz0123456789',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=.~%&"\\'
    ]
    const secret = fc
      .constantFrom(...alphabets)
      .chain((alphabet) =>
        fc
          .string({ unit: fc.constantFrom(...alphabet), minLength: 32, maxLength: 90 })
          .filter((value) => new Set(fold(value)).size >= 10)
      )
    const encoding = fc.constantFrom(...Object.keys(encodings))
    let seen = 0
    fc.assert(
      fc.property(secret, encoding, encoding, fc.json(), fc.boolean(), (value, first, second, other, asKey) => {
        const echo = encodings[second]?.(encodings[first]?.(value) ?? '') ?? ''
        const text = JSON.stringify(
          asKey
            ? { message: 'm', [echo]: other }
            : { message: `before ${echo} after`, other: JSON.parse(other) as unknown }
        )
        if (piece(text, value, 24)) seen += 1
        const masked = createMask({ ...values, 'api-key': value }, {}).text(text)
        expect(Object.keys(JSON.parse(masked) as object)).toHaveLength(2)
        expect(piece(masked, value, 24), `${first}, ${second}`).toBeUndefined()
      }),
      { numRuns: 400 }
    )
    // Base64 in upper case and the like is unreadable.
    expect(seen).toBeGreaterThan(250)
  })

  it('in pieces of twelve, and of eight where letters and digits mix', () => {
    for (const [start, length] of [
      [3, 12],
      [7, 9],
      [10, 14]
    ] as const) {
      const part = values.authorization.slice(7 + start, 7 + start + length)
      expect(mask.text(`ends in ${part}.`)).toBe('ends in <AUTHORIZATION_VALUE>.')
    }
  })

  it('in pieces of eight to eleven with one digit or one letter, and as a whole of eight to eleven that mixes them, words or not', () => {
    const secret = createMask({ ...values, 'api-key': 'kQxWzvT7-bNpLmcRsDfGh-90261735k4' }, {})
    for (const part of ['kQxWzvT7', 'QxWzvT7bNp', '90261735k', '261735k4'])
      expect(secret.text(`ends in ${part}.`), part).toBe('ends in <API_KEY>.')
    for (const value of ['Sandbox42', 'kyc2live', 'Partner7', '1234567x']) {
      const short = createMask({ ...values, 'api-key': value }, {})
      for (const text of [value, value.toUpperCase(), value.replace(/.../, '$&-')])
        expect(short.text(`it is ${text}.`), text).toBe('it is <API_KEY>.')
    }
  })

  it('as the user name and password of the Basic scheme', () => {
    const basic = createMask(
      { ...values, authorization: `Basic ${Buffer.from('workspace:Vq8Zr2Lw5Xn1').toString('base64')}` },
      {}
    )
    expect(basic.text('no user workspace:Vq8Zr2Lw5Xn1 here')).toBe('no user <AUTHORIZATION_VALUE> here')
    expect(basic.text('wrong password Vq8Zr2Lw5Xn1')).toBe('wrong password <AUTHORIZATION_VALUE>')
  })

  it('in a long reply, at every place of it', () => {
    const echo = Buffer.from(`x-api-key: ${values['api-key']}`).toString('hex')
    for (const at of [0, 49_000, 65_500, 65_536, 114_600, 200_000 - echo.length]) {
      const text = `${'. '.repeat(at / 2)}${echo}${'. '.repeat((200_000 - at - echo.length) / 2)}`
      expect(
        piece(mask.text(text).slice(Math.max(0, at - 500), at + 500), values['api-key'], 10),
        String(at)
      ).toBeUndefined()
    }
  })
})

describe('what holds the masked reply together', () => {
  const digits = createMask({ ...values, 'api-key': '902617354418' }, {})
  it.each([
    ['a number becomes a text', '{"id": 902617354418, "n": 1}', { id: '<API_KEY>', n: 1 }],
    [
      'numbers that are characters',
      `{"data":[${[...values['api-key']].map((char) => char.charCodeAt(0)).join(',')}],"n":1}`,
      { data: Array.from(values['api-key'], () => '<API_KEY>'), n: 1 }
    ],
    [
      'a value in two texts of a list',
      `["${values['api-key'].slice(0, 12)}","${values['api-key'].slice(12)}"]`,
      ['<API_KEY>', '<API_KEY>']
    ],
    ['an escape before it', `{"a":"\\n${values['api-key']}\\u0041\\\\"}`, { a: '\n<API_KEY>A\\' }]
  ])('%s', (_name, text, expected) => {
    expect(JSON.parse((text.includes('9026') ? digits : mask).text(text))).toEqual(expected)
  })

  it.each(['n', 'r', 't', 'b', 'f', 'u0041'])(
    'an escape \\%s is not cut in two where the value begins like it',
    (letters) => {
      const value = `${letters}7Hq2mZx9Rt4Wn8`
      const masked = createMask({ ...values, 'api-key': value }, {}).text(`{"a":"x\\${value}"}`)
      expect(JSON.parse(masked)).toEqual({ a: 'x<API_KEY>' })
    }
  )
})

describe('what is no credential is left to the letter', () => {
  it('in any JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.uint8Array({ maxLength: 300 }), (json, bytes) => {
        for (const text of [
          json,
          JSON.stringify({ json, image: Buffer.from(bytes).toString('base64'), id: Buffer.from(bytes).toString('hex') })
        ])
          expect(mask.text(text)).toBe(text)
      }),
      { numRuns: 500 }
    )
  })

  it('where a value is short or made of words', () => {
    const weak = createMask(
      { 'api-key': '12345678', 'api-secret': 'acme-validation-service-2026', 'authorization': 'Bearer test' },
      {}
    )
    const honest = JSON.stringify({
      message:
        'The ACME validation service tested applicant A12345678 in 2026: the latest contest, 123456789, 1234 5678.',
      reference: '912345678',
      image: randomBytes(6000).toString('base64'),
      digest: randomBytes(3000).toString('hex'),
      scheme: 'Bearer tests'
    })
    expect(weak.text(honest)).toBe(honest)
    const row = createMask({ ...values, 'api-key': '0'.repeat(20) }, {})
    expect(row.text(`${'0'.repeat(20)}, ${'0'.repeat(24)}`)).toBe(`<API_KEY>, ${'0'.repeat(24)}`)
    expect(weak.text('key 12345678 of “acme-validation-service-2026”, %31%32345678')).toBe(
      'key <API_KEY> of “<API_SECRET>”, <API_KEY>'
    )
  })

  it('a JSON Web Token of somebody else', () => {
    const token = (payload: object): string =>
      `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${randomBytes(32).toString('base64url')}`
    const own = createMask({ ...values, authorization: `Bearer ${token({ sub: 'workspace' })}` }, {})
    expect(own.text(`{"message":"other ${token({ person: 'x' }).split('.')[2]}"}`)).not.toContain('<')
  })
})
