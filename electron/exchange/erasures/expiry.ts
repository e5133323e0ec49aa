/**
 * Keys of colleagues' applicants are kept for a limited time after the last exchange: an installation that is away does not
 * learn of erasures. After it, they are asked for again.
 */
import type { KnownSubjects } from '../subjects/known.ts'
import type { KnownErasures } from './known.ts'

/** Milliseconds: 30 days. */
export const keyLifetime = 30 * 24 * 60 * 60_000
/** An exchange every two seconds is not worth a write each time. */
const noteAfter = 60_000

interface Store {
  readonly erasures: KnownErasures
  readonly subjects: KnownSubjects
}

/** Whether the last whole exchange is longer ago than keys are kept. Throws SQLite's errors, like the others here. */
export function isExpired({ erasures }: Pick<Store, 'erasures'>, now: number): boolean {
  const at = erasures.exchangedAt
  // A clock that was ahead noted a time that is far from now, too.
  return at !== undefined && Math.abs(now - at) > keyLifetime
}

/** Removes the keys if it is time. @returns How many. */
export const expireKeys = (store: Store, now: number): number => (isExpired(store, now) ? store.subjects.expire() : 0)

/** Everything was compared with the database. */
export function noteExchange({ erasures }: Pick<Store, 'erasures'>, now: number): void {
  const at = erasures.exchangedAt
  if (at === undefined || now < at || now - at >= noteAfter) erasures.noteExchanged(now)
}
