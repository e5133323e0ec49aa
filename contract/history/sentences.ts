/** The history and its records. */
import type { FailureRows } from '../failures/declaration.ts'

export const historyFailures = {
  'history-unavailable': {
    what: 'The history is not open: {reason}.',
    phrase: '{reason}',
    impact: 'Nothing was sent. Every verification is recorded before it is sent.',
    nextStep: 'Open the history page to see the cause and your options.',
    reasons: {
      'opening': 'it is still being opened',
      'closed': 'it is closed',
      'unreadable-record': 'the record could not be read back',
      'file': 'the file {file} cannot be used: {errno}',
      'restore-unfinished': 'a restored copy could not be put in place',
      'worker-ended': 'its process ended ({ending})',
      'key-not-stored': 'the keychain did not store the key',
      'name-taken': '{folder} already exists',
      'not-moved': '{folder} could not be renamed: {errno}'
    }
  },
  'history-key-missing': {
    what: 'The history file exists, but its key is not in the keychain.',
    impact: 'The file is unchanged. It was not replaced by a new history.',
    nextStep:
      'Restore the keychain of this user account, then choose “Try again”; or set the file aside and start a new history.',
    guide: 'Lock and keychain'
  },
  'history-key-wrong': {
    what: 'The key in the keychain does not open the history file.',
    impact: 'The file is unchanged.',
    nextStep: 'Restore the keychain that belongs to this file, or a copy of the file that belongs to this keychain.',
    guide: 'Lock and keychain'
  },
  'history-key-unnamed': {
    what: 'The file {file}, which identifies the key of the history in the keychain, could not be read: {reason}.',
    impact: 'The history, its key and the file are unchanged.',
    nextStep:
      'Replace the file with a copy, from the folder “history”, from a backup or from a copy of the data folder, then choose “Try again”; or use the recovery key.',
    reasons: { missing: 'it is missing, and there is no copy of it in the history or a backup' }
  },
  'history-damaged': {
    what: 'The history file is damaged: {reason}.',
    impact: 'The damaged file was kept as {file}. Nothing was deleted.',
    nextStep: 'Restore the last backup, or start a new history and keep the damaged file for recovery.',
    guide: 'When a file is damaged',
    reasons: {
      'missing': 'it is missing, although the keychain records {count} events in it',
      'partner-missing': '{part} is missing',
      'unencrypted': 'it is not encrypted',
      'anchor': 'its anchor in the keychain cannot be read',
      'keys-older': 'its key file is older and contains {found} of {count} subjects',
      'events-missing': 'at least {count} of its last events are missing',
      'events-changed': 'its events are not those that were recorded',
      'chain': 'its audit trail is broken at event {number}',
      'event-missing': 'event {number} is missing',
      'event-changed': 'event {number} is not the one that was recorded',
      'series': 'events are missing from a series that ends with event {number}',
      'event-sealed': 'the sealed part of event {number} cannot be decrypted',
      'sealed': 'a sealed part ({part}) cannot be decrypted',
      'record-missing': 'record {number} is missing',
      'reference': 'record {number} refers to missing data',
      'reply-changed': 'the response of record {number} is not the one that was recorded',
      'message-missing': 'message {number} is missing',
      'batch': 'batch {number} has an unknown state',
      'integrity': 'the integrity check reported “{finding}”',
      'rewritten': 'it was damaged while it was rewritten',
      'erasure-key': 'the key of an erasure is missing',
      'erasure-event': 'an erasure has no event',
      'other': 'the database reported {errno}'
    }
  },
  'history-newer': {
    what: 'The history was written by a newer version of Veridesk (format {version}; this version supports up to {supported}).',
    impact: 'The file is unchanged.',
    nextStep: 'Update Veridesk.'
  },
  'history-busy': {
    what: 'Another application is using the history file.',
    impact: 'The file is unchanged.',
    nextStep: 'Close the other Veridesk, then choose “Try again”.'
  },
  'history-read-only': {
    what: 'The disk is full, so the history is read-only.',
    impact:
      'Existing records are safe and can be read. Nothing was sent, because every verification is recorded before it is sent.',
    nextStep: 'Free some disk space, then choose “Try again” on the history page.'
  },
  'disk-full': {
    what: 'The disk is full.',
    phrase: 'the disk is full',
    impact: 'Existing records are safe. Nothing is sent that cannot be recorded.',
    nextStep: 'Free some disk space, then try again.',
    guide: 'History and tables'
  },
  'record-missing': {
    what: 'This record is not in the history.',
    impact: 'Nothing was changed.',
    nextStep: 'It may belong to another history file, or it may have been erased.'
  },
  'record-not-resolvable': {
    what: 'Only an unresolved record with an unknown outcome can be resolved.',
    impact: 'Nothing was changed.',
    nextStep: 'Open the record again to see its current state.'
  }
} as const satisfies FailureRows
