import type { Failure, FailureDetails } from '#contract/failures/failures.ts'
import type { KeychainState } from '#contract/app/app-state.ts'
import type { Result } from '#contract/failures/result.ts'

/**
 * The operating system's keychain: one operation at a time, at most 5 s each. Accounts are names such as
 * `connection/<id>/x-api-key`; values are secrets.
 */
export interface SecretStore {
  get(account: string): Promise<Result<string | undefined, Failure>>
  /**
   * Like `get`, as the bytes of the text (UTF-8), which the caller zeroes: unlike a text, they can be removed from memory.
   * Absent where values are kept as texts anyway.
   */
  getBytes?(account: string): Promise<Result<Buffer | undefined, Failure>>
  /** Like `set`, with the bytes of the text, which stay the caller's. Absent where `getBytes` is. */
  setBytes?(account: string, value: Buffer): Promise<Result<null, Failure>>
  set(account: string, value: string): Promise<Result<null, Failure>>
  remove(account: string): Promise<Result<null, Failure>>
  /** Tests the keychain with a harmless read; resolves within 5 s in any case. */
  probe(): Promise<KeychainState>
  /** The state found by the last operation. */
  state(): KeychainState
  /** Ends what may hold values in memory; the next call starts it again. Absent where nothing does. */
  rest?(): Promise<void>
  close(): Promise<void>
}

/** Why a command printed nothing that can be used. */
export type CommandFault =
  FailureDetails<'credentials-command-failed'> extends infer Each
    ? Each extends { readonly cause: unknown }
      ? never
      : Each extends unknown
        ? Omit<Each, 'organisation'>
        : never
    : never
/** Runs a command without a shell and returns what it printed. Never rejects. */
export type RunCredentialsCommand = (command: readonly string[]) => Promise<Result<string, CommandFault>>
