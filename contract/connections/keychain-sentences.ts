/** The keychain. */
import type { FailureRows } from '../failures/declaration.ts'

export const keychainFailures = {
  'keychain-absent': {
    what: 'No keychain is available on this computer.',
    impact: 'No credentials were stored.',
    nextStep:
      'Install and start a Secret Service (GNOME Keyring, KWallet), or keep the credentials for this session only.'
  },
  'keychain-locked': {
    what: 'The keychain is locked.',
    impact: 'Stored credentials are unchanged.',
    nextStep: 'Unlock the keychain, then choose “Try again”; or keep the credentials for this session only.'
  },
  'keychain-denied': {
    what: 'The keychain denied access to Veridesk.',
    impact: 'Stored credentials are unchanged.',
    nextStep: 'Allow Veridesk in the keychain’s settings, then choose “Try again”.'
  },
  'keychain-hung': {
    what: 'The keychain does not respond.',
    impact: 'Stored credentials are unchanged, and you can continue to use the window.',
    nextStep:
      'Restart the keychain service or sign in again, then choose “Try again”; or keep the credentials for this session only.'
  }
} as const satisfies FailureRows
