/** What a round does about erasures, once everything that the database shows was received and keys were removed. */
import type { Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { onReceived } from '#team/storage/on-received.ts'
import type { CarriedOut } from '#team/thread/ports.ts'
import type { KnownErasures } from './known.ts'

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

interface Renewal {
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

type Answer<T> = Promise<Result<T, Failure>>

/** What a supervisor's installation does for the team after an erasure. */
export interface Renewing {
  /** Of this installation among the supervisors, from 0. */
  readonly rank: number
  /** Begins the epoch after this one. @returns Whether it did: false if there is a later one already, or it was tried just now. */
  begin(epoch: number): Answer<boolean>
}

export interface ErasureParts {
  readonly store: { readonly erasures: KnownErasures }
  readonly history: {
    /** Appends an event that says which erasures of others this installation has carried out. */
    acknowledge(erasures: CarriedOut): Answer<unknown>
  }
  readonly keys: { current(): { readonly epoch: number } | undefined }
  /** Absent where this installation is no supervisor's. */
  readonly renewing?: Renewing | undefined
}

/**
 * Says in the history here which erasures of others were carried out: their keys are gone from the file, and from its log.
 * After a crash in between it is said a second time, which changes nothing. @returns Whether anything was said. Failures:
 * those of the history and the file.
 */
export async function acknowledge({ store, history }: Pick<ErasureParts, 'store' | 'history'>): Answer<boolean> {
  const untold = onReceived(() => store.erasures.untold())
  if (!untold.ok) return untold
  if (Object.keys(untold.value).length === 0) return ok(false)
  const written = await history.acknowledge(untold.value)
  if (!written.ok) return written
  const noted = onReceived(() => store.erasures.noteTold(untold.value))
  return noted.ok ? ok(true) : noted
}

/**
 * Begins a new epoch if an erasure waits for one. Failures: those of the file; what keeps the epoch from being begun is none:
 * the exchange goes on, and it is tried again. @returns Whether there are new keys.
 */
export async function renewKeys(
  { store, keys, renewing }: Pick<ErasureParts, 'store' | 'keys' | 'renewing'>,
  now: number
): Answer<boolean> {
  const epoch = keys.current()?.epoch
  if (epoch === undefined) return ok(false)
  const state = onReceived(() => ({
    since: store.erasures.uncoveredSince(epoch),
    epochSince: store.erasures.epochSeen(epoch, now)
  }))
  if (!state.ok) return state
  if (!renewing || !isRenewalDue({ ...state.value, rank: renewing.rank }, now)) return ok(false)
  const begun = await renewing.begin(epoch)
  return ok(begun.ok && begun.value)
}
