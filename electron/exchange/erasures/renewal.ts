/**
 * New keys after an erasure: until they are there, a backup of the database still has the key of who was erased, wrapped
 * under a key that members have. Pure.
 */
export const renewalRule = {
  /** Milliseconds after an erasure arrived: several that follow each other share one epoch. */
  gather: 10 * 60_000,
  /** Between two epochs: each has every key wrapped anew, and every member replace its mailbox key. */
  rest: 24 * 60 * 60_000,
  /** For each supervisor that comes first: only one of them has to do it. */
  stagger: 60_000
} as const

export interface Renewal {
  /** Since when the oldest erasure waits that no epoch follows; undefined if none does. */
  readonly since: number | undefined
  /** When the current epoch was first seen here. */
  readonly epochSince: number
  /** Of this installation among the supervisors, from 0. */
  readonly rank: number
}

/** Whether a supervisor begins an epoch now. A clock that was set back does not put it off. */
export function isRenewalDue({ since, epochSince, rank }: Renewal, now: number): boolean {
  if (since === undefined) return false
  const hasPassed = (from: number, milliseconds: number): boolean => now < from || now - from >= milliseconds
  return hasPassed(since, renewalRule.gather + rank * renewalRule.stagger) && hasPassed(epochSince, renewalRule.rest)
}
