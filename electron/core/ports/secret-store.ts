import type { Failure } from '#contract/failures.ts'
import type { KeychainState } from '#contract/app-state.ts'
import type { Result } from '#contract/result.ts'

/**
 * The operating system's keychain: one operation at a time, at most 5 s each. Accounts are names such as
 * `connection/<id>/x-api-key`; values are secrets.
 */
export interface SecretStore {
  get(account: string): Promise<Result<string | undefined, Failure>>
  set(account: string, value: string): Promise<Result<null, Failure>>
  remove(account: string): Promise<Result<null, Failure>>
  /** Tests the keychain with a harmless read; resolves within 5 s in any case. */
  probe(): Promise<KeychainState>
  /** The state found by the last operation. */
  state(): KeychainState
  close(): Promise<void>
}
