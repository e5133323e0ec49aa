/** The lock: while it is on, the window shows nothing personal, and core answers only what unlocks it. */

/** Why the console is locked. `person` is the key, the menu or the palette. */
export const lockReasons = ['idle', 'suspend', 'screen', 'user-switch', 'person', 'start'] as const
export type LockReason = (typeof lockReasons)[number]

/** How it was unlocked. `session`: by a key press, as there is no passphrase. */
export type UnlockWay = 'session' | 'passphrase' | 'recovery' | 'system'

/** What still needs the history while the console is locked. */
export type LockedWork = 'batch' | 'request' | 'unwritten' | 'closing'

export interface LockState {
  readonly why: LockReason
  /** Unix milliseconds. */
  readonly since: number
  /** What unlocks it: a key press, or the passphrase (or the recovery key, which sets a new one). */
  readonly by: 'session' | 'passphrase'
  /** Wrong passphrases in a row. */
  readonly wrong: number
  /** Seconds until the next attempt is accepted, when this state was sent. */
  readonly waitSeconds: number
  /** There is a recovery key, which sets a new passphrase. Absent without one. */
  readonly recovery?: true
  /** Keys stay in memory until this has ended. Absent once they are wiped. */
  readonly working?: LockedWork
  /** The history exists in memory only, or its key does: wiping it would lose it, so it stays. */
  readonly inMemory?: true
}

/** Maximum minutes without input after which the console locks. */
export const maxLockMinutes = 480
export const lockBatchChoices = ['pause', 'continue'] as const
