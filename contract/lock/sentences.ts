/** The lock. */
import type { FailureRows } from '../failures/declaration.ts'

export const lockFailures = {
  'locked': {
    what: 'Veridesk is locked.',
    impact: 'Nothing was shown, sent or changed.',
    nextStep: 'Unlock Veridesk, then try again.'
  },
  'passphrase-missing': {
    what: 'A passphrase is set, and none was given.',
    impact: 'Nothing was unlocked or changed.',
    nextStep: 'Enter the current passphrase.'
  },
  'passphrase-wrong': {
    what: 'The passphrase is wrong. Wrong attempts in a row: {count}.',
    impact: 'Nothing was unlocked or changed. The attempt is in the audit trail.',
    nextStep:
      'Try again, or use the recovery key to set a new passphrase. From the fifth attempt on, each one must wait.'
  },
  'passphrase-wait': {
    what: 'Too many wrong passphrases. The next attempt is accepted in {seconds} seconds.',
    impact: 'This attempt was not made.',
    nextStep: 'Wait, then try again. The recovery key can set a new passphrase at once.'
  },
  'passphrase-weak': {
    what: 'This passphrase is too easy to guess: {reason}.',
    impact: 'Nothing was changed.',
    nextStep: 'Choose a longer one, such as several words that do not belong together.',
    reasons: {
      short: 'it has fewer than 12 characters',
      long: 'it has more than 256 characters',
      pattern: 'it has fewer than five different characters',
      common: 'it consists of words and sequences that attackers try first'
    }
  },
  'lock-not-here': {
    what: 'Sample data cannot be locked.',
    impact: 'Nothing was changed. Sample data contains no real person.',
    nextStep: 'Close the window to delete the sample data.'
  }
} as const satisfies FailureRows
