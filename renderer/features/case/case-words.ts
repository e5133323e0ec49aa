/** What the parts of a case say, in words. */
import { localDate } from '../../kit/time.ts'
import type { Expiry } from '#contract/applicants/expiry.ts'
import type { CaseValue } from './case-values.ts'
import { words } from './words.ts'

/** “Valid, 7 years”, “Expires in 12 days”, “Expired May 3, 2026”. A day is the same day wherever it is read. */
export function expiryWords({ is, days, day }: Expiry): string {
  if (is === 'expired') return words.expiredOn({ date: dayWords(day) })
  if (is === 'soon') return days === 0 ? words.expiresToday : words.expiresIn({ days })
  const years = Math.floor(days / 365.2425)
  return years > 0 ? words.validYears({ years }) : words.validMonths({ months: Math.max(1, Math.floor(days / 30.44)) })
}

/** A day of the calendar, from its midnight in UTC. */
function dayWords(day: number): string {
  const at = new Date(day)
  return localDate(new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), 12).getTime())
}

/** How a value compares, with what its date means; a difference comes first. @param label The field. */
export function comparisonWords({ comparison, expiry }: CaseValue, label: string): string {
  if (comparison === 'differs') return words.fieldDiffers({ field: label })
  if (expiry) return expiryWords(expiry)
  if (comparison === 'gone') return words.onlyInAnEarlierAnswer
  return { same: words.matches, written: words.matchesWrittenDifferently, alone: words.noEarlierAnswer }[comparison]
}
