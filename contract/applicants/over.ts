/** When a relationship has been over for the years that its data are retained. */
import { isoDue, today } from './due-dates.ts'
import type { Relationship } from './relationships.ts'
import { addMonths } from './reviews.ts'

const day = 86_400_000

/** The last day from which some years have passed, on the day that it is now (Unix milliseconds). */
export function lastDayOver(years: number, now: number): string {
  const date = isoDue(today(now))
  const before = addMonths(date, -12 * years)
  // The day after 28 February in a leap year is over on 28 February as well.
  const next = isoDue(Date.parse(before) + day)
  return addMonths(next, 12 * years) <= date ? next : before
}

/** One that lasts never is. */
export const isOverFor = ({ state, on }: Relationship, years: number, now: number): boolean =>
  state !== 'active' && on <= lastDayOver(years, now)
