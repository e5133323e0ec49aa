/** Periods of the overview: local days, as presets or from one day to another, and how they are divided into bars. */
import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import { maxBars, type OverviewPeriod } from '#contract/overview.ts'
import { dayStart, localDate } from './time.ts'
import { periods, periodStart } from './views.ts'

/** A number of local days that ends today, all records, or two local days, both included. */
export type PeriodChoice = { readonly days: number | 'all' } | { readonly first: string; readonly last: string }

export const presets: readonly { readonly label: string; readonly days: number | 'all' }[] = [...periods, { label: 'All records', days: 'all' }]
const usual: PeriodChoice = { days: 30 }

const text = (value: LocationQuery[string] | undefined): string => (Array.isArray(value) ? value[0] : value) ?? ''

/** Reads a period from the address; the last 30 days if it has none. */
export function choiceOf(query: LocationQuery): PeriodChoice {
  const [first, last] = [text(query['first']), text(query['last'])]
  if (dayStart(first) !== undefined && dayStart(last, 1) !== undefined) return { first, last }
  const days = text(query['days'])
  return presets.find((preset) => String(preset.days) === days) ?? usual
}

export const queryOfChoice = (choice: PeriodChoice): LocationQueryRaw =>
  'days' in choice ? { days: String(choice.days) } : { first: choice.first, last: choice.last }

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
  const tomorrow = dayStart(localDate(now), 1) ?? now
  if (!('days' in choice)) {
    const [from, until] = [dayStart(choice.first), dayStart(choice.last, 1)]
    return from !== undefined && until !== undefined && from < until ? { from, until } : undefined
  }
  const from = choice.days === 'all' ? dayStart(localDate(Math.min(firstAt, now))) : periodStart(choice.days, now)
  return { from: from ?? 0, until: tomorrow }
}

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'year'

const day = 86_400_000
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
  const date = new Date(at)
  const [year, month, of] = [date.getFullYear(), date.getMonth(), date.getDate()]
  if (unit === 'day') return new Date(year, month, of + 1).getTime()
  // Weeks begin on Mondays.
  if (unit === 'week') return new Date(year, month, of + 7 - ((date.getDay() + 6) % 7)).getTime()
  return unit === 'month' ? new Date(year, month + 1, 1).getTime() : new Date(year + 1, 0, 1).getTime()
}

/** The bars of a period; the first and the last may be parts of a unit. */
function edgesOf({ from, until }: Range): number[] {
  const unit = unitOf({ from, until })
  const edges = [from]
  for (let at = next(from, unit); at < until && edges.length < maxBars; at = next(at, unit)) edges.push(at)
  return [...edges, until]
}

const offsetAt = (at: number): number => -new Date(at).getTimezoneOffset()

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
  const date = localDate(from)
  if (unit === 'hour') return hourLabel(from)
  if (unit === 'week') return `Week of ${date}`
  return unit === 'month' ? date.slice(0, 7) : unit === 'year' ? date.slice(0, 4) : date
}

/** `2026-11-21 14:00`, local. */
export function hourLabel(from: number): string {
  const date = new Date(from)
  return `${localDate(from)} ${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}

/** The label below an axis, without what the others share. */
export const shortLabel = (from: number, unit: Unit): string =>
  unit === 'hour' ? hourLabel(from).slice(11) : unit === 'day' || unit === 'week' ? localDate(from).slice(5) : barLabel(from, unit)
