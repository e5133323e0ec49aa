/** Finds records: by filter on the columns, by text in the trigram index, by both together. */
import { droppedBy, isOpenSieve, type Columns, type Sieve } from './columns.ts'
import type { Db } from './files.ts'
import { rowidOf, seqOfRowid } from './indexer.ts'
import type { Reader } from './reader.ts'

/** Shortest text that the trigram index can find. */
export const shortestSearch = 3
/** Where counting the hits of a search stops. */
export const searchCountLimit = 10_000
/** Hits looked at before a rare filter is worked off from its own side. */
const patience = 2000
/** A filter that leaves at most this many records is rare. */
const rare = 400

/** What a search text asks for: everything, one applicant's records, or records that hold a phrase. */
export type Sought =
  | { readonly kind: 'all' }
  | { readonly kind: 'applicant'; readonly id: string }
  | { readonly kind: 'phrase'; readonly match: string; readonly folded: string }

/** Everything in the text is literal: quoted, it means nothing to FTS5 but itself. */
export function soughtOf(search: string | undefined): Sought {
  const text = search?.replaceAll('\0', ' ').trim() ?? ''
  if (text === '') return { kind: 'all' }
  if ([...text].length < shortestSearch) return { kind: 'applicant', id: text }
  return { kind: 'phrase', match: `"${text.replaceAll('"', '""')}"`, folded: text.toLowerCase() }
}

export class Finder {
  private readonly down
  private readonly up
  private readonly columns: Columns
  private readonly reader: Reader

  constructor(search: Db, columns: Columns, reader: Reader) {
    this.columns = columns
    this.reader = reader
    this.down = search.prepare('SELECT rowid FROM trigram WHERE trigram MATCH ? AND rowid < ? ORDER BY rowid DESC').pluck()
    this.up = search.prepare('SELECT rowid FROM trigram WHERE trigram MATCH ? AND rowid >= ? ORDER BY rowid').pluck()
  }

  /** Records that pass the sieve, from `start` towards older (step -1) or newer (step 1), at most `limit`. */
  scan(sieve: Sieve, start: number, step: 1 | -1, limit: number): number[] {
    const found: number[] = []
    const { columns } = this
    const first = step < 0 ? Math.min(start, columns.last) : Math.max(1, start)
    for (let seq = first; seq >= 1 && seq <= columns.last && found.length < limit; seq += step) {
      if (droppedBy(columns, seq, sieve) === 0) found.push(seq)
    }
    return found
  }

  /** The same for records that hold a phrase. */
  phrase(sought: Extract<Sought, { kind: 'phrase' }>, sieve: Sieve, start: number, step: 1 | -1, limit: number): number[] {
    const found: number[] = []
    const bound = step < 0 ? rowidOf(start + 1, 0) : rowidOf(start, 0)
    const hits = (step < 0 ? this.down : this.up).iterate(sought.match, bound) as IterableIterator<number>
    let last = 0
    let seen = 0
    for (const rowid of hits) {
      const seq = seqOfRowid(rowid)
      if (seq === last) continue
      last = seq
      if (droppedBy(this.columns, seq, sieve) === 0 && found.push(seq) >= limit) return found
      if (++seen === patience && !isOpenSieve(sieve)) {
        const candidates = this.scan(sieve, start, step, rare + 1)
        if (candidates.length <= rare) return this.holding(candidates, sought.folded, limit)
      }
    }
    return found
  }

  /** Those of a few records that hold the text, read back and compared. */
  private holding(candidates: readonly number[], folded: string, limit: number): number[] {
    const found: number[] = []
    for (const seq of candidates) {
      const texts = this.reader.texts(seq)
      const holds = texts && (texts.asked.toLowerCase().includes(folded) || texts.answered.toLowerCase().includes(folded))
      if (holds && found.push(seq) >= limit) break
    }
    return found
  }

  /** The newest records that hold a phrase, whatever the filter, at most `limit`. */
  hits(match: string, limit: number): number[] {
    const found: number[] = []
    let last = 0
    for (const rowid of this.down.iterate(match, Number.MAX_SAFE_INTEGER) as IterableIterator<number>) {
      const seq = seqOfRowid(rowid)
      if (seq === last) continue
      last = seq
      if (found.push(seq) >= limit) break
    }
    return found
  }
}
