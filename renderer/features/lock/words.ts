/** Sentences of lock. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  verideskIsLocked: 'Veridesk is locked',
  locksentencesLockedSinceTime: '{lockSentences} Locked since {time}.',
  unlock: 'Unlock',
  passphrase: 'Passphrase',
  countedSeconds: ({ seconds }: { seconds: number }) => plural(seconds, { one: '{n} second', other: '{n} seconds' }),
  afterWrongAttempts: ({ wrong }: { wrong: number }) =>
    plural(wrong, {
      one: 'After {n} wrong attempt, the next one is accepted in {wait}.',
      other: 'After {n} wrong attempts, the next one is accepted in {wait}.'
    }),
  unlocking: 'Unlocking…',
  forgotten: 'Forgotten?',
  thereIsNoRecoveryKey: 'There is no recovery key. Without the passphrase this history cannot be opened.',
  yourDraftsAreKeptThis: 'Your drafts are kept. This window contains no personal data while it is locked.',
  yourDraftsAreKeptThisWindow:
    'Your drafts are kept. This window contains no personal data while it is locked. Anyone who is signed in to this computer as you can unlock Veridesk: set a passphrase in the settings to prevent that.',
  newPassphrase: 'New passphrase',
  atLeast12CharactersSeveral: 'At least 12 characters. Several words are easy to remember and hard to guess.',
  repeatPassphrase: 'Repeat passphrase',
  showPassphrase: 'Show passphrase',
  theTwoPassphrasesDiffer: 'The two passphrases differ.',
  newPassphraseByRecoveryKey: 'New passphrase by recovery key',
  theRecoveryKeyWasShown:
    'The recovery key was shown once, when it was created. It sets a new passphrase. Without the passphrase and the recovery key, the history cannot be opened.',
  recoveryKey: 'Recovery key',
  setPassphraseAndUnlock: 'Set passphrase and unlock',
  back: 'Back',
  nobodyUsedThisWindowFor: 'Nobody used this window for a while.',
  theComputerWasSuspended: 'The computer was suspended.',
  theScreenWasLocked: 'The screen was locked.',
  anotherUserSignedIn: 'Another user signed in.',
  youLockedIt: 'You locked it.',
  verideskStartsLocked: 'Veridesk starts locked.',
  aBatchIsStillRunning:
    'A batch is still running. The history stays open until it ends or pauses; then its keys are removed from memory.',
  aRequestIsBeingCompleted:
    'A request is being completed. After that, the history is closed and its keys are removed from memory.',
  theHistoryIsBeingClosed: 'The history is being closed.',
  theDiskIsFullAnd:
    'The disk is full, and results of a batch are in memory only. The history stays open so that they are not lost.',
  thisHistoryExistsInMemory: 'This history exists in memory only, so it stays open. Closing Veridesk deletes it.',
  unlockedPage: ({ page }: { page: Value }) => `Unlocked. ${page}`,
  unlockedPageWithCase: ({ page, shown }: { page: Value; shown: Value }) => `Unlocked. ${page}, ${shown}`
})
