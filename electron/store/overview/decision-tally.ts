/** Counts the decisions of a period, and what waited in it, in the rows of memory. */
/* oxlint-disable typescript/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import type { DecisionQuery, DecisionTimes } from '#contract/overview/decisions.ts'
import type { LookedRates } from '#contract/overview/rates.ts'
import { dayLength } from '#contract/applicants/due-dates.ts'
import { codeOfApplicant } from '../projections/applicants.ts'
import type { DecisionIndex } from './decision-index.ts'
import { flags } from './decision-replay.ts'

const escalate = codeOfApplicant('escalate')
const approve = codeOfApplicant('approve')
/** Codes of decisions are lower. */
export const codes = 4

/** What lets a row through: numbers of connections (1 keeps) and a reviewer; all if absent. */
export interface Narrowed {
  readonly connections: Uint8Array | undefined
  readonly reviewer: number | undefined
}

interface LookedTally {
  part: number
  of: number
  /** The same of each person. */
  readonly people: Map<number, { part: number; of: number }>
}

export interface Tallied {
  before: number
  escalatedOpen: number
  overturned: number
  firstAt: number
  /** The last decision before the period, and the first after it. */
  lastBefore: number
  firstAfter: number
  /** `codes` for each bar. */
  readonly bars: Uint32Array
  /** Times to decision, the first `timed` of them. */
  readonly took: Float64Array
  timed: number
  /** Three for each message: decided, approved, overturned. */
  readonly messages: Uint32Array
  /** Two for each number of a connection: decided, approved. */
  readonly connections: Uint32Array
  readonly reviewers: Uint32Array
  readonly sets: Set<number>
  readonly looked: Readonly<Record<keyof LookedRates, LookedTally>>
}

/** Decisions counted by one call: see `tallyPeriod`, which does the same with records. */
const blockRows = 4096

export function tallyDecisions(index: DecisionIndex, query: DecisionQuery, narrowed: Narrowed): Tallied {
  const { length } = index.decided
  const tallied: Tallied = {
    before: 0,
    escalatedOpen: 0,
    overturned: 0,
    firstAt: Infinity,
    lastBefore: -Infinity,
    firstAfter: Infinity,
    bars: new Uint32Array((query.period.edges.length - 1) * codes),
    took: new Float64Array(length),
    timed: 0,
    messages: new Uint32Array(index.messages.length * 3),
    connections: new Uint32Array(2 * 65_536),
    reviewers: new Uint32Array(index.names.length),
    sets: new Set(),
    looked: {
      unopened: { part: 0, of: 0, people: new Map() },
      unshown: { part: 0, of: 0, people: new Map() }
    }
  }
  for (let from = 0; from < length; from += blockRows)
    countBlock(index.decided, from, Math.min(length, from + blockRows), query, narrowed, tallied)
  return tallied
}

function countBlock(
  decided: DecisionIndex['decided'],
  from: number,
  until: number,
  { period: { edges }, before }: DecisionQuery,
  { connections, reviewer }: Narrowed,
  tallied: Tallied
): void {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const { ref, columns } = decided
  for (let row = from; row < until; row += 1) {
    if (ref[row] === 0) continue
    if (connections && connections[columns.connection[row]!] === 0) continue
    if (reviewer !== undefined && columns.reviewer[row] !== reviewer) continue
    const at = columns.at[row]!
    if (at < tallied.firstAt) tallied.firstAt = at
    if (at >= before.from && at < before.until) tallied.before += 1
    if (at < start) {
      if (at > tallied.lastBefore) tallied.lastBefore = at
    } else if (at >= end) {
      if (at < tallied.firstAfter) tallied.firstAfter = at
    } else take(tallied, decided, row, partOf(edges, at))
  }
}

/** Counts one decision of the period. */
function take(tallied: Tallied, { columns }: DecisionIndex['decided'], row: number, bar: number): void {
  const [code, bits] = [columns.decision[row]!, columns.flags[row]!]
  const [message, connection] = [columns.message[row]! * 3, columns.connection[row]! * 2]
  tallied.bars[bar * codes + code]! += 1
  tallied.messages[message]! += 1
  tallied.connections[connection]! += 1
  tallied.reviewers[columns.reviewer[row]!]! += 1
  if (code === approve) {
    tallied.messages[message + 1]! += 1
    tallied.connections[connection + 1]! += 1
  }
  if (bits & flags.overturned) {
    tallied.overturned += 1
    tallied.messages[message + 2]! += 1
  }
  if (code === escalate && bits & flags.open) tallied.escalatedOpen += 1
  if (bits & flags.timed) {
    tallied.took[tallied.timed] = columns.took[row]!
    tallied.timed += 1
  }
  if (bits & flags.withDocuments) look(tallied.looked.unopened, bits & flags.unopened, columns.reviewer[row]!)
  if (bits & flags.withAnswers) look(tallied.looked.unshown, bits & flags.unshown, columns.reviewer[row]!)
  if (columns.set[row] !== 0) tallied.sets.add(columns.set[row]!)
}

