/** What a window needs to know of the console as a whole. */
import type { Failure } from './failures.ts'
import type { HistoryState } from './records.ts'
import type { Settings } from './settings.ts'

/** What the keychain is at the moment; each state has its own words and remedy in the window. */
export const keychainStates = ['unchecked', 'ready', 'absent', 'locked', 'denied', 'hung'] as const
export type KeychainState = (typeof keychainStates)[number]

/** Files of a person's own that are used only as they were written, or reset by a person's word. */
export const resettableFiles = ['settings', 'connections'] as const
export type ResettableFile = (typeof resettableFiles)[number]

/** What a window needs to draw its frame. */
export interface AppState {
  /** Grows with each state that the core tells, asked or not: an older one never replaces a newer one. */
  readonly number: number
  /** `electron` is the product; `preview` the same console in an installed browser. */
  readonly host: 'electron' | 'preview'
  readonly version: string
  readonly platform: 'linux' | 'darwin' | 'win32'
  readonly settings: Settings
  readonly keychain: KeychainState
  readonly history: HistoryState
  /** Why a file of a person's own cannot be used; it stays so until it is put right or reset. */
  readonly fileFaults: Readonly<Record<ResettableFile, Failure | undefined>>
  /** Failures met at start, each shown until dismissed (a damaged settings file, for one). */
  readonly notices: readonly Failure[]
}
