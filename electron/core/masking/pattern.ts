/**
 * Patterns to search for: each secret reduced to its letters and digits, so that case and separators do not matter,
 * and which pieces of it are specific enough to count as the secret.
 */
import { isWord } from '#contract/text/words.ts'
import { unescape } from './unescape.ts'
import { alphanumeric, createWriter, readPassage, textOf } from './view.ts'

export interface Secret {
  readonly value: string
  /** The text that replaces it. */
  readonly placeholder: string
  /** Number of leading characters that are not secret by themselves, such as `Bearer `. */
  readonly prefix?: number
  /** Parts of it do not count, below 24 characters: a text of a person may begin like a key. */
  readonly whole?: boolean
}

export interface Pattern {
  readonly placeholder: string
  readonly whole: boolean
  /** Its letters and digits as 0 to 35. */
  readonly folded: Uint8Array
  /** Where its secret part begins in `folded`. */
  readonly begins: number
  /** For each position, how many preceding characters are not part of a word. */
  readonly unworded: Uint16Array
}

/** Length in letters and digits of the pieces that are searched for. */
export const pieceLength = 8
/** A whole value of this length is always found. */
const wholeLength = 12
/** A piece of this length counts as a secret even if it consists of words. */
const certainLength = 24
const minUnworded = 6
const minDistinct = 5

const foldText = (text: string): { readonly folded: Uint8Array; readonly places: readonly number[] } => {
  const places: number[] = []
  for (let at = 0; at < text.length; at += 1) if (alphanumeric(text.charCodeAt(at)) >= 0) places.push(at)
  return { folded: Uint8Array.from(places, (at) => alphanumeric(text.charCodeAt(at))), places }
}

/** The positions of a text within words of four letters or more, of one case or capitalised. */
function worded(text: string): ReadonlySet<number> {
  const places = new Set<number>()
  for (const { 0: letters, index } of text.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)) {
    if (letters.length >= 4 && isWord(letters))
      for (let at = index; at < index + letters.length; at += 1) places.add(at)
  }
  return places
}

function patternOf(value: string, prefix: number, { placeholder, whole = false }: Secret): Pattern | undefined {
  const { folded, places } = foldText(value)
  const begins = places.filter((at) => at < prefix).length
  if (folded.length - begins < pieceLength) return undefined
  const words = worded(value)
  const unworded = new Uint16Array(folded.length + 1)
  places.forEach((place, index) => (unworded[index + 1] = (unworded[index] ?? 0) + (words.has(place) ? 0 : 1)))
  return { placeholder, whole, folded, begins, unworded }
}

/** A value with all escapes undone, which is how an echo of it is read. */
function unescaped(value: string): string {
  const [view, out] = [createWriter(value.length), createWriter(value.length)]
  readPassage(value, 0, value.length, view)
  return unescape(view, out) ? textOf(out) : value
}

/** The patterns of a secret; none if it has fewer than eight letters and digits. */
export function patternsOf(secret: Secret): readonly Pattern[] {
  const { value, prefix = 0 } = secret
  const plain = unescaped(value)
  return [patternOf(value, prefix, secret), plain === value ? undefined : patternOf(plain, 0, secret)].filter(
    (found) => found !== undefined
  )
}

/** The number of different letters and digits among the first 64. */
function distinct(folded: Uint8Array, from: number, to: number): number {
  const seen = new Uint8Array(36)
  let count = 0
  for (const value of folded.subarray(from, Math.min(to, from + 64))) {
    if (seen[value] === 0) count += 1
    seen[value] = 1
  }
  return count
}

/** Whether a piece of a pattern may be searched for at all: a repeated character occurs in many texts. */
export const isDistinctive = (folded: Uint8Array, from: number): boolean =>
  distinct(folded, from, from + pieceLength) > 3

/** Whether a piece has letters and digits. */
function mixes(folded: Uint8Array, from: number, to: number): boolean {
  const numbers = folded.subarray(from, to).filter((value) => value < 10).length
  return numbers > 0 && numbers < to - from
}

/**
 * Whether a piece of a pattern counts as the secret: the whole value of twelve or more, or of eight that mixes letters and digits; a piece of
 * 24; a piece of eight that mixes letters and digits, or of twelve, unless it consists of words such as `validation-service`.
 */
export function isFound({ folded, begins, unworded, whole }: Pattern, from: number, to: number): boolean {
  const length = to - from
  const isWhole = from <= begins && to === folded.length
  if (isWhole && folded.length - begins >= wholeLength) return true
  if (distinct(folded, from, to) < minDistinct) return false
  if (length >= certainLength || (isWhole && mixes(folded, from, to))) return true
  if (whole) return false
  if ((unworded[to] ?? 0) - (unworded[from] ?? 0) < minUnworded) return false
  return length >= wholeLength || mixes(folded, from, to)
}

/** Whether a whole pattern is found by its letters and digits alone. */
export function isKnown(pattern: Pattern): boolean {
  const { folded } = pattern
  if (!isFound(pattern, 0, folded.length)) return false
  for (let at = pattern.begins; at + pieceLength <= folded.length; at += 1) if (isDistinctive(folded, at)) return true
  return false
}
