/** Saved views: converts the history's filters to views and back, and adds to a list of views. */
import type { HistoryFilter } from '#contract/history/queries.ts'
import type { SavedView, ViewFilter } from '#contract/app/views.ts'
import { dayStart, localDate, localDay, span } from '../../kit/time.ts'
import { words } from './words.ts'

/** Periods relative to today: a number of local days, today included. */
export const periods = [
  { label: words.today, days: 1 },
  { label: words.last7Days, days: 7 },
  { label: words.last30Days, days: 30 },
  { label: words.last12Months, days: 365 }
] as const

/** The start of a period of `days` local days that ends today. */
export const periodStart = (days: number, now: number): number | undefined => dayStart(localDay(now), 1 - days)

/** A period of whole days; at least one of its ends is given. */
export function periodWords(from: number | undefined, until: number | undefined): string {
  if (from === undefined) return until === undefined ? '' : words.untilDate({ date: localDate(until - 1) })
  if (until === undefined) return words.fromDate({ date: localDate(from) })
  return span(localDate(from), localDate(until - 1))
}

/** The part of a filter to save: never the search text; a relative period stays relative. */
export function viewOf({ search: _words, from, ...rest }: HistoryFilter, now: number): ViewFilter {
  if (from === undefined) return rest
  const moving = rest.until === undefined && periods.find(({ days }) => periodStart(days, now) === from)
  return moving ? { ...rest, days: moving.days } : { ...rest, from }
}

/** The filter that a saved view represents today. */
export function filterOfView({ days, ...rest }: ViewFilter, now: number): HistoryFilter {
  const from = days === undefined ? rest.from : periodStart(days, now)
  return { ...rest, ...(from !== undefined && { from }) }
}

const asText = (view: object): string =>
  JSON.stringify(
    Object.entries(view)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value])
      .sort()
  )

/** Whether two filters are equal; the order of what they name does not matter. */
export const sameFilters = (one: object, other: object): boolean => asText(one) === asText(other)

/** The saved view that matches the current filter, if any. */
export const currentView = (views: readonly SavedView[], filter: HistoryFilter, now: number): SavedView | undefined =>
  views.find((view) => sameFilters(view.filter, viewOf(filter, now)))

/** Adds a view at the end, or replaces the one with the same name. */
export function keepView<View extends { readonly name: string }>(views: readonly View[], kept: View): View[] {
  const known = views.some(({ name }) => name === kept.name)
  return known ? views.map((view) => (view.name === kept.name ? kept : view)) : [...views, kept]
}
