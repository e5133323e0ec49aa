/** The keychain's states: a label for the frame, and the failure that the panel shows. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import { words } from './words.ts'

interface KeychainWords {
  readonly chip: string
  readonly failure: Failure
}

/** Undefined for states without a problem. */
export const keychainWords: Readonly<Record<KeychainState, KeychainWords | undefined>> = {
  unchecked: undefined,
  ready: undefined,
  absent: { chip: words.noKeychain, failure: failure('keychain-absent') },
  locked: { chip: words.keychainLocked, failure: failure('keychain-locked') },
  denied: { chip: words.keychainAccessDenied, failure: failure('keychain-denied') },
  hung: { chip: words.keychainNotResponding, failure: failure('keychain-hung') }
}
