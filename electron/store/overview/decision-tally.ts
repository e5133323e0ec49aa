/** Counts the decisions of a period, and what waited in it, in the rows of memory. */
/* eslint-disable @typescript-eslint/no-non-null-assertion -- typed arrays, read within their length in the hottest loops */
import type { DecisionQuery, DecisionTimes } from '#contract/overview/decisions.ts'
import { dayLength } from '#contract/applicants/due-dates.ts'
import { codeOfApplicant } from '../projections/applicants.ts'
import { flags, type DecisionIndex } from './decision-index.ts'

const escalate = codeOfApplicant('escalate')
const approve = codeOfApplicant('approve')
/** Codes of decisions are lower. */
export const codes = 4

/** What lets a row through: numbers of connections (1 keeps) and a reviewer; all if absent. */
export interface Narrowed {
  readonly connections: Uint8Array | undefined
  readonly reviewer: number | undefined
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
  readonly took: number[]
  /** By message: decided, approved, overturned. */
  readonly messages: Map<number, [number, number, number]>
  /** By number of a connection: decided, approved. */
  readonly connections: Map<number, [number, number]>
  readonly reviewers: Map<number, number>
  readonly sets: Set<number>
}

export function tallyDecisions(
  { decided }: DecisionIndex,
  { period: { edges }, before }: DecisionQuery,
  { connections, reviewer }: Narrowed
): Tallied {
  const [start, end] = [edges[0]!, edges.at(-1)!]
  const tallied: Tallied = {
    before: 0,
    escalatedOpen: 0,
    overturned: 0,
    firstAt: Infinity,
    lastBefore: -Infinity,
    firstAfter: Infinity,
    bars: new Uint32Array((edges.length - 1) * codes),
    took: [],
    messages: new Map(),
    connections: new Map(),
    reviewers: new Map(),
    sets: new Set()
  }
  const { length, ref, columns } = decided
  for (let row = 0; row < length; row += 1) {
    if (ref[row] === 0) continue
    if (connections && connections[columns.connection[row]!] === 0) continue
    if (reviewer !== undefined && columns.reviewer[row] !== reviewer) continue
    const at = columns.at[row]!
    if (at < tallied.firstAt) tallied.firstAt = at
    if (at >= before.from && at < before.until) tallied.before += 1
    if (at < start) tallied.lastBefore = Math.max(tallied.lastBefore, at)
    else if (at >= end) tallied.firstAfter = Math.min(tallied.firstAfter, at)
    else take(tallied, decided, row, partOf(edges, at))
  }
  return tallied
}

/** Counts one decision of the period. */
function take(tallied: Tallied, { columns }: DecisionIndex['decided'], row: number, bar: number): void {
  const [code, bits, message] = [columns.decision[row]!, columns.flags[row]!, columns.message[row]!]
  const [connection, reviewer] = [columns.connection[row]!, columns.reviewer[row]!]
  const approved = code === approve ? 1 : 0
  const overturned = bits & flags.overturned ? 1 : 0
  tallied.bars[bar * codes + code]! += 1
  tallied.overturned += overturned
  if (code === escalate && bits & flags.open) tallied.escalatedOpen += 1
  if (bits & flags.timed) tallied.took.push(columns.took[row]!)
  if (columns.set[row] !== 0) tallied.sets.add(columns.set[row]!)
  const ofMessage = tallied.messages.get(message)
  if (ofMessage) {
    ofMessage[0] += 1
    ofMessage[1] += approved
    ofMessage[2] += overturned
  } else tallied.messages.set(message, [1, approved, overturned])
  const ofConnection = tallied.connections.get(connection)
  if (ofConnection) {
    ofConnection[0] += 1
    ofConnection[1] += approved
  } else tallied.connections.set(connection, [1, approved])
  tallied.reviewers.set(reviewer, (tallied.reviewers.get(reviewer) ?? 0) + 1)
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

/** Median and 90 %, by nearest rank. */
export function decisionTimes(took: readonly number[]): DecisionTimes | undefined {
  if (took.length === 0) return undefined
  const sorted = Float64Array.from(took).sort()
  const at = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1]!
  return { count: sorted.length, median: at(0.5), p90: at(0.9) }
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