function look(tally: LookedTally, missed: number, reviewer: number): void {
  let own = tally.people.get(reviewer)
  if (!own) tally.people.set(reviewer, (own = { part: 0, of: 0 }))
  tally.of += 1
  own.of += 1
  if (!missed) return
  tally.part += 1
  own.part += 1
}

/** The part of ascending edges that a time belongs to. */
export function partOf(edges: ArrayLike<number>, at: number): number {
  let [low, high] = [0, edges.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (edges[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Median and 90 %, by nearest rank. Reorders the times. */
export function decisionTimes(took: Float64Array): DecisionTimes | undefined {
  const count = took.length
  if (count === 0) return undefined
  return {
    count,
    median: select(took, Math.ceil(count * 0.5) - 1),
    p90: select(took, Math.ceil(count * 0.9) - 1)
  }
}

/** The value at a place if they were sorted: smaller ones are moved before it, larger ones behind it. */
function select(values: Float64Array, place: number): number {
  let [low, high] = [0, values.length - 1]
  while (low < high) {
    const pivot = values[(low + high) >> 1]!
    let [left, right] = [low, high]
    while (left <= right) {
      while (values[left]! < pivot) left += 1
      while (values[right]! > pivot) right -= 1
      if (left > right) break
      const swapped = values[left]!
      values[left] = values[right]!
      values[right] = swapped
      left += 1
      right -= 1
    }
    if (place <= right) high = right
    else if (place >= left) low = left
    else break
  }
  return values[place]!
}

/** A moment at which what waits is counted, and the date then. */
export interface Moment {
  readonly at: number
  readonly day: number
}

/** The end of each bar of a period that has begun, in local time; now for the one that has not ended. */
export function moments({ edges, offsets }: DecisionQuery['period'], now: Moment): Moment[] {
  return edges.slice(1).flatMap((until, index) => {
    if (edges[index]! > now.at) return []
    if (until > now.at) return [now]
    const at = until - 1
    const { minutes } = offsets.findLast(({ from }) => from <= at) ?? offsets[0]!
    return [{ at, day: Math.floor((at + minutes * 60_000) / dayLength) * dayLength }]
  })
}

/** The first moment at or after a time. */
const firstFrom = (times: Float64Array, at: number): number => {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! >= at) high = middle
    else low = middle + 1
  }
  return low
}

/** How many waited at each moment, and how many of them after their due date. */
export function tallyBacklog(
  { waited }: DecisionIndex,
  asked: readonly Moment[],
  { connections, reviewer }: Narrowed
): { readonly total: Int32Array; readonly overdue: Int32Array } {
  const times = Float64Array.from(asked, ({ at }) => at)
  const days = Float64Array.from(asked, ({ day }) => day)
  const [total, overdue] = [new Int32Array(asked.length + 1), new Int32Array(asked.length + 1)]
  const { length, ref, columns } = waited
  const [begin, end] = [times[0] ?? Infinity, times.at(-1) ?? -Infinity]
  for (let row = 0; row < length; row += 1) {
    if (ref[row] === 0) continue
    const [from, until] = [columns.from[row]!, columns.until[row]!]
    if (from > end || until <= begin) continue
    if (connections && connections[columns.connection[row]!] === 0) continue
    if (reviewer !== undefined && columns.reviewer[row] !== reviewer) continue
    const [first, after] = [firstFrom(times, from), firstFrom(times, until)]
    if (first >= after) continue
    total[first]! += 1
    total[after]! -= 1
    const late = Math.max(first, firstFrom(days, columns.due[row]! + 1))
    if (late >= after) continue
    overdue[late]! += 1
    overdue[after]! -= 1
  }
  for (let at = 1; at < total.length; at += 1) {
    total[at]! += total[at - 1]!
    overdue[at]! += overdue[at - 1]!
  }
  return { total, overdue }
}
