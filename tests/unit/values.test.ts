/** Canonical JSON against the examples of RFC 8785, and the digests of single values. */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { canonical, recordedJson } from '#kit/hashing/canonical-json.ts'
import {
  hashOfEvent,
  namedValues,
  partDigest,
  recordedValues,
  saltedValues,
  valueDigest,
  valuesDigest
} from '#kit/hashing/values.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

describe('canonical JSON', () => {
  test('the example of RFC 8785, 3.2.2 and 3.2.3', () => {
    const value: unknown = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonical(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`
    )
  })

  test('names are sorted by UTF-16 code units (RFC 8785, 3.2.3)', () => {
    const value: unknown = JSON.parse(
      String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`
    )
    expect(Object.values(JSON.parse(canonical(value)) as object)).toHaveLength(7)
    expect([...canonical(value).matchAll(/"([^"]*)":/g)].map(([, name]) => name)).toEqual([
      String.raw`\r`,
      '1',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\ud83d\ude00',
      '\ufb33'
    ])
  })

  test.each([
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000'],
    [1e-7, '1e-7'],
    [0.1, '0.1'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991']
  ])('the number %d', (number, text) => {
    expect(canonical(number)).toBe(text)
  })

  test('an unpaired surrogate is U+FFFD, and values that JSON does not have are refused', () => {
    expect(canonical({ '\udc00': ['a\ud83d', '\ud83d\ude00'] })).toBe('{"\ufffd":["a\ufffd","\ud83d\ude00"]}')
    for (const value of [Number.NaN, Infinity, 1n, () => 1]) expect(() => canonical(value)).toThrow(TypeError)
  })
})

test('what is recorded has U+FFFD for each unpaired surrogate, and everything else as it was', () => {
  const values = {
    'a\udc00': 'b\ud83d',
    'paired': ['\ud83d\ude00', String.raw`\ud83d`, '\\\ud83d', 1],
    'none': undefined
  }
  const text = recordedJson(values)
  expect(JSON.parse(text)).toEqual({
    'a\ufffd': 'b\ufffd',
    'paired': ['\ud83d\ude00', String.raw`\ud83d`, '\\\ufffd', 1]
  })
  expect(text.isWellFormed()).toBe(true)
})

