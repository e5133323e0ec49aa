/**
 * Dates, times and numbers as the person reads them: by locale and time zone, or dates and times as ISO 8601. This is
 * the only place of the window that formats them. Exports, evidence and titles stay in ISO 8601 and UTC.
 */
import { shallowRef } from 'vue'
import type { Settings } from '#contract/settings/settings.ts'

export interface FormatChoice {
  readonly locale: string
  /** Such as Europe/Berlin; undefined for the system's. */
  readonly timeZone?: string | undefined
  readonly iso: boolean
}

/** Parts of a moment in a time zone; months from 1. */
interface Parts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
}

const two = (value: number): string => String(value).padStart(2, '0')
const four = (value: number): string => String(value).padStart(4, '0')

export interface Formats {
  readonly choice: FormatChoice
  /** The locale that is used: see `writtenLocale`. */
  readonly locale: string
  /** `21 Nov 2026`. */
  date(at: number): string
  /** `21 Nov 2026, 14:03:22`; `short` omits the seconds. */
  time(at: number, short?: 'short'): string
  /** `14:03`. */
  clock(at: number): string
  /** `21/11, 14:03`, for a narrow column. */
  brief(at: number): string
  /** `Nov 2026`. */
  month(at: number): string
  year(at: number): string
  /** `Nov 21`, for axes. */
  dayOfYear(at: number): string
  /** Parts of a moment, for calculations. */
  parts(at: number): Parts
  /** Milliseconds that local time is ahead of UTC. */
  offset(at: number): number
  number(value: number, decimals?: number): string
  /** `€1.60`. */
  money(amount: number, currency: string): string
}

/**
 * Numbers and dates stand in sentences, so they have the script and the digits of the window's language: a locale of another script gives
 * the habits of its region alone.
 */
function writtenLocale(locale: string): string {
  const { script, region } = new Intl.Locale(locale).maximize()
  return script === 'Latn'
    ? new Intl.Locale(locale, { numberingSystem: 'latn' }).toString()
    : `en${region === undefined ? '' : `-${region}`}-u-nu-latn`
}

/** The formats of a choice. Dates are Gregorian in every locale, like the records they are of. */
export function makeFormats(choice: FormatChoice): Formats {
  const { timeZone, iso } = choice
  const locale = writtenLocale(choice.locale)
  const made = new Map<string, Intl.DateTimeFormat>()
  const dates = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
    const key = JSON.stringify(options)
    const known =
      made.get(key) ??
      new Intl.DateTimeFormat(locale, { calendar: 'gregory', ...(timeZone && { timeZone }), ...options })
    made.set(key, known)
    return known
  }
  const numbers = [0, 1].map(
    (decimals) => new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  )
  const other = new Intl.NumberFormat(locale)
  const reader = timeZone
    ? new Intl.DateTimeFormat('en', {
        calendar: 'gregory',
        numberingSystem: 'latn',
        hourCycle: 'h23',
        timeZone,
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric'
      })
    : undefined

  const parts = (at: number): Parts => {
    const date = new Date(at)
    if (!reader)
      return {
        year: date.getFullYear(),
        month: date.getMonth() + 1,
        day: date.getDate(),
        hour: date.getHours(),
        minute: date.getMinutes(),
        second: date.getSeconds()
      }
    return Object.fromEntries(
      reader.formatToParts(date).map(({ type, value }) => [type, Number(value)])
    ) as unknown as Parts
  }
  const isoDate = (at: number): string => {
    const { year, month, day } = parts(at)
    return `${four(year)}-${two(month)}-${two(day)}`
  }
  const isoClock = (at: number): string => {
    const { hour, minute } = parts(at)
    return `${two(hour)}:${two(minute)}`
  }
  return {
    choice,
    locale,
    parts,
    offset: (at) => {
      const { year, month, day, hour, minute, second } = parts(at)
      return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
    },
    date: (at) => (iso ? isoDate(at) : dates({ dateStyle: 'medium' }).format(at)),
    time: (at, short) => {
      if (!iso) return dates({ dateStyle: 'medium', timeStyle: short ?? 'medium' }).format(at)
      return `${isoDate(at)} ${isoClock(at)}${short ? '' : `:${two(parts(at).second)}`}`
    },
    clock: (at) => (iso ? isoClock(at) : dates({ timeStyle: 'short' }).format(at)),
    brief: (at) =>
      iso
        ? `${isoDate(at).slice(5)} ${isoClock(at)}`
        : dates({ month: 'numeric', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(at),
    month: (at) => (iso ? isoDate(at).slice(0, 7) : dates({ year: 'numeric', month: 'short' }).format(at)),
    year: (at) => (iso ? isoDate(at).slice(0, 4) : dates({ year: 'numeric' }).format(at)),
    dayOfYear: (at) => (iso ? isoDate(at).slice(5) : dates({ month: 'short', day: 'numeric' }).format(at)),
    money: (amount, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount),
    number: (value, decimals) =>
      ((decimals === undefined && !Number.isInteger(value) ? undefined : numbers[decimals ?? 0]) ?? other).format(value)
  }
}

/** The person's locale; English if the system names none that is known. */
function systemLocale(): string {
  const named = typeof navigator === 'undefined' ? undefined : navigator.language
  try {
    return new Intl.DateTimeFormat(named).resolvedOptions().locale
  } catch {
    return 'en-GB'
  }
}

const current = shallowRef<Formats>(makeFormats({ locale: systemLocale(), iso: false }))
/** The formats in use. Texts that are drawn with them follow a change of the settings. */
export const formats = (): Formats => current.value

/** Uses the formats that the settings ask for. */
export function useFormats({ dateFormat, timeZone }: Pick<Settings, 'dateFormat' | 'timeZone'>): void {
  const next: FormatChoice = {
    locale: systemLocale(),
    iso: dateFormat === 'iso',
    timeZone: timeZone === 'utc' ? 'UTC' : undefined
  }
  if (JSON.stringify(next) !== JSON.stringify(current.value.choice)) current.value = makeFormats(next)
}
