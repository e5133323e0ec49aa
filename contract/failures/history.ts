/** The history and its records. */
import type { FailureRows } from './declaration.ts'

export const historyFailures = {
  'history-unavailable': {
    what: 'The history is not open: {detail}.',
    safe: 'Nothing was sent: no check leaves without a record.',
    todo: 'Open the history page: it says what is wrong and what can be done.'
  },
  'history-key-missing': {
    what: 'The history file is there, but the keychain no longer holds its key.',
    safe: 'The file is untouched. No new history was made over it.',
    todo: 'Restore the keychain of this user account, then choose “Try again”; or set the file aside and begin a new history.'
  },
  'history-key-wrong': {
    what: 'The history file cannot be opened with the key that the keychain holds.',
    safe: 'The file is untouched.',
    todo: 'Restore the keychain that belongs to this file, or a copy of the file that belongs to this keychain.'
  },
  'history-key-unnamed': {
    what: 'The file {file} says under which name the keychain holds the history’s key, and it could not be read: {detail}.',
    safe: 'The history, its key and the file are untouched.',
    todo: 'Put a good copy of the file back, then choose “Try again”; or use the recovery key.'
  },
  'history-damaged': {
    what: 'The history file is damaged: {detail}.',
    safe: 'The damaged file was kept as {file}; nothing was deleted.',
    todo: 'Restore the last copy, or begin a new history and keep the damaged file for recovery.'
  },
  'history-newer': {
    what: 'The history was written by a newer version of Veridesk (format {found}, this version knows {known}).',
    safe: 'The file is untouched.',
    todo: 'Update Veridesk.'
  },
  'history-busy': {
    what: 'Another program holds the history file.',
    safe: 'The file is untouched.',
    todo: 'Close the other Veridesk, then choose “Try again”.'
  },
  'history-read-only': {
    what: 'The disk is full: the history is open for reading only.',
    safe: 'What was recorded before is safe and can be read. Nothing was sent: no check leaves without a record.',
    todo: 'Free some space, then choose “Try again” on the history page.'
  },
  'disk-full': {
    what: 'The disk is full.',
    safe: 'What was recorded before is safe. Nothing is sent that cannot be recorded.',
    todo: 'Free some space, then try again.'
  },
  'record-missing': {
    what: 'This record is not in the history.',
    safe: 'Nothing was changed.',
    todo: 'It may belong to another history file or have been erased.'
  },
  'record-not-resolvable': {
    what: 'Only a record whose outcome is unknown, and which is not resolved yet, can be resolved.',
    safe: 'Nothing was changed.',
    todo: 'Open the record again to see its present state.'
  }
} as const satisfies FailureRows
