/** The keychain's states in words. A chip for the frame, and the failure whose sentences the panel shows. */
import { failure, type Failure } from '#contract/failures.ts'
import type { KeychainState } from '#contract/app-state.ts'

interface KeychainWords {
  readonly chip: string
  readonly failure: Failure
}

/** Undefined for the states in which nothing is wrong. */
export const keychainWords: Readonly<Record<KeychainState, KeychainWords | undefined>> = {
  unchecked: undefined,
  ready: undefined,
  absent: { chip: 'No keychain', failure: failure('keychain-absent') },
  locked: { chip: 'Keychain locked', failure: failure('keychain-locked') },
  denied: { chip: 'Keychain refused', failure: failure('keychain-denied') },
  hung: { chip: 'Keychain not answering', failure: failure('keychain-hung') }
}
