/**
 * When a row is sent again by itself. Pure rules: times go in and come out as milliseconds, nothing waits here.
 *
 * A row is tried again where nothing can have been processed because the way to the service failed, and on 429
 * and 503 where the setting allows it. Never otherwise: a POST may be billed, and may not be repeatable.
 */
import type { FailureCode } from '#contract/failures.ts'
import type { RecordEnding } from '#contract/records.ts'

/** Tries of one row, the first included. */
export const maxTries = 5
const firstPause = 500
const longestPause = 30_000
/** The longest time that a service may ask for before the batch stops rather than waits. */
export const longestAskedWait = 5 * 60_000

/** Failures before sending that may be gone a moment later. */
const passing: readonly FailureCode[] = ['name-not-found', 'connection-refused', 'connect-timeout', 'proxy-failed']

export type Decision =
  | { readonly kind: 'done' }
  /** The same row once more, after this pause. */
  | { readonly kind: 'again'; readonly after: number }

/** A pause before the next try by full jitter: anything from none to the doubled bound. `random` from 0 to 1. */
export function jitter(tries: number, random: number): number {
  return random * Math.min(longestPause, firstPause * 2 ** (tries - 1))
}

const busy = (ending: RecordEnding): boolean => ending.reply?.status === 429 || ending.reply?.status === 503

function headerOf(ending: RecordEnding, name: string): string | undefined {
  return ending.reply?.headers.find(([each]) => each.toLowerCase() === name)?.[1]
}

/**
 * Milliseconds for which a busy service (429, 503) asks to be left alone; undefined where it does not ask.
 * Both forms of RFC 9110, section 10.2.3. A date is taken against the reply's own Date, so that a wrong clock
 * on this machine sends nothing early; `now` is the wall clock, for replies without one.
 */
export function askedWait(ending: RecordEnding, now: number): number | undefined {
  const text = busy(ending) ? headerOf(ending, 'retry-after')?.trim() : undefined
  if (text === undefined || text === '') return undefined
  const seconds = Number(text)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds * 1000)
  const until = Date.parse(text)
  if (Number.isNaN(until)) return undefined
  const said = Date.parse(headerOf(ending, 'date') ?? '')
  return Math.max(0, until - (Number.isNaN(said) ? now : said))
}

/** Whether a row that has been tried `tries` times is tried once more. */
export function decide(
  ending: RecordEnding,
  { tries, retryBusy, random, now }: { readonly tries: number; readonly retryBusy: boolean; readonly random: number; readonly now: number }
): Decision {
  if (tries >= maxTries) return { kind: 'done' }
  const notSent = ending.outcome === 'not-sent' && ending.failure !== undefined && passing.includes(ending.failure.code)
  const allowed = notSent || (retryBusy && busy(ending) && (ending.outcome === 'answered' || ending.outcome === 'unreadable'))
  if (!allowed) return { kind: 'done' }
  const asked = askedWait(ending, now) ?? 0
  // Longer than a batch waits by itself: the row keeps this answer, and the batch stops.
  if (asked > longestAskedWait) return { kind: 'done' }
  return { kind: 'again', after: asked + jitter(tries, random) }
}
