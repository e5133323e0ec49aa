/** Counts the records of a period in the columns. */
/* eslint-disable @typescript-eslint/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import type { OverviewPeriod } from '#contract/history/overview.ts'
import { codeOfState, states, type Columns } from '../projections/columns.ts'
import { timeClasses } from '../projections/response-times.ts'

const hour = 3_600_000
const minute = 60_000
const answered = codeOfState('answered')
const unknown = codeOfState('unknown')
export const stateCount = states.length

/** A part of the period in which local time has the same offset from UTC. */
interface Stretch {
  readonly from: number
  readonly until: number
  readonly offset: number
  /** Local hours since 1970 at its start. */
  readonly firstHour: number
  /** Position of its first hour among those of all stretches. */
  readonly at: number
}

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
  readonly hours: Uint32Array
  readonly stretches: readonly Stretch[]
}

function stretchesOf({ edges, offsets }: OverviewPeriod): { stretches: Stretch[]; hours: number } {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const stretches: Stretch[] = []
  let at = 0
  offsets.forEach(({ from, minutes }, index) => {
    const [first, last] = [Math.max(from, start), Math.min(offsets[index + 1]?.from ?? end, end)]
    if (first >= last) return
    const offset = minutes * minute
    const firstHour = Math.floor((first + offset) / hour)
    stretches.push({ from: first, until: last, offset, firstHour, at })
    at += Math.floor((last - 1 + offset) / hour) - firstHour + 1
  })
  return { stretches, hours: at }
}

/** What is counted on the way. */
interface Counting extends Pick<
  PeriodTally,
  'status' | 'bars' | 'barTimes' | 'operationTimes' | 'hours' | 'stretches'
> {
  unresolved: number
  firstAt: number
  readonly edges: readonly number[]
  readonly operationCount: number
  /** One cell for each connection, operation and state, so that a record needs few additions. */
  readonly cells: Uint32Array
}

/**
 * Records counted by one call. A single call over all of them runs in code that was compiled during the call and is
 * discarded at its end, so each period would begin slowly again; a function that is called often stays compiled.
 */
const blockRecords = 4096

/** @param highest Highest numbers of an operation and of a connection. */
export function tallyPeriod(
  columns: Columns,
  period: OverviewPeriod,
  highest: { readonly operation: number; readonly connection: number }
): PeriodTally {
  const { edges } = period
  const { stretches, hours } = stretchesOf(period)
  const operationCount = highest.operation + 1
  const counting: Counting = {
    unresolved: 0,
    firstAt: Infinity,
    status: new Uint32Array(65_536),
    bars: new Uint32Array((edges.length - 1) * stateCount),
    barTimes: new Uint32Array((edges.length - 1) * timeClasses),
    operationTimes: new Uint32Array(operationCount * timeClasses),
    hours: new Uint32Array(hours),
    stretches,
    edges,
    operationCount,
    cells: new Uint32Array((highest.connection + 1) * operationCount * stateCount)
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
  const { edges, stretches, status: statuses, bars, barTimes, operationTimes, hours, operationCount, cells } = counting
  const [start, end] = [edges[0]!, edges.at(-1)!]
  let { unresolved, firstAt } = counting
  // Records are nearly in the order of their start, so the next one is usually in the same bar and hour.
  let [barFrom, barUntil, bar] = [0, 0, 0]
  let [hourFrom, hourUntil, hourAt] = [0, 0, 0]
  for (let seq = from; seq <= until; seq += 1) {
    const at = startedAt[seq]!
    if (at < firstAt) firstAt = at
    if (at < start || at >= end) continue
    if (at < barFrom || at >= barUntil) {
      bar = partOf(edges, at)
      barFrom = edges[bar]!
      barUntil = edges[bar + 1]!
    }
    if (at < hourFrom || at >= hourUntil) {
      const found = hourOf(stretches, at)
      hourFrom = found.from
      hourUntil = found.until
      hourAt = found.at
    }
    const code = state[seq]!
    const operationOf = operation[seq]!
    bars[bar * stateCount + code]! += 1
    cells[(connection[seq]! * operationCount + operationOf) * stateCount + code]! += 1
    statuses[status[seq]!]! += 1
    hours[hourAt]! += 1
    if (code === answered) {
      const time = timeClass[seq]!
      barTimes[bar * timeClasses + time]! += 1
      operationTimes[operationOf * timeClasses + time]! += 1
    } else if (code === unknown && resolved[seq] === 0) unresolved += 1
  }
  counting.unresolved = unresolved
  counting.firstAt = firstAt
}

/** The local hour of a time within the period: its limits, and its position among all hours. */
function hourOf(stretches: readonly Stretch[], time: number): { from: number; until: number; at: number } {
  const { from, until, offset, firstHour, at } = stretches.find((stretch) => time < stretch.until)!
  const number = Math.floor((time + offset) / hour)
  return {
    from: Math.max(from, number * hour - offset),
    until: Math.min(until, (number + 1) * hour - offset),
    at: at + number - firstHour
  }
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

/** The bar that a time within the period belongs to. */
function partOf(edges: readonly number[], at: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (edges[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** The local hours with the most records, most first, at equal numbers the latest first. */
export function busiestHours(
  { hours, stretches }: Pick<PeriodTally, 'hours' | 'stretches'>,
  limit: number
): { from: number; until: number; count: number }[] {
  const best: { at: number; count: number }[] = []
  for (let at = hours.length - 1; at >= 0; at -= 1) {
    const count = hours[at]!
    if (count === 0 || (best.length === limit && count <= best[limit - 1]!.count)) continue
    if (best.length === limit) best.pop()
    let place = best.length
    while (place > 0 && best[place - 1]!.count < count) place -= 1
    best.splice(place, 0, { at, count })
  }
  return best.map(({ at, count }) => {
    const { from, until, offset, firstHour, at: first } = stretches.findLast((each) => each.at <= at)!
    const begins = (firstHour + at - first) * hour - offset
    return { from: Math.max(from, begins), until: Math.min(until, begins + hour), count }
  })
}
