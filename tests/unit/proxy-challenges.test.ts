/** The schemes by which a proxy lets users sign in, as its headers name them. */
import { expect, it } from 'vitest'
import { acceptsBasic, challengesOf } from '#core/client/challenges.ts'

it.each([
  [['Basic realm="Company proxy", charset="UTF-8"'], [{ scheme: 'Basic', realm: 'Company proxy' }]],
  [
    ['Negotiate', 'NTLM', 'basic realm=x'],
    [{ scheme: 'Negotiate' }, { scheme: 'NTLM' }, { scheme: 'basic', realm: 'x' }]
  ],
  [
    ['Digest qop="auth,auth-int", realm="a, \\"b\\"", Basic realm="c"'],
    [
      { scheme: 'Digest', realm: 'a, "b"' },
      { scheme: 'Basic', realm: 'c' }
    ]
  ],
  [['Negotiate YIIGdQ=='], [{ scheme: 'Negotiate' }]],
  [['', ' , ,"', '\u0000\u0001'], []],
  [
    [Array.from({ length: 500 }, (_none, index) => `x${index}`).join(', ')],
    Array.from({ length: 8 }, (_none, index) => ({ scheme: `x${index}` }))
  ]
])('%#', (headers, expected) => expect(challengesOf(headers)).toEqual(expected))

it('accepts Basic in any case, and no other', () => {
  expect(acceptsBasic([{ scheme: 'NTLM' }, { scheme: 'BASIC' }])).toBe(true)
  expect(acceptsBasic([{ scheme: 'Negotiate' }, { scheme: 'Digest' }])).toBe(false)
})
