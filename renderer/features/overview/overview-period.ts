/** Periods of the overview: local days, as presets or from one day to another, and how they are divided into bars. */
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { maxBars, type OverviewPeriod } from '#contract/history/overview.ts'
import { formats } from '../../kit/formats.ts'
import { dayStart, localDate, localDay, localTime, startOf } from '../../kit/time.ts'
import { periods, periodStart } from '../history/views.ts'
import { words } from './words.ts'

/**
 * A month (this one until today, or the one before), a number of local days that ends today, all records, or two local days, both
 * included.
 */
export type PeriodChoice =
  | { readonly month: 'this' | 'last' }
  | { readonly days: number | 'all' }
  | { readonly first: string; readonly last: string }

export const presets: readonly { readonly label: string; readonly choice: PeriodChoice }[] = [
  { label: words.thisMonth, choice: { month: 'this' } },
  { label: words.lastMonth, choice: { month: 'last' } },
  ...periods.map(({ label, days }) => ({ label, choice: { days } })),
  { label: words.allRecords, choice: { days: 'all' } }
]
const usual: PeriodChoice = { month: 'this' }
/** Whether two periods are chosen alike. */
export const isSame = (a: PeriodChoice, b: PeriodChoice): boolean =>
  JSON.stringify(queryOfChoice(a)) === JSON.stringify(queryOfChoice(b))

const text = (value: LocationQuery[string] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

/** Reads a period from the address; this month if it has none. */
export function choiceOf(query: LocationQuery): PeriodChoice {
  const [first, last] = [text(query['first']), text(query['last'])]
  if (dayStart(first) !== undefined && dayStart(last, 1) !== undefined) return { first, last }
  const [days, month] = [text(query['days']), text(query['month'])]
  const named = presets.find(({ choice }) =>
    'days' in choice ? String(choice.days) === days : 'month' in choice && choice.month === month
  )
  return named?.choice ?? usual
}

export const queryOfChoice = (choice: PeriodChoice): LocationQueryRaw =>
  'month' in choice
    ? { month: choice.month }
    : 'days' in choice
      ? { days: String(choice.days) }
      : { first: choice.first, last: choice.last }

const day = 86_400_000

export interface Range {
  readonly from: number
  readonly until: number
}

/**
 * The times of a period; undefined if its first day is after its last.
 *
 * @param firstAt The earliest record, for all records.
 */
export function rangeOf(choice: PeriodChoice, now: number, firstAt = now): Range | undefined {
  const tomorrow = dayStart(localDay(now), 1) ?? now
  if ('month' in choice) {
    const { year, month } = formats().parts(now)
    return choice.month === 'this'
      ? { from: startOf(year, month, 1), until: tomorrow }
      : { from: startOf(year, month - 1, 1), until: startOf(year, month, 1) }
  }
  if (!('days' in choice)) {
    const [from, until] = [dayStart(choice.first), dayStart(choice.last, 1)]
    return from !== undefined && until !== undefined && from < until ? { from, until } : undefined
  }
  const from = choice.days === 'all' ? dayStart(localDay(Math.min(firstAt, now))) : periodStart(choice.days, now)
  return { from: from ?? 0, until: tomorrow }
}

/**
 * The period that one is compared with: as many days before it; of a month, the same days of the month before. Undefined for all records.
 */
export function rangeBefore(choice: PeriodChoice, { from, until }: Range): Range | undefined {
  if ('days' in choice && choice.days === 'all') return undefined
  const start = formats().parts(from)
  const days = Math.round((until - from) / day)
  if (!('month' in choice)) return { from: startOf(start.year, start.month, start.day - days), until: from }
  const before = startOf(start.year, start.month - 1, 1)
  if (choice.month === 'last') return { from: before, until: from }
  return { from: before, until: Math.min(from, startOf(start.year, start.month - 1, 1 + days)) }
}

/** A whole month that contains a time. */
export function monthOf(at: number): Range {
  const { year, month } = formats().parts(at)
  return { from: startOf(year, month, 1), until: startOf(year, month + 1, 1) }
}

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'year'

const hour = 3_600_000

/** The unit of the bars: few enough to tell them apart. */
export function unitOf({ from, until }: Range): Unit {
  const days = (until - from) / day
  if (days <= 2.5) return 'hour'
  if (days <= 92.5) return 'day'
  if (days <= 400) return 'week'
  return days <= 3700 ? 'month' : 'year'
}

/** The start of the unit after the one that contains a time. */
function next(at: number, unit: Unit): number {
  if (unit === 'hour') return at + hour
  const { year, month, day: of } = formats().parts(at)
  if (unit === 'day') return startOf(year, month, of + 1)
  // Weeks begin on Mondays.
  if (unit === 'week')
    return startOf(year, month, of + 7 - ((new Date(Date.UTC(year, month - 1, of)).getUTCDay() + 6) % 7))
  return unit === 'month' ? startOf(year, month + 1, 1) : startOf(year + 1, 1, 1)
}

/** The bars of a period; the first and the last may be parts of a unit. */
function edgesOf({ from, until }: Range): number[] {
  const unit = unitOf({ from, until })
  const edges = [from]
  for (let at = next(from, unit); at < until && edges.length < maxBars; at = next(at, unit)) edges.push(at)
  return [...edges, until]
}

const offsetAt = (at: number): number => Math.round(formats().offset(at) / 60_000)

/** The minutes that local time is ahead of UTC, and when that changes within a period. */
function offsetsOf({ from, until }: Range): OverviewPeriod['offsets'] {
  const offsets = [{ from, minutes: offsetAt(from) }]
  for (let low = from; low < until; low += day) {
    let [before, after] = [low, Math.min(low + day, until)]
    const [minutes, later] = [offsetAt(before), offsetAt(after)]
    if (minutes === later) continue
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2)
      if (offsetAt(middle) === minutes) before = middle
      else after = middle
    }
    if (after < until) offsets.push({ from: after, minutes: later })
  }
  return offsets
}

/** The request for a period. */
export const requestOf = (range: Range): OverviewPeriod => ({ edges: edgesOf(range), offsets: offsetsOf(range) })

/** The label of a bar. */
export function barLabel(from: number, unit: Unit): string {
  if (unit === 'hour') return localTime(from, 'short')
  if (unit === 'week') return words.weekOfDate({ date: localDate(from) })
  return unit === 'month' ? formats().month(from) : unit === 'year' ? formats().year(from) : localDate(from)
}

/** The label below an axis, without what the others share. */
export const shortLabel = (from: number, unit: Unit): string =>
  unit === 'hour'
    ? formats().clock(from)
    : unit === 'day' || unit === 'week'
      ? formats().dayOfYear(from)
      : barLabel(from, unit)
