/* oxlint-disable typescript/no-non-null-assertion -- every index is below the length, in the hottest loops. */
/** Finds pieces of patterns in a view, in one pass over its letters and digits (Rabin-Karp rolling hash). */
import { isFound, isDistinctive, pieceLength, type Pattern } from './pattern.ts'
import { alphanumeric, type View } from './view.ts'

/** A range of the original text that contains a secret. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly placeholder: string
}

/** A piece of a pattern, listed by its hash. */
interface Place {
  readonly pattern: Pattern
  readonly at: number
}

export interface Index {
  readonly places: ReadonlyMap<number, readonly Place[]>
  /** One bit per hash, modulo its size, which rules out most hashes. */
  readonly sieve: Uint8Array
}

const factor = 0x01000193
const sieveBits = 1 << 18
/** The factor of the character that leaves a piece. */
let power = 1
for (let index = 1; index < pieceLength; index += 1) power = Math.imul(power, factor)
const leaving = power

const slot = (hash: number): number => (hash ^ (hash >>> 15)) & (sieveBits - 1)
/** A repetitive pattern is found by its first positions. */
const maxPlaces = 4

/** Prepares patterns for searching. */
export function indexOf(patterns: readonly Pattern[]): Index {
  const places = new Map<number, Place[]>()
  const sieve = new Uint8Array(sieveBits >> 3)
  for (const pattern of patterns) {
    for (let at = pattern.begins; at + pieceLength <= pattern.folded.length; at += 1) {
      if (!isDistinctive(pattern.folded, at)) continue
      let hash = 0
      for (let index = at; index < at + pieceLength; index += 1) hash = rolled(hash, -1, pattern.folded[index]!)
      const found = places.get(hash) ?? []
      if (found.length < maxPlaces) places.set(hash, [...found, { pattern, at }])
      sieve[slot(hash) >> 3]! |= 1 << (slot(hash) & 7)
    }
  }
  return { places, sieve }
}

/** Whether a hash is that of a piece. */
export function isPiece({ sieve, places }: Index, hash: number): boolean {
  const bit = slot(hash)
  return (sieve[bit >> 3]! & (1 << (bit & 7))) !== 0 && places.has(hash)
}

/** The hash of a piece after adding `added` and removing `gone` (-1 for none). */
export const rolled = (hash: number, gone: number, added: number): number =>
  (Math.imul(hash - Math.imul(gone + 1, leaving), factor) + added + 1) | 0

/** The letters and digits of a view with their positions; the buffers are reused. */
export interface Folding {
  readonly folded: Uint8Array
  readonly places: Int32Array
}

/** Adds to `spans` the patterns found in a view. */
export function search(view: View, index: Index, folding: Folding, spans: Span[]): void {
  const { folded, places } = folding
  const { units, length } = view
  const hits: number[] = []
  let hash = 0
  let count = 0
  for (let at = 0; at < length; at += 1) {
    const value = alphanumeric(units[at]!)
    if (value < 0) continue
    hash = rolled(hash, count < pieceLength ? -1 : folded[count - pieceLength]!, value)
    folded[count] = value
    places[count] = at
    count += 1
    if (count >= pieceLength && isPiece(index, hash)) hits.push(count - pieceLength, hash)
  }
  if (hits.length > 0) confirm(view, count, hits, index, folding, spans)
}

/** Compares the positions whose hash is that of a piece; `hits` holds each position and its hash. */
function confirm(
  view: View,
  count: number,
  hits: readonly number[],
  index: Index,
  { folded, places }: Folding,
  spans: Span[]
): void {
  // How far each pattern has been matched, by where it would begin, so that its other pieces are not matched again.
  const found = new Map<Pattern, Map<number, number>>()
  for (let hit = 0; hit < hits.length; hit += 2) {
    const start = hits[hit]!
    for (const { pattern, at } of index.places.get(hits[hit + 1]!) ?? []) {
      const shift = start - at
      const known = found.get(pattern) ?? new Map<number, number>()
      if (start + pieceLength <= (known.get(shift) ?? 0)) continue
      let [from, to] = [start, start]
      while (to < count && to - shift < pattern.folded.length && folded[to] === pattern.folded[to - shift]) to += 1
      if (to - start < pieceLength) continue
      while (from > 0 && from - shift > 0 && folded[from - 1] === pattern.folded[from - shift - 1]) from -= 1
      found.set(pattern, known.set(shift, to))
      if (!isFound(pattern, from - shift, to - shift)) continue
      spans.push({ from: view.from[places[from]!]!, to: view.to[places[to - 1]!]!, placeholder: pattern.placeholder })
    }
  }
}
