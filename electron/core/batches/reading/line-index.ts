/** Of which kind each line of a checked file is: two bytes a line, so that a filtered page is found without reading them all. */
import { lineKinds, type LineKind } from '#contract/batches/lines.ts'
import type { ValidatedRow } from './check.ts'

/** Earlier lines of duplicates that are kept. */
const keptFirsts = 100_000
const [valid, invalid, duplicate, recent] = [0, 1, 2, 3] as const

export interface LineIndex {
  add(row: Pick<ValidatedRow, 'faults' | 'duplicate' | 'sameAs' | 'corrections'>): void
  /** Places of rows, from 0, that were recently answered; all others were not. */
  setRecent(places: readonly number[]): void
  kindOf(place: number): LineKind
  sameAs(place: number): number | undefined
  /** The places of the lines of these kinds, and how many there are. */
  page(kinds: readonly LineKind[] | undefined, offset: number, limit: number): { places: number[]; total: number }
  /** The place among the lines of these kinds of the next invalid one, from the beginning after the last. */
  nextInvalid(kinds: readonly LineKind[] | undefined, after: number): number | null
}

export function createLineIndex(): LineIndex {
  let kinds = new Uint8Array(4096)
  let corrected = new Uint8Array(4096)
  const firsts = new Map<number, number>()
  let count = 0
  const doubled = (table: Uint8Array): Uint8Array<ArrayBuffer> => {
    const next = new Uint8Array(table.length * 2)
    next.set(table)
    return next
  }
  const matcher = (wanted: readonly LineKind[] | undefined): ((place: number) => boolean) => {
    if (!wanted || wanted.length === 0) return () => true
    const set = new Set(wanted.map((kind) => lineKinds.indexOf(kind)))
    const withCorrected = set.has(invalid)
    return (place) => set.has(kinds[place] ?? valid) || (withCorrected && corrected[place] === 1)
  }
  return {
    add({ faults, duplicate: isDuplicate, sameAs, corrections }) {
      if (count === kinds.length) {
        kinds = doubled(kinds)
        corrected = doubled(corrected)
      }
      kinds[count] = faults.length > 0 ? invalid : isDuplicate ? duplicate : valid
      if (corrections.length > 0) corrected[count] = 1
      if (sameAs !== undefined && firsts.size < keptFirsts) firsts.set(count, sameAs)
      count += 1
    },
    setRecent(places) {
      for (let place = 0; place < count; place += 1) if (kinds[place] === recent) kinds[place] = valid
      for (const place of places) if (kinds[place] === valid) kinds[place] = recent
    },
    kindOf: (place) => lineKinds[kinds[place] ?? valid] ?? 'valid',
    sameAs: (place) => firsts.get(place),
    page(wanted, offset, limit) {
      const matches = matcher(wanted)
      const places: number[] = []
      let total = 0
      for (let place = 0; place < count; place += 1) {
        if (!matches(place)) continue
        if (total >= offset && places.length < limit) places.push(place)
        total += 1
      }
      return { places, total }
    },
    nextInvalid(wanted, after) {
      const matches = matcher(wanted)
      let first: number | null = null
      let at = 0
      for (let place = 0; place < count; place += 1) {
        if (!matches(place)) continue
        if (kinds[place] === invalid) {
          if (at > after) return at
          first ??= at
        }
        at += 1
      }
      return first
    }
  }
}