describe('digests of values', () => {
  const salt = '00112233445566778899aabbccddeeff'

  test('a value is proved by salt, name and value', () => {
    expect(valueDigest([salt, 'took', 1.5])).toBe(sha256(`["${salt}","took",1.5]`))
    expect(valueDigest([salt, 'took', '1.5'])).not.toBe(valueDigest([salt, 'took', 1.5]))
  })

  test('a part does not depend on the order of its values', () => {
    const [a, b] = [sha256('a'), sha256('b')]
    expect(valuesDigest([a, b])).toBe(valuesDigest([b, a]))
    expect(valuesDigest([])).toBe(sha256('[]'))
  })

  test('each value has a salt of its own, and those of an input are separate', () => {
    const values = saltedValues(salt, { operator: 'jo', input: { name: 'A', id: 'B' }, note: undefined })
    expect(values.map(([, name, value]) => [name, value])).toEqual([
      ['input.id', 'B'],
      ['input.name', 'A'],
      ['operator', 'jo']
    ])
    expect(new Set(values.map(([each]) => each)).size).toBe(3)
    expect(values.every(([each]) => /^[0-9a-f]{32}$/.test(each))).toBe(true)
    expect(saltedValues(salt, { operator: 'jo' })).not.toEqual(saltedValues('0'.repeat(32), { operator: 'jo' }))
    expect(namedValues({ input: ['x'] })).toEqual([['input', ['x']]])
  })

  test.each([
    [{}],
    [
      {
        input: { b: 1, a: null },
        z: ['x', { y: 2, w: undefined }],
        text: '\ud83d “x”',
        gone: undefined,
        took: 0.1,
        no: false,
        more: {},
        again: -0
      }
    ]
  ])('the digest of a whole part: %j', (part) => {
    const digest = valuesDigest(saltedValues(salt, part).map(valueDigest))
    expect(partDigest(salt, part)).toBe(digest)
    // The digest is that of the recorded text, in which nothing is undefined.
    expect(partDigest(salt, JSON.parse(recordedJson(part)) as object as Readonly<Record<string, unknown>>)).toBe(digest)
  })

  describe('the values of a stored part', () => {
    const part = { input: { b: 'B', a: 'A' }, on: [1, { z: 1, y: 0.1 }], operator: 'jo', no: null }
    const text = recordedJson(part)
    const digest = partDigest(salt, part)

    test('are those of their digest', () => {
      expect(recordedValues(salt, text, digest)).toEqual(part)
      expect(recordedValues(salt, '{}', partDigest(salt, {}))).toEqual({})
      const odd = { name: 'a\ud83d', paired: '\ud83d\ude00', line: 'a\nb\u2028"\\', none: undefined, small: -0 }
      expect(recordedValues(salt, recordedJson(odd), partDigest(salt, odd))).toEqual({
        ...{ name: 'a\ufffd', paired: '\ud83d\ude00', line: 'a\nb\u2028"\\', small: 0 }
      })
    })

    test.each([
      ['another value', text.replace('jo', 'al')],
      ['another value inside another one', text.replace('0.1', '0.2')],
      ['another value of an input', text.replace('"A"', '"B"')],
      ['a value less', text.replace(',"no":null', '')],
      ['a value more', text.replace(/\}$/, ',"more":1}')],
      ['two values exchanged', text.replace('"b":"B","a":"A"', '"b":"A","a":"B"')],
      ['another order', text.replace('"b":"B","a":"A"', '"a":"A","b":"B"')],
      // The same digest, but other programs read other values.
      ['a name twice', text.replace('{"input"', '{"operator":"al","input"')],
      ['a name twice inside another one', text.replace('{"z":1', '{"z":2,"z":1')],
      ['an input that is none', text.replace('"input":{"b":"B","a":"A"}', '"input.b":"B","input.a":"A"')],
      ['half an input', text.replace('"b":"B","a":"A"}', '"b":"B"},"input.a":"A"')],
      ['white space', `${text} `],
      ['an escape', text.replace('jo', String.raw`\u006ao`)],
      ['another number', text.replace('0.1', '1e-1')],
      ['an unpaired surrogate', text.replace('jo', String.raw`\ud83d`)],
      ['a list', '[]'],
      ['null', 'null'],
      ['a text', '"jo"'],
      ['no JSON', '{'],
      ['nothing', ''],
      ['too many in each other', `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`]
    ])('are refused: %s', (_, other) => {
      expect(other).not.toBe(text)
      expect(recordedValues(salt, other, digest)).toBeUndefined()
    })

    test('have no other digest and no other salt', () => {
      expect(recordedValues(salt, text, partDigest(salt, { ...part, no: 1 }))).toBeUndefined()
      expect(recordedValues('0'.repeat(32), text, digest)).toBeUndefined()
      expect(recordedValues(salt, text, '')).toBeUndefined()
    })
  })

  test('the hash of an event covers all that it names', () => {
    const event = {
      seq: 2,
      at: 1_760_000_000_000,
      kind: 'note.made',
      subject: 7,
      record: null,
      links: { subject: [2, 1] },
      plain: 'a'.repeat(64),
      sealed: null,
      previous: '0'.repeat(64)
    } as const
    expect(hashOfEvent(event)).toBe(
      sha256(
        `{"at":1760000000000,"kind":"note.made","links":{"subject":[2,1]},"plain":"${'a'.repeat(64)}","previous":"${'0'.repeat(64)}","record":null,"sealed":null,"seq":2,"subject":7,"version":1}`
      )
    )
    const others = [
      { seq: 3 },
      { at: 1 },
      { kind: 'x' },
      { subject: null },
      { record: 1 },
      { links: {} },
      { plain: 'b'.repeat(64) },
      { sealed: 'a'.repeat(64) },
      { previous: '1'.repeat(64) }
    ]
    for (const other of others) expect(hashOfEvent({ ...event, ...other })).not.toBe(hashOfEvent(event))
  })
})
