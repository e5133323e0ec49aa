/**
 * The history in other orders than newest first. A list is sorted on the columns, which takes some tens of milliseconds
 * for a million records, and kept while its pages are read.
 */
/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import { operationOf, type OperationId } from '#contract/verification/operations.ts'
import { outcomeIds, type RecordState } from '#contract/verification/outcomes.ts'
import type { HistoryFilter, HistoryOrder } from '#contract/history/queries.ts'
import { states, type Columns } from '../projections/columns.ts'
import type { Dictionary } from '../projections/dictionary.ts'

interface Matching {
  /** Newest first. */
  readonly seqs: Uint32Array
  readonly atLeast: boolean
  readonly columns: Columns
  readonly dictionary: Pick<Dictionary, 'connections' | 'operationNames'>
}
interface Sorted {
  readonly seqs: Uint32Array
  readonly atLeast: boolean
}

/** Four bytes per record each. */
const keptLists = 2
const digit = 0x1_0000
/**
 * Records handled by one call. A function that is called often stays compiled; a loop over all records runs in code
 * that is compiled during the call and discarded at its end.
 */
const blockRecords = 4096
const shownStates: readonly RecordState[] = [...outcomeIds, 'open']

export class SortedLists {
  private readonly kept = new Map<string, Sorted>()

  /** @param again Sorts even if the list is known. */
  list(filter: HistoryFilter, order: HistoryOrder, again: boolean, match: () => Matching): Sorted {
    const name = JSON.stringify([filter, order])
    const known = again ? undefined : this.kept.get(name)
    const list = known ?? sortRecords(match(), order)
    this.kept.delete(name)
    this.kept.set(name, list)
    while (this.kept.size > keptLists) this.kept.delete(this.kept.keys().next().value as string)
    return list
  }
}

/** Ranks of names by their stored number, from 1. */
function ranks(names: Iterable<readonly [number, string]>): Uint32Array {
  const sorted = [...names].sort(([, a], [, b]) => a.localeCompare(b, 'en'))
  const table = new Uint32Array(Math.max(0, ...sorted.map(([ref]) => ref)) + 1)
  let rank = 1
  sorted.forEach(([ref, name], index) => {
    if (index > 0 && name !== sorted[index - 1]?.[1]) rank += 1
    table[ref] = rank
  })
  return table
}

/** What records are sorted by: a stored number of each, by seq. */
interface SortedBy {
  readonly values: Uint8Array | Uint16Array | Uint32Array
  /** The place of each stored number in the order, if the numbers are not in it themselves. */
  readonly places?: Uint32Array
  /** Passes of 16 bits each that tell the keys apart. */
  readonly digits: 1 | 2
}

function sortedBy({ columns, dictionary }: Matching, by: Exclude<HistoryOrder['by'], 'time'>): SortedBy {
  switch (by) {
    case 'status':
      return { values: columns.status, digits: 1 }
    case 'duration':
      // The bits of positive floating-point numbers are in the order of the numbers.
      return { values: new Uint32Array(columns.duration.buffer), digits: 2 }
    case 'state':
      return {
        values: columns.state,
        places: Uint32Array.from(states, (each) => shownStates.indexOf(each) + 1),
        digits: 1
      }
    case 'operation':
      return {
        values: columns.operation,
        places: ranks(
          [...dictionary.operationNames].map(([ref, id]) => [ref, operationOf(id as OperationId).shortTitle])
        ),
        digits: 1
      }
    case 'connection':
      return {
        values: columns.connection,
        places: ranks([...dictionary.connections].map(([ref, { name }]) => [ref, name])),
        digits: 1
      }
  }
}

function sortRecords(matching: Matching, { by, reversed = false }: HistoryOrder): Sorted {
  const { seqs, atLeast } = matching
  if (by === 'time') return { seqs: reversed ? seqs : seqs.toReversed(), atLeast }
  const sorted = sortedBy(matching, by)
  const keys = new Uint32Array(seqs.length)
  inBlocks(seqs.length, (from, until) => fillKeys(seqs, sorted, reversed, keys, from, until))
  return { seqs: byKey(seqs, keys, sorted.digits), atLeast }
}

function inBlocks(count: number, work: (from: number, until: number) => void): void {
  for (let from = 0; from < count; from += blockRecords) work(from, Math.min(count, from + blockRecords))
}

/** Keys grow with the value, or fall with it if reversed. A record without a value, stored as 0, is last in both. */
function fillKeys(
  seqs: Uint32Array,
  { values, places, digits }: SortedBy,
  reversed: boolean,
  keys: Uint32Array,
  from: number,
  until: number
): void {
  const missing = digits === 1 ? 0xffff : 0xffff_ffff
  for (let index = from; index < until; index += 1) {
    const value = values[seqs[index]!]!
    const place = places ? places[value]! : value
    keys[index] = place === 0 ? missing : reversed ? missing - place : place
  }
}

/** Radix sort; values with equal keys keep their order. */
function byKey(values: Uint32Array, keys: Uint32Array, digits: 1 | 2): Uint32Array {
  let [from, fromKeys] = [values, keys]
  for (const shift of [0, 16].slice(0, digits)) {
    const places = new Uint32Array(digit + 1)
    inBlocks(from.length, (first, until) => countDigits(fromKeys, shift, places, first, until))
    for (let place = 1; place <= digit; place += 1) places[place]! += places[place - 1]!
    const [to, toKeys] = [new Uint32Array(values.length), new Uint32Array(values.length)]
    inBlocks(from.length, (first, until) => distribute(from, fromKeys, shift, places, to, toKeys, first, until))
    ;[from, fromKeys] = [to, toKeys]
  }
  return from
}

function countDigits(keys: Uint32Array, shift: number, counts: Uint32Array, from: number, until: number): void {
  for (let index = from; index < until; index += 1) counts[((keys[index]! >>> shift) & 0xffff) + 1]! += 1
}

/** @param places The next place of each digit. */
function distribute(
  values: Uint32Array,
  keys: Uint32Array,
  shift: number,
  places: Uint32Array,
  to: Uint32Array,
  toKeys: Uint32Array,
  from: number,
  until: number
): void {
  for (let index = from; index < until; index += 1) {
    const key = keys[index]!
    const place = places[(key >>> shift) & 0xffff]!++
    to[place] = values[index]!
    toKeys[place] = key
  }
}
