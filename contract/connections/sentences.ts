/** Connections and their credentials. */
import type { FailureRows } from '../failures/declaration.ts'
import { dataFileReasons } from '../failures/phrases.ts'

const notOverwritten =
  'The file is unchanged and is not overwritten. Its connections are not shown, and nothing was sent to them.'
const beginWithout =
  'start without connections: on the connections page, or with “connection reset” on the command line.'

export const connectionsFailures = {
  'connections-damaged': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: notOverwritten,
    nextStep: `Replace the file with a valid copy and restart Veridesk, or ${beginWithout}`,
    guide: 'When a file is damaged',
    reasons: dataFileReasons
  },
  'connections-newer': {
    what: 'The file {file} was written by a newer version of Veridesk.',
    phrase: 'it was written by a newer version of Veridesk',
    impact: notOverwritten,
    nextStep: `Update Veridesk, or ${beginWithout}`
  },
  'connections-unreadable': {
    what: 'The file {file} could not be read: {reason}.',
    phrase: '{reason}',
    impact: notOverwritten,
    nextStep: `Check its permissions and whether another application is using it, then restart Veridesk; or ${beginWithout}`,
    reasons: dataFileReasons
  },
  'connection-missing': {
    what: 'This connection no longer exists.',
    impact: 'Nothing was sent.',
    nextStep: 'Choose another connection.'
  },
  'connection-invalid': {
    what: 'The connection cannot be saved. {fields}',
    impact: 'The connection is unchanged.',
    nextStep: 'Correct the marked field.'
  },
  'connection-address-invalid': {
    what: 'The address of the connection is invalid. {fields}',
    impact: 'Nothing was sent.',
    nextStep: 'Open Connections and correct the base URL.'
  },
  'connection-name-taken': {
    what: 'Another connection is already called “{name}”.',
    impact: 'Nothing was changed.',
    nextStep: 'Choose a unique name. It is shown before each live verification.'
  },
  'credentials-missing': {
    what: 'Credentials of this connection are missing: {missing}.',
    impact: 'Nothing was sent.',
    nextStep: 'Open Connections and set the missing credentials.',
    guide: 'First start'
  },
  'credentials-by-command': {
    what: 'The credentials of this connection are given by a command of {organisation}.',
    impact: 'Nothing was changed.',
    nextStep: 'If they are wrong, ask your administrator.'
  },
  'credentials-command-failed': {
    what: 'The command of {organisation} that gives the credentials of this connection failed: {reason}.',
    phrase: '{reason}',
    impact: 'Nothing was sent.',
    nextStep: 'Try again. If it fails again, give this sentence to your administrator.',
    reasons: {
      path: 'its program is no file that belongs to the administrator alone',
      start: 'it could not be started ({errno})',
      exit: 'it ended with exit code {exit}',
      timeout: 'it took longer than {seconds} seconds',
      output: 'it did not print each of the three headers as “header: value”',
      value: 'the value of {header} cannot be sent'
    }
  },
  'credentials-for-another': {
    what: 'The credentials of this connection were set for {given}, but the connection now points to {now}.',
    impact: 'Nothing was sent to either address.',
    nextStep:
      'Open Connections and check the address and the mode. If they are correct, enter the three credentials again.'
  },
  'credential-invalid': {
    what: 'This value cannot be used as a credential: {reason}.',
    impact: 'The stored value, if any, is unchanged.',
    nextStep: 'Copy it again from your provider, without line breaks or surrounding spaces.',
    reasons: {
      'empty': 'it is empty',
      'unprintable':
        'it contains a line break, a control character, a non-ASCII character, or a space at its beginning or end',
      'too-long': 'it is longer than 2,560 bytes, the most that a keychain entry can hold',
      'nul': 'it contains a NUL character'
    }
  },
  'diagnosis-gone': {
    what: 'This network diagnosis is no longer available.',
    impact: 'No file was written.',
    nextStep: 'Diagnose again, then save the report.'
  },
  'connection-withdrawn': {
    what: 'Nothing more is sent with “{name}”: {reason}.',
    impact: 'What was sent before has an outcome. Nothing was sent after that.',
    nextStep: 'Check the connection and its credentials, then send again or resume the batch.',
    reasons: {
      removed: 'the connection was removed',
      address: 'its base URL was changed',
      mode: 'it was changed to {now}',
      credentials: 'its credentials were changed or cleared',
      copies: 'it requires copies of documents now'
    }
  },
  'credential-undo-expired': {
    what: 'The cleared value can no longer be restored.',
    impact: 'Nothing was changed. The credential is as shown on this page.',
    nextStep: 'Set it again with the value from your provider.'
  }
} as const satisfies FailureRows

export const keychainFailures = {
  'keychain-absent': {
    what: 'No keychain is available on this computer.',
    phrase: 'no keychain is available',
    impact: 'No credentials were stored.',
    nextStep:
      'Install and start a Secret Service (GNOME Keyring, KWallet), or keep the credentials for this session only.',
    guide: 'Lock and keychain'
  },
  'keychain-locked': {
    what: 'The keychain is locked.',
    phrase: 'the keychain is locked',
    impact: 'Stored credentials are unchanged.',
    nextStep: 'Unlock the keychain, then choose “Try again”; or keep the credentials for this session only.',
    guide: 'Lock and keychain'
  },
  'keychain-denied': {
    what: 'The keychain denied access to Veridesk.',
    phrase: 'the keychain denied access to Veridesk',
    impact: 'Stored credentials are unchanged.',
    nextStep: 'Allow Veridesk in the keychain’s settings, then choose “Try again”.',
    guide: 'Lock and keychain'
  },
  'keychain-hung': {
    what: 'The keychain does not respond.',
    phrase: 'the keychain does not respond',
    impact: 'Stored credentials are unchanged, and you can continue to use the window.',
    nextStep:
      'Restart the keychain service or sign in again, then choose “Try again”; or keep the credentials for this session only.',
    guide: 'Lock and keychain'
  }
} as const satisfies FailureRows
