/** The state of a link by the times that it states. Pure; contacts nobody. */
import type { LinkTimes } from './times.ts'

/** Milliseconds by which the clock of the signer may be ahead of this computer’s. */
const clockTolerance = 60_000
/**
 * Milliseconds that a link must stay valid for one verification: the longest response time that the settings allow,
 * within which the service fetches the document.
 */
export const soonMs = 10 * 60_000

/** `unlimited`: it states no time. `soon`: it expires before it is no longer needed. */
export type LinkState = 'unlimited' | 'valid' | 'soon' | 'expired' | 'not-yet' | 'damaged'

/** The state of a link at a time. `needed`: how long it must stay valid, in milliseconds. */
export function linkState(
  { startsAt, expiresAt, damaged }: Partial<LinkTimes>,
  now: number,
  needed: number = soonMs
): LinkState {
  if (damaged) return 'damaged'
  if (expiresAt !== undefined && expiresAt <= now) return 'expired'
  if (startsAt !== undefined && startsAt > now + clockTolerance) return 'not-yet'
  if (expiresAt === undefined) return 'unlimited'
  return expiresAt < now + needed ? 'soon' : 'valid'
}
