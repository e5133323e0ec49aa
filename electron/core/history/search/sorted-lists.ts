/**
 * The history in other orders than newest first. A list is sorted on the columns, which takes some tens of milliseconds
 * for a million records, and kept while its pages are read.
 */
/* eslint-disable @typescript-eslint/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import { operationOf, type OperationId } from '#contract/operations.ts'
import { outcomeIds, type RecordState } from '#contract/outcomes.ts'
import type { HistoryFilter, HistoryOrder } from '#contract/records.ts'
import { states, type Columns } from '#core/history/projections/columns.ts'
import type { Dictionary } from '#core/history/projections/dictionary.ts'

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
/** Key of a record without the value that is sorted by. */
const missing = 0xffff_ffff
const digit = 0x1_0000
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

/** Ranks of names by their stored number. */
function ranks(names: Iterable<readonly [number, string]>): Uint32Array {
  const sorted = [...names].sort(([, a], [, b]) => a.localeCompare(b, 'en'))
  const table = new Uint32Array(Math.max(0, ...sorted.map(([ref]) => ref)) + 1)
  let rank = 0
  sorted.forEach(([ref, name], index) => {
    if (index > 0 && name !== sorted[index - 1]?.[1]) rank += 1
    table[ref] = rank
  })
  return table
}

/** The key of each record: a number that grows with the value. */
function keyOf({ columns, dictionary }: Matching, by: HistoryOrder['by']): (seq: number) => number {
  const { status, duration, state, operation, connection } = columns
  switch (by) {
    case 'status':
      return (seq) => status[seq] || missing
    case 'duration': {
      // The bits of positive floating-point numbers are in the order of the numbers.
      const bits = new Uint32Array(duration.buffer)
      return (seq) => bits[seq] || missing
    }
    case 'state': {
      const places = states.map((each) => shownStates.indexOf(each))
      return (seq) => places[state[seq]!]!
    }
    case 'operation': {
      const places = ranks([...dictionary.operationNames].map(([ref, id]) => [ref, operationOf(id as OperationId).shortTitle]))
      return (seq) => places[operation[seq]!]!
    }
    case 'connection': {
      const places = ranks([...dictionary.connections].map(([ref, { name }]) => [ref, name]))
      return (seq) => places[connection[seq]!]!
    }
    case 'time':
      return (seq) => seq
  }
}

function sortRecords(matching: Matching, { by, reversed = false }: HistoryOrder): Sorted {
  const { seqs, atLeast } = matching
  if (by === 'time') return { seqs: reversed ? seqs : seqs.toReversed(), atLeast }
  const key = keyOf(matching, by)
  const keys = Uint32Array.from(seqs, (seq) => {
    const value = key(seq)
    return reversed && value !== missing ? missing - 1 - value : value
  })
  return { seqs: byKey(seqs, keys), atLeast }
}

/** Radix sort in two passes; values with equal keys keep their order. */
function byKey(values: Uint32Array, keys: Uint32Array): Uint32Array {
  let [from, fromKeys] = [values, keys]
  for (const shift of [0, 16]) {
    const counts = new Uint32Array(digit + 1)
    for (const key of fromKeys) counts[((key >>> shift) & 0xffff) + 1]! += 1
    // Often all have the same high digit.
    if (counts.includes(fromKeys.length) && fromKeys.length > 0) continue
    for (let place = 1; place <= digit; place += 1) counts[place]! += counts[place - 1]!
    const [to, toKeys] = [new Uint32Array(values.length), new Uint32Array(values.length)]
    for (let index = 0; index < from.length; index += 1) {
      const place = counts[(fromKeys[index]! >>> shift) & 0xffff]!++
      to[place] = from[index]!
      toKeys[place] = fromKeys[index]!
    }
    ;[from, fromKeys] = [to, toKeys]
  }
  return from
}
