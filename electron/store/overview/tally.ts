/** Counts the records of a period in the columns. */
/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import type { OverviewPeriod } from '#contract/history/overview.ts'
import { codeOfState, states, type Columns } from '../projections/columns.ts'
import { timeClasses } from '../projections/response-times.ts'
import { partOf } from './decision-tally.ts'

const answered = codeOfState('answered')
const unknown = codeOfState('unknown')
export const stateCount = states.length

export interface PeriodTally {
  unresolved: number
  /** Earliest start of all records, in the period or not. */
  firstAt: number
  readonly status: Uint32Array
  /** `stateCount` for each bar. */
  readonly bars: Uint32Array
  /** `timeClasses` for each bar. */
  readonly barTimes: Uint32Array
  /** By number of the operation. */
  readonly operations: Uint32Array
  /** `timeClasses` for each operation. */
  readonly operationTimes: Uint32Array
  /** `stateCount` for each number of a connection. */
  readonly connections: Uint32Array
}

/** What is counted on the way. */
interface Counting extends Pick<PeriodTally, 'status' | 'bars' | 'barTimes' | 'operationTimes'> {
  unresolved: number
  firstAt: number
  readonly edges: readonly number[]
  readonly operationCount: number
  /** One cell for each connection, operation and state, so that a record needs few additions. */
  readonly cells: Uint32Array
  /** 1 at each number of a connection that is counted; all if absent. */
  readonly among: Uint8Array | undefined
}

/**
 * Records counted by one call. A single call over all of them runs in code that was compiled during the call and is
 * discarded at its end, so each period would begin slowly again; a function that is called often stays compiled.
 */
const blockRecords = 4096

/** @param highest Highest numbers of an operation and of a connection. @param among 1 at each number of a connection that is counted. */
export function tallyPeriod(
  columns: Columns,
  period: OverviewPeriod,
  highest: { readonly operation: number; readonly connection: number },
  among?: Uint8Array
): PeriodTally {
  const { edges } = period
  const operationCount = highest.operation + 1
  const counting: Counting = {
    unresolved: 0,
    firstAt: Infinity,
    status: new Uint32Array(65_536),
    bars: new Uint32Array((edges.length - 1) * stateCount),
    barTimes: new Uint32Array((edges.length - 1) * timeClasses),
    operationTimes: new Uint32Array(operationCount * timeClasses),
    edges,
    operationCount,
    cells: new Uint32Array((highest.connection + 1) * operationCount * stateCount),
    among
  }
  for (let from = 1; from <= columns.last; from += blockRecords)
    countBlock(columns, from, Math.min(columns.last, from + blockRecords - 1), counting)
  return { ...counting, ...summed(counting.cells, highest) }
}

/** Counts the records from one seq to another, both included. */
function countBlock(
  { startedAt, operation, connection, state, status, resolved, timeClass }: Columns,
  from: number,
  until: number,
  counting: Counting
): void {
  const { edges, status: statuses, bars, barTimes, operationTimes, operationCount, cells, among } = counting
  const [start, end] = [edges[0]!, edges.at(-1)!]
  let { unresolved, firstAt } = counting
  // Records are nearly in the order of their start, so the next one is usually in the same bar.
  let [barFrom, barUntil, bar] = [0, 0, 0]
  for (let seq = from; seq <= until; seq += 1) {
    const at = startedAt[seq]!
    if (at < firstAt) firstAt = at
    if (at < start || at >= end || among?.[connection[seq]!] === 0) continue
    if (at < barFrom || at >= barUntil) {
      bar = partOf(edges, at)
      barFrom = edges[bar]!
      barUntil = edges[bar + 1]!
    }
    const code = state[seq]!
    const operationOf = operation[seq]!
    bars[bar * stateCount + code]! += 1
    cells[(connection[seq]! * operationCount + operationOf) * stateCount + code]! += 1
    statuses[status[seq]!]! += 1
    if (code === answered) {
      const time = timeClass[seq]!
      barTimes[bar * timeClasses + time]! += 1
      operationTimes[operationOf * timeClasses + time]! += 1
    } else if (code === unknown && resolved[seq] === 0) unresolved += 1
  }
  counting.unresolved = unresolved
  counting.firstAt = firstAt
}

/** The counts of the cells by operation, and by connection and state. */
function summed(
  cells: Uint32Array,
  highest: { readonly operation: number; readonly connection: number }
): Pick<PeriodTally, 'operations' | 'connections'> {
  const operations = new Uint32Array(highest.operation + 1)
  const connections = new Uint32Array((highest.connection + 1) * stateCount)
  cells.forEach((count, cell) => {
    if (count === 0) return
    const pair = Math.floor(cell / stateCount)
    operations[pair % operations.length]! += count
    connections[Math.floor(pair / operations.length) * stateCount + (cell % stateCount)]! += count
  })
  return { operations, connections }
}
