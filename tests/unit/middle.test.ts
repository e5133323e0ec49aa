/** Which part of a long text is hidden if there is too little space. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shorten } from '../../renderer/kit/middle.ts'

/** Every code unit has the same width. */
const widthOf = (text: string): number => text.length

it('leaves a text alone that fits, and takes the middle out of one that does not', () => {
  expect(shorten('APP-000123', 4, 10, widthOf)).toBeUndefined()
  expect(shorten('APP-000123-END', 4, 10, widthOf)).toEqual({ head: 'APP-0', middle: '00123', tail: '-END' })
  // Hardly any space: only the very end is left.
  expect(shorten('APP-000123-END', 4, 3, widthOf)).toEqual({ head: '', middle: 'APP-000123-E', tail: 'ND' })
})

it('is the same text in three parts that fit, and splits no character', () => {
  const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 24 }), fc.integer({ min: 6, max: 60 }), (whole, tail, space) => {
      const parts = shorten(whole, tail, space, widthOf)
      if (!parts) {
        expect(widthOf(whole)).toBeLessThanOrEqual(space + 1)
        return
      }
      expect(parts.head + parts.middle + parts.tail).toBe(whole)
      // One more if the end would otherwise begin within a character.
      expect(widthOf(parts.head) + 1 + widthOf(parts.tail)).toBeLessThanOrEqual(space + 1)
      for (const part of [parts.head, parts.tail]) expect(part.isWellFormed()).toBe(true)
    })
  )
})
