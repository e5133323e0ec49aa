import type { Failure } from '#contract/failures.ts'
import type { KeychainState } from '#contract/app-state.ts'
import type { Result } from '#contract/result.ts'

/**
 * The operating system's keychain, one flight at a time, at most 5 s an operation.
 * Accounts are names such as `connection/<id>/x-api-key`; values are secrets.
 */
export interface SecretStore {
  get(account: string): Promise<Result<string | undefined, Failure>>
  set(account: string, value: string): Promise<Result<null, Failure>>
  remove(account: string): Promise<Result<null, Failure>>
  /** Probes with a harmless read; settles within 5 s whatever the keychain does. */
  probe(): Promise<KeychainState>
  /** The state that the last operation found. */
  state(): KeychainState
  close(): Promise<void>
}
