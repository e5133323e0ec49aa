import { expect, it } from 'vitest'
import { digitOf, isComposing, pressedKey } from '../../renderer/kit/keys.ts'

it.each([
  ['Latin', 'K', 'KeyK', 'k'],
  // Dvorak: the letter counts, not the position.
  ['Dvorak', 'k', 'KeyV', 'k'],
  ['AZERTY', 'a', 'KeyQ', 'a'],
  ['Turkish', 'ı', 'KeyI', 'ı'],
  ['Russian', 'л', 'KeyK', 'k'],
  ['Russian, upper case', 'Д', 'KeyL', 'l'],
  ['Greek', 'κ', 'KeyK', 'k'],
  ['Hebrew', 'ל', 'KeyK', 'k'],
  ['Arabic', 'ن', 'KeyK', 'k'],
  ['Arabic, two letters of one key', 'لا', 'KeyB', 'b'],
  ['Thai', 'ส', 'KeyL', 'l'],
  ['a sign', '/', 'Slash', '/'],
  ['a letter that is not at the place of a Latin one', 'ж', 'Semicolon', 'ж'],
  ['a named key', 'Enter', 'Enter', 'enter']
])('%s: “%s” at %s is “%s”', (_, key, code, meant) => expect(pressedKey({ key, code })).toBe(meant))

it.each([
  ['1', 'Digit1', '1'],
  ['&', 'Digit1', '1'],
  ['3', 'Numpad3', '3'],
  ['k', 'KeyK', undefined]
])('“%s” at %s is the digit %s', (key, code, digit) => expect(digitOf({ key, code })).toBe(digit))

it('knows the keys of an input method', () => {
  const event = (isComposing: boolean, keyCode: number): KeyboardEvent => ({ isComposing, keyCode }) as KeyboardEvent
  expect([event(true, 13), event(false, 229), event(false, 13)].map(isComposing)).toEqual([true, true, false])
})
