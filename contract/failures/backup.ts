/** Backups, restoring and the recovery key. */
import type { FailureRows } from './declaration.ts'

export const backupFailures = {
  'backup-failed': {
    what: 'The backup could not be made: {detail}.',
    safe: 'The history and all earlier backups are as they were.',
    todo: 'Check the free space and the folder of the backups, then try again.'
  },
  'backup-by-schedule-failed': {
    what: 'The last backup by schedule failed: {detail}.',
    safe: 'The history and all earlier backups are as they were. What is newer than the last of them is in no backup yet.',
    todo: 'Check the free space and the folder that “Keeping” names, then choose “Make a backup now” there. Veridesk tries again every 10 minutes.'
  },
  'backup-missing': {
    what: 'There is no such backup.',
    safe: 'Nothing was changed.',
    todo: 'Look at the list of backups again.'
  },
  'backup-invalid': {
    what: 'This backup cannot be used: {detail}.',
    safe: 'Nothing was restored; the present history is as it was.',
    todo: 'Choose another backup.'
  },
  'restore-busy': {
    what: 'No backup can be restored now: {detail}.',
    safe: 'Nothing was changed, and what is under way goes on.',
    todo: 'Wait for its end, or pause the batch, then restore again.'
  },
  'restore-failed': {
    what: 'The backup could not be restored: {detail}.',
    safe: 'Nothing was deleted. What was there before is in {folder}.',
    todo: 'Choose “Try again” on the history page, or restore another backup.'
  },
  'recovery-key-wrong': {
    what: 'This recovery key does not open the history: {detail}.',
    safe: 'Nothing was changed.',
    todo: 'Compare each group with your copy. A key that was made before the last one no longer opens it.'
  },
  'recovery-missing': {
    what: 'No recovery key was made for this history.',
    safe: 'Nothing was changed; the file is untouched.',
    todo: 'Restore the keychain of this user account, then choose “Try again”.'
  },
  'keeping-not-on-file': {
    what: 'The history is kept in memory for this session, so there is nothing to do this with.',
    safe: 'Nothing was changed.',
    todo: 'Unlock or start the keychain, then choose “Try again” on the history page.'
  }
} as const satisfies FailureRows
