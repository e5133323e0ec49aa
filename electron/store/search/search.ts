/** Finds records: by filter on the columns, by text in the trigram index, or by both. */
import { isOpenSieve, passes, type RecordColumns, type Sieve } from '../projections/columns.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { isIndexed, isPair, likeness, spellings } from '#kit/text/folding.ts'
import type { People } from './people.ts'
import { indexable, rowidOf, seqOfRowid, type Indexer, type IndexTable } from './indexer.ts'
import type { Reader } from '../records/reader.ts'

/** Maximum number of search hits counted. */
export const searchCountLimit = 10_000
/** When a filtered search changes its strategy; measured with a million records. */
export interface SearchTuning {
  /** Hits examined before a rare filter is evaluated first. */
  readonly patience: number
  /** A filter that leaves at most this many records is rare. */
  readonly rare: number
  /** A range more than this many records from the end of the history that the search starts at is far. */
  readonly far: number
  /** Records read without a match before the exact phrase is queried. */
  readonly misses: number
}
const measured: SearchTuning = { patience: 2000, rare: 400, far: 20_000, misses: 200 }
/** Maximum hits fetched at a time. */
const maxBlock = 32_768

/** A text to find: its spellings quoted for FTS5, and folded for comparison. */
export interface Phrase {
  readonly kind: 'phrase'
  readonly table: IndexTable
  readonly match: string
  readonly probe: string | undefined
  readonly spellings: readonly string[]
  /** Applicants whose name or notes hold it: their records are found as well. */
  readonly people?: People | undefined
}
/**
 * What a search text means: everything, records that contain a phrase or, if it is too short for the index, the records
 * of applicants with exactly this ID; of nobody, if nothing is left of it.
 */
