/** How long a busy service asks to wait. Pure: times are passed and returned in milliseconds. */
import type { ReplyRecord } from '../history/records.ts'

type Busy = Pick<ReplyRecord, 'status' | 'headers'>

const headerOf = ({ headers }: Busy, name: string): string | undefined =>
  headers.find(([each]) => each.toLowerCase() === name)?.[1]

/**
 * Milliseconds that a busy service (429, 503) asks to wait; undefined if it does not ask. Accepts both forms of
 * Retry-After (RFC 9110, section 10.2.3). A date is compared with the reply's own Date header, so that a wrong local
 * clock does not cause early requests; `now` is the wall clock, for replies without one.
 */
export function askedWait(reply: Busy | undefined, now: number): number | undefined {
  const isBusy = reply !== undefined && (reply.status === 429 || reply.status === 503)
  const text = isBusy ? headerOf(reply, 'retry-after')?.trim() : undefined
  if (!reply || text === undefined || text === '') return undefined
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(text)
  if (Number.isNaN(until)) return undefined
  const said = Date.parse(headerOf(reply, 'date') ?? '')
  return Math.max(0, until - (Number.isNaN(said) ? now : said))
}
