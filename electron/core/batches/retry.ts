/**
 * Rules for automatic retries. Pure functions: times are passed and returned in milliseconds.
 *
 * A row is retried when the request cannot have been processed because the connection failed, and on 429 and 503
 * where the setting allows it. Nothing else is retried: a POST may be billed and may not be repeatable.
 */
import type { FailureCode } from '#contract/failures/failures.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { askedWait } from '#contract/verification/retry-after.ts'

/** Attempts per row, including the first. */
export const maxTries = 5
const firstPause = 500
const maxPause = 30_000
/** The longest wait that a service may ask for; beyond it the batch stops instead of waiting. */
export const maxAskedWait = 5 * 60_000

/** Failures before sending that may be temporary. */
const temporaryFailures: readonly FailureCode[] = [
  'name-not-found',
  'connection-refused',
  'connect-timeout',
  'proxy-failed'
]

export type Decision =
  | { readonly kind: 'done' }
  /** Retry the same row after this many milliseconds. */
  | { readonly kind: 'again'; readonly after: number }

/** Full jitter: a random pause from 0 to an exponentially growing limit. `random` is from 0 to 1. */
export function jitter(tries: number, random: number): number {
  return random * Math.min(maxPause, firstPause * 2 ** (tries - 1))
}

const busy = (ending: RecordEnding): boolean => ending.reply?.status === 429 || ending.reply?.status === 503

/** Decides whether a row that has had `tries` attempts is retried. */
export function decide(
  ending: RecordEnding,
  {
    tries,
    retryBusy,
    random,
    now
  }: { readonly tries: number; readonly retryBusy: boolean; readonly random: number; readonly now: number }
): Decision {
  if (tries >= maxTries) return { kind: 'done' }
  const notSent =
    ending.outcome === 'not-sent' && ending.failure !== undefined && temporaryFailures.includes(ending.failure.code)
  const allowed =
    notSent || (retryBusy && busy(ending) && (ending.outcome === 'answered' || ending.outcome === 'invalid-response'))
  if (!allowed) return { kind: 'done' }
  const asked = askedWait(ending.reply, now) ?? 0
  // Longer than a batch waits: the row keeps this answer, and the batch stops.
  if (asked > maxAskedWait) return { kind: 'done' }
  return { kind: 'again', after: asked + jitter(tries, random) }
}
