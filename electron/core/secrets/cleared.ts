/**
 * Recently cleared values, so that clearing can be undone without the window ever reading a secret. They are held in
 * memory only, for a limited time, and only for the address that the connection had.
 */
import { undoClearSeconds, type CredentialId } from '#contract/connections/credentials.ts'
import type { Connection } from '#contract/connections/connection.ts'
import type { Clock } from '#kit/clock.ts'
import type { ClearedCredential } from './credentials.ts'

type Address = Pick<Connection, 'id' | 'baseUrl'>

export interface ClearedCredentials {
  /** Holds a cleared value for `undoClearSeconds`; replaces an earlier one of the same credential. */
  keep(connection: Address, credential: CredentialId, cleared: ClearedCredential): void
  /** Returns and removes it; undefined if it expired, was dropped, or the connection's address has changed. */
  take(connection: Address, credential: CredentialId): ClearedCredential | undefined
  /** Drops one value, all of a connection, or all. */
  forget(connectionId?: string, credential?: CredentialId): void
}

interface Kept {
  readonly connection: Address
  readonly credential: CredentialId
  readonly cleared: ClearedCredential
  /** Milliseconds of the monotonic clock, so that changing the wall clock does not extend a secret's lifetime. */
  readonly until: number
  readonly timer: NodeJS.Timeout
}

/** Creates an empty store. */
export function createClearedCredentials(clock: Pick<Clock, 'monotonic'>): ClearedCredentials {
  let all: readonly Kept[] = []
  const drop = (which: (each: Kept) => boolean): void => {
    for (const { timer } of all.filter(which)) clearTimeout(timer)
    all = all.filter((each) => !which(each))
  }
  const forget: ClearedCredentials['forget'] = (connectionId, credential) =>
    drop(
      (each) =>
        (connectionId ?? each.connection.id) === each.connection.id &&
        (credential ?? each.credential) === each.credential
    )

  return {
    forget,
    keep({ id, baseUrl }, credential, cleared) {
      forget(id, credential)
      const timer = setTimeout(() => drop((each) => each.timer === timer), undoClearSeconds * 1000)
      timer.unref()
      all = [
        ...all,
        { connection: { id, baseUrl }, credential, cleared, until: clock.monotonic() + undoClearSeconds * 1000, timer }
      ]
    },
    take({ id, baseUrl }, credential) {
      const found = all.find((each) => each.connection.id === id && each.credential === credential)
      forget(id, credential)
      // Timers can be late, for example after the computer slept; the clock is not.
      return found && found.connection.baseUrl === baseUrl && clock.monotonic() < found.until
        ? found.cleared
        : undefined
    }
  }
}
