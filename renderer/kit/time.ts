/** Times for display, by the person's formats, and the days that they are on. */
import { formats } from './formats.ts'
import { count } from './text.ts'
import { words } from './words.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** The date for display, such as `21 Nov 2026`. */
export const localDate = (at: number): string => formats().date(at)

/** Date and time for display, such as `21 Nov 2026, 14:03:22`; `short` omits the seconds. */
export const localTime = (at: number, short?: 'short'): string => formats().time(at, short)

/** From one time to another, or one of them if both read alike. */
export const span = (first: string, last: string): string =>
  first === last ? first : words.firstToLast({ first, last })

/** ISO 8601 with the zone, for titles and machines. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** The day of a moment as fields and addresses hold it: `2026-11-21`. */
export function localDay(at: number): string {
  const { year, month, day } = formats().parts(at)
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
}

/** Start of the day `text`, such as `2026-11-21`, plus `days`; undefined if it is not a date. */
export function dayStart(text: string, days = 0): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3]) + days]
  const at = startOf(year, month, day)
  return Number.isFinite(at) && at >= 0 ? at : undefined
}

/** Start of a day in the time zone in use; days and months may be beyond their limits. */
export function startOf(year: number, month: number, day: number): number {
  const { offset, choice } = formats()
  if (choice.timeZone === undefined) return new Date(year, month - 1, day).getTime()
  const utc = Date.UTC(year, month - 1, day)
  // The offset at that moment, which is not known before the moment is; where clocks skip midnight, the later one.
  const near = utc - offset(utc)
  const exact = utc - offset(near)
  return offset(exact) === offset(near) ? exact : Math.max(near, exact)
}

/** Formats milliseconds: `312 ms`, `4.2 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return words.msMs({ ms: count(Math.round(ms)) })
  if (ms < 60_000) return words.numberS({ number: formats().number(ms / 1000, 1) })
  const seconds = Math.round(ms / 1000)
  return words.floorMinTwoS({ floor: count(Math.floor(seconds / 60)), two: two(seconds % 60) })
}

/** Approximate time since a moment: `3 minutes`, `729 days`. */
export function elapsed(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 60) return words.seconds({ seconds })
  if (seconds < 3600) return words.minutes({ seconds: Math.round(seconds / 60) })
  if (seconds < 86_400) return words.hours({ seconds: Math.round(seconds / 3600) })
  return words.days({ seconds: Math.round(seconds / 86_400) })
}

/** In the language of the window's sentences, not in that of its formats. */
const ago = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })

/** Approximate time ago or ahead: `3 minutes ago`, `in 2 hours`. */
export function relative(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 60) return ago.format(seconds, 'second')
  if (size < 3600) return ago.format(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return ago.format(Math.round(seconds / 3600), 'hour')
  return ago.format(Math.round(seconds / 86_400), 'day')
}

/** A date seen from now, in the largest unit: `in 7 years`, `in 12 days`, `3 months ago`; empty if it is none. */
export function aheadOf(at: number, now: number): string {
  if (Number.isNaN(at)) return ''
  const days = Math.trunc((at - now) / 86_400_000)
  const size = Math.abs(days)
  if (size >= 730) return ago.format(Math.trunc(days / 365.25), 'year')
  if (size >= 60) return ago.format(Math.trunc(days / 30.4), 'month')
  return ago.format(days, 'day')
}

/** A round time in words, in the largest unit that it has whole: “24 hours”, “15 minutes”, “7 days”. */
export function sentenceOfSeconds(seconds: number): string {
  if (seconds % 60 !== 0 || seconds < 60) return words.seconds({ seconds })
  if (seconds % 3600 !== 0) return words.minutes({ seconds: seconds / 60 })
  return seconds % 86_400 === 0 && seconds > 86_400
    ? words.days({ seconds: seconds / 86_400 })
    : words.hours({ seconds: seconds / 3600 })
}
