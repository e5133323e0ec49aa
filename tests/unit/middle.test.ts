/** Which part of a long text is hidden if there is too little space. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { graphemes } from '../../kit/text/folding.ts'
import { shorten } from '../../renderer/kit/middle.ts'

/** Every letter has the same width. */
const widthOf = (text: string): number => graphemes(text).length
/** What is seen: the parts, with an ellipsis for each that is gone. */
const seen = (text: string, tail: number, space: number, beside?: readonly string[]): string =>
  shorten(text, tail, space, widthOf, beside)
    ?.map((part) => (part.gone ? '…' : part.text))
    .join('') ?? text

it('leaves a text alone that fits, and takes the middle out of one that does not', () => {
  expect(shorten('APP-000123', 4, 10, widthOf)).toBeUndefined()
  expect(shorten('APP-000123-END', 4, 10, widthOf)).toEqual([
    { text: 'APP-0', gone: false },
    { text: '00123', gone: true },
    { text: '-END', gone: false }
  ])
  // Hardly any space: both ends share it, and nothing is cut at its start.
  expect(seen('APP-000123-END', 4, 3)).toBe('A…D')
})

it('is the same text in parts that fit, and cuts within no letter', () => {
  const letter = fc.constantFrom('a', 'Z', '-', '王', 'e\u0301', '👩‍👩‍👧', 'नि', '\u{20bb7}', '각', '\r\n', '🇩🇪')
  const text = fc.oneof(fc.string({ unit: letter, maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 60 }))
  fc.assert(
    fc.property(
      text,
      fc.array(text, { maxLength: 2 }),
      fc.integer({ min: 1, max: 24 }),
      fc.integer({ min: 6, max: 60 }),
      (whole, beside, tail, space) => {
        const parts = shorten(whole, tail, space, widthOf, beside)
        if (!parts) {
          expect(widthOf(whole)).toBeLessThanOrEqual(space + 1)
          return
        }
        expect(parts.map((part) => part.text).join('')).toBe(whole)
        expect(parts.flatMap((part) => graphemes(part.text))).toEqual(graphemes(whole))
        const width = parts.reduce((sum, part) => sum + (part.gone ? 1 : widthOf(part.text)), 0)
        expect(width).toBeLessThanOrEqual(space)
      }
    )
  )
})

describe('beside others', () => {
  it.each([
    // The end tells them apart as it is.
    ['APP-2026-000123', ['APP-2026-000124'], 'APP-2…0123'],
    // It begins where they differ, or the beginning ends there.
    ['CLIENT-0001-INSTALLATION', ['CLIENT-0002-INSTALLATION'], 'CLIENT-0001…'],
    ['A-LONG-NAME-B7-2026', ['A-LONG-NAME-C7-2026'], 'A-…B7-2026'],
    // Deep within a text, both ends go.
    [`${'x'.repeat(30)}7${'y'.repeat(30)}`, [`${'x'.repeat(30)}8${'y'.repeat(30)}`], '…7yyyyyyyy…'],
    // Each neighbour differs somewhere that is seen.
    ['APP-2026-000123', ['BPP-2026-000123', 'APP-2026-000129'], 'APP-2…0123'],
    ['APP-2026-000123', ['APP-2026-000123'], 'APP-2…0123'],
    ['APP-2026-000123', [], 'APP-2…0123']
  ])('%s beside %s is %s', (text, beside, expected) => {
    const space = expected.length
    expect(seen(text, 4, space, beside)).toBe(expected)
  })

  it('what is seen of two different texts of one length is different, if the difference is one letter', () =>
    fc.assert(
      fc.property(fc.nat({ max: 59 }), fc.integer({ min: 6, max: 40 }), (at, space) => {
        const text = (letter: string): string => `${'a'.repeat(at)}${letter}${'a'.repeat(59 - at)}`
        const [one, other] = [text('x'), text('y')]
        expect(seen(one, 10, space, [other])).not.toBe(seen(other, 10, space, [one]))
      })
    ))
})
