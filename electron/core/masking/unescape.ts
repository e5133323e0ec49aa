/* oxlint-disable typescript/no-non-null-assertion -- every index is below the length. */
/**
 * Undoes escapes until none are left: those of JSON and JavaScript (`\n`, `\u0041`, `\x41`), of URLs (`%41`) and of
 * HTML (`&#65;`, `&#x41;`, `&amp;`), in any order and nested. Each character is tested after it is written: if it
 * completes an escape, the escape is replaced by its meaning, which is tested in turn.
 */
import { hexValue, push, type View, type Writer } from './view.ts'

/** HTML's names for characters that a credential may contain (HTML Standard, section 13.5). */
const named = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    sol: '/',
    bsol: '\\',
    plus: '+',
    equals: '=',
    period: '.',
    comma: ',',
    colon: ':',
    semi: ';',
    num: '#',
    percnt: '%',
    dollar: '$',
    excl: '!',
    ast: '*',
    lpar: '(',
    rpar: ')',
    quest: '?',
    commat: '@',
    lsqb: '[',
    rsqb: ']',
    lbrack: '[',
    rbrack: ']',
    lcub: '{',
    rcub: '}',
    lbrace: '{',
    rbrace: '}',
    verbar: '|',
    vert: '|',
    grave: '`',
    lowbar: '_',
    hyphen: '-',
    dash: '-',
    hat: '^',
    tilde: '~'
  }).map(([name, char]) => [name, char.charCodeAt(0)])
)
const maxEscapeLength = 12
const [backslash, percent, ampersand, semicolon, u, x] = [92, 37, 38, 59, 117, 120]
const simple = new Map(
  [...'"\\/bfnrt\''].map((char, index) => [char.charCodeAt(0), '"\\/\b\f\n\r\t\''.charCodeAt(index)])
)

const begins = (unit: number): boolean => unit === backslash || unit === percent || unit === ampersand

/** The number of characters of an escape at the end of the output, and its meaning. */
interface Escape {
  readonly length: number
  readonly meaning: number
}

function hexNumber(out: Writer, from: number): number {
  let value = 0
  for (let at = from; at < out.length; at += 1) {
    const digit = hexValue(out.units[at]!)
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

function hexEscape(out: Writer): Escape | undefined {
  const { units, length } = out
  if (length >= 3 && units[length - 3] === percent) return escapeOf(3, hexNumber(out, length - 2))
  if (length >= 4 && (units[length - 3]! | 32) === x && units[length - 4] === backslash)
    return escapeOf(4, hexNumber(out, length - 2))
  if (length >= 6 && (units[length - 5]! | 32) === u && units[length - 6] === backslash)
    return escapeOf(6, hexNumber(out, length - 4))
  return undefined
}

const escapeOf = (length: number, meaning: number): Escape | undefined =>
  meaning < 0 || meaning > 0xffff ? undefined : { length, meaning }

function entity(out: Writer): Escape | undefined {
  const { units, length } = out
  let start = length - 2
  while (start >= 0 && length - start <= maxEscapeLength && units[start] !== ampersand) start -= 1
  if (start < 0 || units[start] !== ampersand) return undefined
  const name = String.fromCharCode(...units.subarray(start + 1, length - 1))
  const number = /^#(?:(\d{1,7})|x([\da-f]{1,6}))$/i.exec(name)
  if (number)
    return escapeOf(length - start, number[1] === undefined ? parseInt(number[2] ?? '', 16) : Number(number[1]))
  const meaning = named.get(name.toLowerCase())
  return meaning === undefined ? undefined : escapeOf(length - start, meaning)
}

function escapeAtEnd(out: Writer): Escape | undefined {
  const last = out.units[out.length - 1]!
  if (last === semicolon) return entity(out)
  if (hexValue(last) >= 0) {
    const found = hexEscape(out)
    if (found) return found
  }
  if (out.length < 2 || out.units[out.length - 2] !== backslash) return undefined
  const meaning = simple.get(last)
  return meaning === undefined ? undefined : { length: 2, meaning }
}

/** Writes a view without its escapes; false if it has none, and `out` is then undefined. */
export function unescape(view: View, out: Writer): boolean {
  let first = 0
  while (first < view.length && !begins(view.units[first]!)) first += 1
  if (first === view.length) return false
  out.length = 0
  let changed = false
  // The last position at which an escape may begin: most of a text is too far from one to end it.
  let begun = -maxEscapeLength
  for (let at = 0; at < view.length; at += 1) {
    const unit = view.units[at]!
    push(out, unit, view.from[at]!, view.to[at]!)
    if (out.length - begun > maxEscapeLength) {
      if (begins(unit)) begun = out.length - 1
      continue
    }
    if (begins(unit)) begun = out.length - 1
    for (;;) {
      const found = escapeAtEnd(out)
      if (!found) break
      changed = true
      const first = out.length - found.length
      const [from, to] = [out.from[first]!, out.to[out.length - 1]!]
      out.length = first
      push(out, found.meaning, from, to)
      if (begins(found.meaning)) begun = first
    }
  }
  return changed
}
