/**
 * Values that were cleared a moment ago, so that a slip can be undone without the window ever reading a secret.
 * They are in memory alone, each for a bounded time, and only for the address that the connection had.
 */
import { undoClearSeconds, type CredentialId } from '#contract/credentials.ts'
import type { Connection } from '#contract/connection.ts'
import type { Clock } from '#core/ports/clock.ts'
import type { ClearedCredential } from './credentials.ts'

type Address = Pick<Connection, 'id' | 'baseUrl'>

export interface ClearedCredentials {
  /** Keeps a cleared value for `undoClearSeconds`, in place of an earlier one of the same credential. */
  keep(connection: Address, credential: CredentialId, cleared: ClearedCredential): void
  /** Gives it once; undefined where its time is over, it was forgotten, or the connection has another address now. */
  take(connection: Address, credential: CredentialId): ClearedCredential | undefined
  /** Lets go of one value, of all of a connection, or of everything. */
  forget(connectionId?: string, credential?: CredentialId): void
}

interface Kept {
  readonly connection: Address
  readonly credential: CredentialId
  readonly cleared: ClearedCredential
  /** On the monotonic clock, in milliseconds: a change of the wall clock gives no secret more time. */
  readonly until: number
  readonly timer: NodeJS.Timeout
}

/** Keeps nothing at first. */
export function createClearedCredentials(clock: Pick<Clock, 'monotonic'>): ClearedCredentials {
  let all: readonly Kept[] = []
  const drop = (which: (each: Kept) => boolean): void => {
    for (const { timer } of all.filter(which)) clearTimeout(timer)
    all = all.filter((each) => !which(each))
  }
  const forget: ClearedCredentials['forget'] = (connectionId, credential) =>
    drop((each) => (connectionId ?? each.connection.id) === each.connection.id && (credential ?? each.credential) === each.credential)

  return {
    forget,
    keep({ id, baseUrl }, credential, cleared) {
      forget(id, credential)
      const timer = setTimeout(() => drop((each) => each.timer === timer), undoClearSeconds * 1000)
      timer.unref()
      all = [...all, { connection: { id, baseUrl }, credential, cleared, until: clock.monotonic() + undoClearSeconds * 1000, timer }]
    },
    take({ id, baseUrl }, credential) {
      const found = all.find((each) => each.connection.id === id && each.credential === credential)
      forget(id, credential)
      // A timer can be late, as after the computer slept; the clock is not.
      return found && found.connection.baseUrl === baseUrl && clock.monotonic() < found.until ? found.cleared : undefined
    }
  }
}
