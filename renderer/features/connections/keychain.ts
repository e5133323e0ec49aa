/** The keychain's states: a label for the frame, and the failure that the panel shows. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import type { KeychainState } from '#contract/app/app-state.ts'

interface KeychainWords {
  readonly chip: string
  readonly failure: Failure
}

/** Undefined for states without a problem. */
export const keychainWords: Readonly<Record<KeychainState, KeychainWords | undefined>> = {
  unchecked: undefined,
  ready: undefined,
  absent: { chip: 'No keychain', failure: failure('keychain-absent') },
  locked: { chip: 'Keychain locked', failure: failure('keychain-locked') },
  denied: { chip: 'Keychain access denied', failure: failure('keychain-denied') },
  hung: { chip: 'Keychain not responding', failure: failure('keychain-hung') }
}
