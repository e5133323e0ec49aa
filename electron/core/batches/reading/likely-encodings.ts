/**
 * Which encodings a text could have, the most likely first. It is a proposal only: in short texts, several encodings give
 * words that could be names, and a person who knows these names has to choose.
 */
import { batchEncodings, type BatchEncoding } from '#contract/batches/batches.ts'
import { codePageText, isWide, wholeWide } from './code-pages.ts'

const mostShown = 10

/** How much an encoding is found in practice, compared with others that fit as well. */
const common: Readonly<Partial<Record<BatchEncoding, number>>> = {
  'windows-1252': 0.3,
  'windows-1250': 0.2,
  'windows-1251': 0.25,
  'windows-1254': 0.2,
  'windows-1253': 0.15,
  'windows-1255': 0.15,
  'windows-1256': 0.15,
  'windows-1257': 0.1,
  'windows-1258': 0,
  'gbk': 0.2,
  'big5': 0.1,
  'shift_jis': 0.15,
  'euc-kr': 0.1,
  'euc-jp': -0.1,
  'macintosh': 0,
  'koi8-r': -0.05,
  'koi8-u': -0.1
}

/** Leading bytes of the frequent characters of a set of several bytes. */
const frequent: Readonly<Partial<Record<BatchEncoding, readonly [number, number]>>> = {
  'gbk': [0xb0, 0xd7],
  'gb18030': [0xb0, 0xd7],
  'big5': [0xa4, 0xc6],
  'shift_jis': [0x82, 0x97],
  'euc-jp': [0xa4, 0xcf],
  'euc-kr': [0xb0, 0xc8]
}

const letter = /\p{L}|\p{M}/u
/** Follows its letter. */
const mark = /\p{M}/u
const upper = /\p{Lu}/u
const lower = /\p{Ll}/u
const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u
]
const scriptOf = (character: string): number => scripts.findIndex((script) => script.test(character))
/** Letters that a wrong one-byte set puts where another has frequent ones. */
const rare = /[ÐÞðþ¡¿ÝŸŽƒªºЂЃѓЉЊЌЋЏђљњќћџЎўЈҐЁЄЇЅѕјґщЩъЪэЭфФѐѝ]/u
const frequentLetters = /[оеаинтсрвлкмαοιετσνραηυπéèáíóöüäçñšžčćłęąśżőışğİŞ]/u
const punctuation = /[–—‘’‚“”„…«»€§°№·\u00a0]/u
const halfWidth = /[\uff61-\uff9f]/

/** How likely a letter is between its neighbours: of one script with them, and small within a word. */
function letterScore(character: string, before: string, after: string): number {
  let score = rare.test(character) ? 0.2 : frequentLetters.test(character) ? 1.2 : 0.8
  const isAfterLetter = letter.test(before)
  if (isAfterLetter && scriptOf(before) !== scriptOf(character)) score -= 2
  else if (letter.test(after) && scriptOf(after) !== scriptOf(character)) score -= 2
  // A capital within a word.
  if (upper.test(character) && isAfterLetter && (lower.test(before) || lower.test(after))) score -= 1.5
  // A small letter before a capital.
  return lower.test(character) && upper.test(after) ? score - 1.5 : score
}

/** How likely a text of a one-byte set is, by its characters that are not ASCII. */
function narrowScore(characters: readonly string[]): number {
  let score = 0
  for (const [at, character] of characters.entries()) {
    if (character < '\u0080') continue
    const [before = ' ', after = ' '] = [characters[at - 1], characters[at + 1]]
    if (!letter.test(character)) {
      score += punctuation.test(character) ? 0.3 : letter.test(before) || letter.test(after) ? -2 : -0.7
      continue
    }
    if (mark.test(character)) score += letter.test(before) ? 1 : -2
    else score += letterScore(character, before, after)
  }
  return score
}

/** How likely a text of a set of several bytes is. */
function wideScore(bytes: Uint8Array, encoding: BatchEncoding, characters: readonly string[]): number {
  const [from, to] = frequent[encoding] ?? [0, 0]
  let score = 0
  let hangul = 0
  let han = 0
  for (const character of characters) {
    if (halfWidth.test(character)) score -= 2
    else if (/\p{Script=Hangul}/u.test(character)) hangul += 1
    else if (/\p{Script=Han}/u.test(character)) han += 1
    else if (character >= '\u0080') score += /[\u3000-\u30ff\uff00-\uff60]/u.test(character) ? 2 : -1
  }
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    score += byte >= from && byte <= to ? 2 : 0.5
    at += 1
  }
  return score + (hangul > 0 && han > 0 ? -2 * Math.min(hangul, han) : hangul > 0 ? 0.3 * hangul : 0)
}

/**
 * The encodings in which these bytes are text, the most likely first, without those that give the same text as a likelier
 * one.
 *
 * @param bytes From the first byte that is not ASCII.
 */
export function likelyEncodings(bytes: Uint8Array): readonly BatchEncoding[] {
  // The last character may be cut.
  const whole = bytes.subarray(0, wholeWide(bytes) || bytes.length)
  const high = whole.reduce((sum, byte) => sum + (byte >= 0x80 ? 1 : 0), 0)
  const fitting = batchEncodings.flatMap((encoding) => {
    if (encoding.startsWith('utf-')) return []
    const found = codePageText(whole, encoding)
    if (!('text' in found)) return []
    const characters = [...found.text]
    const score = isWide(encoding) ? wideScore(whole, encoding, characters) : narrowScore(characters)
    return [{ encoding, text: found.text, score: score / Math.max(1, high) + (common[encoding] ?? -0.15) }]
  })
  fitting.sort((one, other) => other.score - one.score)
  const seen = new Set<string>()
  const likely = fitting.filter(({ text }) => !seen.has(text) && seen.add(text))
  return likely.slice(0, mostShown).map(({ encoding }) => encoding)
}