export type Sought = { readonly kind: 'all' } | { readonly kind: 'applicant'; readonly likeness: string } | Phrase

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`

/**
 * Every sixth trigram and the last, joined by AND. If a phrase's trigrams are all common but never occur together,
 * FTS5 would scan all of their lists; usually a few lists are enough to show that there is no hit.
 */
function probeOf(characters: readonly string[]): string | undefined {
  if (characters.length < 6) return undefined
  const starts = [...Array(Math.floor((characters.length - 3) / 6) + 1).keys()].map((n) => n * 6)
  return [...starts, characters.length - 3]
    .map((start) => quoted(characters.slice(start, start + 3).join('')))
    .join(' AND ')
}

function phraseOf(table: IndexTable, all: readonly string[]): Phrase {
  const probes = all.map((each) => probeOf([...each]))
  const either = (queries: readonly string[]): string => queries.map((query) => `(${query})`).join(' OR ')
  return {
    kind: 'phrase',
    table,
    match: either(all.map(quoted)),
    probe: probes.every((probe) => probe !== undefined) ? either(probes) : undefined,
    spellings: all
  }
}

/** All of the text is literal: it is quoted, so it has no special meaning to FTS5. */
export function soughtOf(search: string | undefined): Sought {
  const text = search?.replaceAll('\0', ' ').trim() ?? ''
  if (text === '') return { kind: 'all' }
  const all = spellings(text)
  const [own = ''] = all
  if (isPair(own)) return phraseOf('pair', [own])
  // The other spelling of a short ID may be longer; it is the ID that is meant.
  if (!isIndexed(text)) return { kind: 'applicant', likeness: likeness(text) }
  return phraseOf(
    'trigram',
    all.filter((each) => [...each].length >= 3)
  )
}

/** What a record must fulfil besides the filter's columns and the phrase that is looked for. */
export type Also = (seq: number) => boolean

export class Finder {
  tuning = measured
  private readonly statements
  private readonly columns: RecordColumns
  private readonly reader: Reader
  private readonly indexer: Indexer

  constructor(search: Db, columns: RecordColumns, reader: Reader, indexer: Indexer) {
    this.columns = columns
    this.reader = reader
    this.indexer = indexer
    // A bound number is a float, for which FTS5 does not use the bounds: it would walk to the range hit by hit.
    const bound = 'CAST(? AS INTEGER)'
    const of = (table: IndexTable) => {
      const within = `SELECT rowid FROM ${table} WHERE ${table} MATCH ? AND rowid >= ${bound} AND rowid < ${bound} ORDER BY rowid`
      return {
        down: search.prepare(`${within} DESC LIMIT ?`).pluck(),
        up: search.prepare(`${within} LIMIT ?`).pluck(),
        count: search.prepare(`SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT ?)`).pluck(),
        any: search.prepare(`SELECT 1 FROM ${table} WHERE ${table} MATCH ? LIMIT 1`).pluck()
      }
    }
    this.statements = { trigram: of('trigram'), pair: of('pair') }
  }

  /** How many texts of the index hold a phrase, up to a limit: the rarest of several is looked for first. */
  frequency({ table, match }: Phrase, limit: number): number {
    return this.statements[table].count.get(match, limit) as number
  }

  /** Records that pass the filter, from `start` towards older (step -1) or newer (step 1), at most `limit`. */
  scan(sieve: Sieve, start: number, step: 1 | -1, limit: number, also?: Also): number[] {
    const found: number[] = []
    const { last } = this.columns
    const first = step < 0 ? Math.min(start, last) : Math.max(1, start)
    const columns = isOpenSieve(sieve) ? undefined : this.columns.all()
    for (let seq = first; seq >= 1 && seq <= last && found.length < limit; seq += step) {
      if ((!columns || passes(columns, seq, sieve)) && also?.(seq) !== false) found.push(seq)
    }
    return found
  }

  /** Hits of a phrase among the records from `low` to `high`, each record once. */
  private hits(phrase: Phrase, low: number, high: number, step: 1 | -1, block: number): Iterable<number> {
    if (low > high) return []
    const waiting = this.indexer.holding(phrase.spellings, low, high)
    const indexed = this.indexed(phrase, low, high, step, block)
    const inRecords = waiting.length === 0 ? indexed : merged(step < 0 ? waiting.reverse() : waiting, indexed, step)
    return phrase.people ? merged(phrase.people.between(low, high, step), inRecords, step) : inRecords
  }

  /** Hits in the index, fetched in blocks of growing size. */
  private *indexed(phrase: Phrase, low: number, high: number, step: 1 | -1, block: number): Generator<number> {
    const { any, down, up } = this.statements[phrase.table]
    if (phrase.probe !== undefined && any.get(phrase.probe) === undefined) return
    const statement = step < 0 ? down : up
    let from = rowidOf(low, 0)
    let until = rowidOf(high + 1, 0)
    let last = 0
    for (let size = block; ; size = Math.min(size * 8, maxBlock)) {
      const rowids = statement.all(phrase.match, from, until, size) as number[]
      for (const rowid of rowids) {
        const seq = seqOfRowid(rowid)
        if (seq !== last) yield (last = seq)
      }
      const end = rowids.at(-1)
      if (end === undefined || rowids.length < size) return
      if (step < 0) until = end
      else from = end + 1
    }
  }

  /** Records that contain a phrase and pass the filter, in the order of `scan`. */
  phrase(phrase: Phrase, sieve: Sieve, start: number, step: 1 | -1, limit: number, also?: Also): number[] {
    const { columns } = this
    const low = step < 0 ? 1 : Math.max(1, start)
    const high = step < 0 ? Math.min(start, columns.last) : columns.last
    if (also) return first(this.passing(this.hits(phrase, low, high, step, this.tuning.patience), sieve, also), limit)
    if (isOpenSieve(sieve)) return first(this.hits(phrase, low, high, step, 2 * limit), limit)
    return this.narrowed(phrase, sieve, low, high, step, limit)
  }

  /** A phrase combined with a filter: uses the index or the columns, whichever is cheaper. */
  private narrowed(phrase: Phrase, sieve: Sieve, low: number, high: number, step: 1 | -1, limit: number): number[] {
    // A filter, especially by period, limits the range that has to be searched.
    const top = this.scan(sieve, high, -1, 1)[0] ?? 0
    const bottom = this.scan(sieve, low, 1, 1)[0] ?? top + 1
    if (bottom > top) return []
    const start = step < 0 ? top : bottom
    // If the text is common, the first records of a far range already contain it, and the index is not needed.
    const distance = step < 0 ? this.columns.last - top : bottom
    if (distance > this.tuning.far) {
      const near = this.holding(this.scan(sieve, start, step, limit + 20), phrase, limit)
      if (near.length >= limit) return near
    }
    const candidates = this.scan(sieve, start, step, this.tuning.rare + 1)
    const few = candidates.length <= this.tuning.rare
    const found: number[] = []
    let seen = 0
    let misses = 0
    const columns = this.columns.all()
    const loose = phrase.probe === undefined ? phrase : { ...phrase, match: phrase.probe }
    for (const seq of this.hits(loose, bottom, top, step, this.tuning.patience)) {
      if (++seen > this.tuning.patience && few) return this.holding(candidates, phrase, limit)
      if (!passes(columns, seq, sieve)) continue
      if (loose === phrase || this.holds(seq, phrase)) {
        if (found.push(seq) >= limit) return found
      } else if (++misses > this.tuning.misses) {
        return first(this.passing(this.hits(phrase, bottom, top, step, this.tuning.patience), sieve), limit)
      }
    }
    return found
  }

  private *passing(seqs: Iterable<number>, sieve: Sieve, also?: Also): Generator<number> {
    const columns = this.columns.all()
    for (const seq of seqs) if (passes(columns, seq, sieve) && also?.(seq) !== false) yield seq
  }

  /** The candidates that contain the text, read and compared. */
  private holding(candidates: readonly number[], sought: Phrase, limit: number): number[] {
    const found: number[] = []
    for (const seq of candidates) if (this.holds(seq, sought) && found.push(seq) >= limit) break
    return found
  }

  holds(seq: number, { spellings: sought, people }: Phrase): boolean {
    if (people?.has(seq)) return true
    const texts = this.reader.texts(seq)
    if (!texts) return false
    const own = [indexable(texts.asked), indexable(texts.answered)]
    return sought.some((each) => own.some((text) => text.includes(each)))
  }

  /** The newest records that contain a phrase, ignoring the filter, at most `limit`. */
  newest(phrase: Phrase, limit: number, also?: Also): number[] {
    const hits = this.hits(phrase, 1, this.columns.last, -1, limit)
    return first(also ? filtered(hits, also) : hits, limit)
  }
}

/** Merges two sorted iterators; values in both are returned once. */
function* merged(some: Iterable<number>, others: Iterable<number>, step: 1 | -1): Generator<number> {
  const one = some[Symbol.iterator]()
  const other = others[Symbol.iterator]()
  let a = one.next()
  let b = other.next()
  while (!a.done || !b.done) {
    const seq = a.done || (!b.done && (b.value - a.value) * step < 0) ? (b.value as number) : (a.value as number)
    yield seq
    if (!a.done && a.value === seq) a = one.next()
    if (!b.done && b.value === seq) b = other.next()
  }
}

function* filtered(seqs: Iterable<number>, also: Also): Generator<number> {
  for (const seq of seqs) if (also(seq)) yield seq
}

function first(seqs: Iterable<number>, limit: number): number[] {
  const found: number[] = []
  for (const seq of seqs) if (found.push(seq) >= limit) break
  return found
}
