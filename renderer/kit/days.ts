/** Calendar days as fields and addresses hold them, such as `2026-11-21`, and how a date field writes them. */
import { CalendarDate, parseDate } from '@internationalized/date'

/** The day; undefined if the text is not one. */
export function dayOf(text: string | undefined): CalendarDate | undefined {
  if (!text) return undefined
  try {
    return parseDate(text)
  } catch {
    return undefined
  }
}

/** While a year is typed, each digit makes another one. Only years of four digits are meant. */
export const leastYear = 1000

/** Whether a typed day is complete and within the limits. */
export function isAllowedDay(
  day: CalendarDate,
  { min, max }: { readonly min?: string | undefined; readonly max?: string | undefined }
): boolean {
  const [least, most] = [dayOf(min), dayOf(max)]
  return day.year >= leastYear && (!least || day.compare(least) >= 0) && (!most || day.compare(most) <= 0)
}

/** Dates are those of the Gregorian calendar in every locale, since records, exports and due dates are. */
export function gregorian(locale: string): string {
  try {
    return new Intl.Locale(locale, { calendar: 'gregory' }).toString()
  } catch {
    return 'en-u-ca-gregory'
  }
}

/** A locale that writes year, month and day in this order, with hyphens, in English. */
export const isoLocale = 'en-CA-u-ca-gregory'

/** A day from its parts. */
export const dayFrom = ({
  year,
  month,
  day
}: {
  readonly year: number
  readonly month: number
  readonly day: number
}): CalendarDate => new CalendarDate(year, month, day)
