/** Times for display: local zone, aligned digits, the exact instant in the title. */
import { plural } from './text.ts'

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-11-21`, local. */
export function localDate(at: number): string {
  const date = new Date(at)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** `2026-11-21 14:03:22`, local. */
export function localTime(at: number): string {
  const date = new Date(at)
  return `${localDate(at)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** ISO 8601 with the zone, for titles and machines. */
export const isoTime = (at: number): string => new Date(at).toISOString()

/** Start of the local day `text`, such as `2026-11-21`, plus `days`; undefined if it is not a date. */
export function dayStart(text: string, days = 0): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return undefined
  const at = new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3]) + days).getTime()
  return Number.isFinite(at) && at >= 0 ? at : undefined
}

/** Formats milliseconds: `312 ms`, `4.2 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${two(seconds % 60)} s`
}

/** Approximate time since a moment: `3 minutes`, `729 days`. */
export function elapsed(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 60) return plural(seconds, 'second')
  if (seconds < 3600) return plural(Math.round(seconds / 60), 'minute')
  if (seconds < 86_400) return plural(Math.round(seconds / 3600), 'hour')
  return plural(Math.round(seconds / 86_400), 'day')
}

/** Approximate time ago or ahead: `3 minutes ago`, `in 2 hours`. */
export function relative(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' })
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size < 60) return format.format(seconds, 'second')
  if (size < 3600) return format.format(Math.round(seconds / 60), 'minute')
  if (size < 86_400) return format.format(Math.round(seconds / 3600), 'hour')
  return format.format(Math.round(seconds / 86_400), 'day')
}
