/** Whether and how the window reminds of the recovery key. */
import type { RecoveryState } from '#contract/data-management/data-management.ts'
import { words } from './words.ts'

/** Milliseconds for which the reminder can be put off. */
export const snoozeTime = 7 * 86_400_000

export interface ReminderFacts {
  /** The history is open and stored in files; in memory, a key would open nothing. */
  readonly onFile: boolean
  /** Records that would be lost. */
  readonly records: number
  readonly recovery: RecoveryState | undefined
  readonly snoozedUntil: number
  readonly now: number
}

/** The sentence; undefined if there is nothing to remind of. */
export function recoveryReminder({ onFile, records, recovery, snoozedUntil, now }: ReminderFacts): string | undefined {
  // A clock that was set back must not put it off for longer.
  const snoozed = snoozedUntil > now && snoozedUntil - now <= snoozeTime
  if (!onFile || records === 0 || !recovery || recovery.confirmed || snoozed) return undefined
  return recovery.exists ? words.thereIsARecoveryKeyBut : words.thereIsNoRecoveryKeyIf
}
