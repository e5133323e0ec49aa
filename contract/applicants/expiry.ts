/**
 * Dates of an answer on which something ends, judged by the calendar: for the values of a case, and for a decision about many
 * applicants. Veridesk's own reading: it changes no state and no interpretation. Pure.
 */
import type { AnswerField } from './applicants.ts'
import { dayLength, dueOfIso } from './due-dates.ts'

/** What a date on which something ends means today; `days` from today, negative if it has passed. */
export interface Expiry {
  readonly is: 'valid' | 'soon' | 'expired'
  readonly days: number
  /** The day, as the Unix milliseconds of its midnight in UTC. */
  readonly day: number
}

/** A document that ends within this many days is about to. */
const soonDays = 90

/** The last part of a path, in words: `documents[0].expires_on` is `expires on`. */
export const ownWords = (name: string): string =>
  (/[^.[\]]+(?=(?:\[\d+\])?$)/.exec(name)?.[0] ?? name)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/[_\s-]+/g, ' ')
    .trim()
    .toLowerCase()

/** What these say of a field whose value is a day on which something ends. */
export const endsWords = /^(?:expir|valid (?:until|to|thru)|date of expir)|expir/

/** Judges a day on which something ends; undefined if the field does not say that, or its text is no date of the calendar. */
export function expiryOf(name: string, text: string, today: number): Expiry | undefined {
  if (!endsWords.test(ownWords(name))) return undefined
  const day = dueOfIso(/^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text.trim())?.[0] ?? '')
  if (day === undefined) return undefined
  const days = Math.round((day - today) / dayLength)
  return { is: days < 0 ? 'expired' : days <= soonDays ? 'soon' : 'valid', days, day }
}

/** Whether a day on which something ends has passed, by the values of one answer. */
export const hasExpired = (fields: readonly AnswerField[], today: number): boolean =>
  fields.some(({ name, value }) => expiryOf(name, value, today)?.is === 'expired')
