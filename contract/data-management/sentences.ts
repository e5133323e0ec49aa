/** Backups, restoring and the recovery key. */
import type { FailureRows } from '../failures/declaration.ts'

export const backupFailures = {
  'backup-failed': {
    what: 'The backup could not be created: {reason}.',
    phrase: '{reason}',
    impact: 'The history and all earlier backups are unchanged.',
    nextStep: 'Check the free disk space and the backup folder, then try again.',
    guide: 'Data management',
    reasons: {
      'in-progress': 'another backup is in progress',
      'history-closed': 'the history was closed',
      'log-not-empty': 'the write-ahead log of the history could not be emptied',
      'file-shortened': '{file} ended before its size',
      'copy-invalid': 'the copy did not pass verification'
    }
  },
  'backup-by-schedule-failed': {
    what: 'The last scheduled backup failed: {reason}.',
    impact: 'The history and all earlier backups are unchanged. Newer data is not in a backup yet.',
    nextStep:
      'Check the free disk space and the backup folder, then choose “Back up now” under “Data management”. Veridesk tries again every 10 minutes.',
    guide: 'Data management'
  },
  'backup-missing': {
    what: 'This backup does not exist.',
    impact: 'Nothing was changed.',
    nextStep: 'Choose a backup from the list.'
  },
  'backup-invalid': {
    what: 'This backup cannot be used: {reason}.',
    phrase: '{reason}',
    impact: 'Nothing was restored. The current history is unchanged.',
    nextStep: 'Choose another backup.',
    guide: 'Data management',
    reasons: {
      'reader-ended': 'the process that reads it ended ({ending})',
      'file-missing': '{file} is missing',
      'file-damaged': '{file} is damaged',
      'newer': 'it was created by a newer version of Veridesk',
      'chain': 'its audit trail is broken at event {event}',
      'damaged': 'it is damaged, or it was encrypted with a different key',
      'other-key': '{file} cannot be opened with the current key',
      'other-file': '{file} is not the file that was verified',
      'no-manifest': 'its manifest is missing or cannot be read',
      'other-size': '{file} does not have the size that was verified'
    }
  },
  'restore-busy': {
    what: 'No backup can be restored now: {reason}.',
    impact: 'Nothing was changed, and the work in progress continues.',
    nextStep: 'Wait until it is complete, or pause the batch, then restore again.',
    reasons: { check: 'a verification is in progress', batch: 'a batch is running' }
  },
  'restore-failed': {
    what: 'The backup could not be restored: {reason}.',
    impact: 'Nothing was deleted. The previous history is in {folder}.',
    nextStep: 'Choose “Try again” on the history page, or restore another backup.',
    guide: 'Data management',
    reasons: { 'not-closed': 'the history could not be closed' }
  },
  'recovery-key-wrong': {
    what: 'This recovery key cannot be used: {reason}.',
    impact: 'Nothing was changed.',
    nextStep:
      'Compare each group with your copy. Only the most recent recovery key of a history opens it, and that of a team is another one.',
    guide: 'Data management',
    reasons: {
      'character': 'it contains “{character}”, which is not used in recovery keys',
      'length': 'it has {length} characters instead of {expected}',
      'checksum': 'a character is wrong',
      'other-history': 'it belongs to another history, or a newer recovery key has replaced it',
      'other-team': 'it is not that of this team',
      'records-present': 'the current history contains records under another key; set it aside first'
    }
  },
  'recovery-missing': {
    what: 'No recovery key was created for this history.',
    impact: 'Nothing was changed.',
    nextStep: 'Restore the keychain of this user account, then choose “Try again”.'
  },
  'recovery-escrow-missing': {
    what: 'There is no recovery key that is sealed for an organisation in {folder}.',
    impact: 'Nothing was printed.',
    nextStep: 'Set the policy RecoveryKeyEscrow, then have the user create a recovery key under “Data management”.'
  },
  'recovery-escrow-unopened': {
    what: 'The sealed recovery key cannot be opened: {reason}.',
    impact: 'Nothing was printed.',
    nextStep:
      'Use what “veridesk recovery-key escrow” printed, or recovery.sealed of a backup, and the private key to the public key of the policy.',
    reasons: {
      'file': '{file} contains none',
      'private-key': 'the private key is not an X25519 or RSA key in PKCS #8 without a password',
      'other-key': 'it is sealed for another key, or was changed'
    }
  },
  'history-not-on-file': {
    what: 'This is not available, because the history is kept in memory for this session.',
    impact: 'Nothing was changed.',
    nextStep: 'Unlock or start the keychain, then choose “Try again” on the history page.'
  }
} as const satisfies FailureRows

/** Erasure and retention periods. */
export const erasureFailures = {
  'erasure-held': {
    what: 'A legal hold prevents this.',
    impact: 'Nothing was erased.',
    nextStep: 'Lift the legal hold first and give a reason, if you are authorised to.',
    guide: 'Data management'
  },
  'erasure-held-in-team': {
    what: 'A legal hold of {colleague} prevents this.',
    impact: 'Nothing was erased, here or at colleagues.',
    nextStep: 'Ask {colleague} to lift the legal hold with a reason, if they are authorised to.',
    guide: 'Data management'
  },
  'hold-until-invalid': {
    what: 'The last day of a legal hold is today at the earliest, and in 10 years at the latest.',
    impact: 'No legal hold was placed.',
    nextStep: 'Choose another day, or none if the order names none.',
    guide: 'Data management'
  },
  'erasure-unconfirmed': {
    what: 'The applicant’s ID was not entered as confirmation.',
    impact: 'Nothing was erased.',
    nextStep: 'Enter the exact ID. Erased data cannot be restored.'
  },
  'erasure-open-check': {
    what: 'A verification of this applicant is in progress.',
    impact: 'Nothing was erased.',
    nextStep: 'Wait until it is complete, then try again.'
  },
  'erasure-copies': {
    what: 'Stored copies cannot be rewritten now: {reason}.',
    impact: 'Nothing was erased.',
    nextStep: 'Check the data folder and its permissions, then try again.',
    guide: 'Data management',
    reasons: { 'backup-in-progress': 'a backup is being created' }
  },
  'erasure-unfinished': {
    what: 'The data was erased from the history, but not yet from every stored copy: {reason}.',
    impact: 'The erasure is recorded in the audit trail and is completed at the next start.',
    nextStep: 'Fix the cause, then restart Veridesk.'
  },
  'retention-changed': {
    what: 'The data to be deleted has changed since it was shown.',
    impact: 'Nothing was erased.',
    nextStep: 'Review the new list, then confirm again.'
  }
} as const satisfies FailureRows
