/** The keychain. */
import type { FailureRows } from './declaration.ts'

export const keychainFailures = {
  'keychain-absent': {
    what: 'This computer offers no keychain to Veridesk.',
    safe: 'No secret was written anywhere.',
    todo: 'Install and start a Secret Service (GNOME Keyring, KWallet), or keep the credentials for this session only.'
  },
  'keychain-locked': {
    what: 'The keychain is locked.',
    safe: 'Stored credentials are untouched.',
    todo: 'Unlock the keychain, then choose “Try again”; or keep the credentials for this session only.'
  },
  'keychain-denied': {
    what: 'The keychain refused access to Veridesk.',
    safe: 'Stored credentials are untouched.',
    todo: 'Allow Veridesk in the keychain’s settings, then choose “Try again”.'
  },
  'keychain-hung': {
    what: 'The keychain does not answer.',
    safe: 'Stored credentials are untouched, and the window stays usable.',
    todo: 'Restart the keychain service or sign in again, then choose “Try again”; or keep the credentials for this session only.'
  }
} as const satisfies FailureRows
