import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMask } from '#core/client/mask.ts'

const values = {
  'api-key': 'kéy'.replace('é', 'e') + '-CANARY-"q"/1\\x',
  'api-secret': 'secret-CANARY.2+$&',
  'authorization': 'Bearer token-CANARY-3'
}
const mask = createMask(values, { applicant_id: 'A-7' })
const unicode = (text: string): string =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`).join('')

describe('masking of echoed credentials', () => {
  it.each([
    ['as sent', (text: string) => text],
    ['in JSON', (text: string) => JSON.stringify({ echo: text })],
    ['in JSON with every character escaped', (text: string) => `{"echo":"${unicode(text)}"}`],
    ['in JSON with slashes escaped', (text: string) => JSON.stringify({ echo: text }).replaceAll('/', '\\/')],
    ['percent-encoded', encodeURIComponent],
    ['in base64', (text: string) => Buffer.from(text).toString('base64')],
    ['in base64url', (text: string) => Buffer.from(text).toString('base64url')]
  ])('%s', (_name, echoed) => {
    for (const [id, value] of Object.entries(values)) {
      const text = `before ${echoed(value)} after`
      const masked = mask.text(text)
      expect(masked, id).not.toContain(echoed(value))
      expect(masked).not.toContain('CANARY')
      expect(masked).toMatch(/^before .*<(API_KEY|API_SECRET|AUTHORIZATION_VALUE)>.* after$/)
      expect(mask.holdsSecret(text)).toBe(true)
    }
  })

  it('takes the signature out of a signed link that comes back, and nothing else of it', () => {
    const link = 'https://b.example/p.jpg?X-Amz-Date=20260131T000000Z&X-Amz-Signature=SIGNATURE%2BCANARY&x=1'
    const signed = createMask(values, { photo_url: link })
    const clean = 'https://b.example/p.jpg?X-Amz-Date=20260131T000000Z&X-Amz-Signature=REMOVED&x=1'
    expect(signed.text(`could not fetch ${link}`)).toBe(`could not fetch ${clean}`)
    for (const form of [
      encodeURIComponent(link),
      decodeURIComponent(link),
      JSON.stringify({ link }).replaceAll('/', '\\/'),
      link.replaceAll('&', '&amp;')
    ]) {
      expect(signed.text(form)).not.toContain('CANARY')
    }
  })

  it('masks an Authorization value without its scheme too', () => {
    expect(mask.text('token-CANARY-3 is wrong')).toBe('<AUTHORIZATION_VALUE> is wrong')
  })

  it('drops a secret that the end of the text cuts in two', () => {
    expect(mask.text('x secret-CANAR', true)).toBe('x ')
    expect(mask.text('x secret-CANAR', false)).toBe('x secret-CANAR')
  })

  it('leaves every other text to the letter, and JSON valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(mask.text(text)).toBe(text)
        expect(mask.holdsSecret(text)).toBe(false)
      })
    )
    expect(JSON.parse(mask.text(JSON.stringify({ message: values['api-key'], n: [1] })))).toEqual({
      message: '<API_KEY>',
      n: [1]
    })
  })
})
