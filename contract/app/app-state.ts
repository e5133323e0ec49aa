/** The state of the console that windows need. */
import type { Failure } from '../failures/failures.ts'
import type { ManagedState, PolicySource } from '../settings/managed.ts'
import type { TargetState } from '../forwarding/forwarding.ts'
import type { LockState } from '../lock/lock.ts'
import type { HistoryState } from '../history/records.ts'
import type { ScreenShareState } from '../lock/screen-share.ts'
import type { Settings } from '../settings/settings.ts'
import type { UpdatesState } from '../updates/updates.ts'

/** States of the keychain; the window has a text and a remedy for each. */
export const keychainStates = ['unchecked', 'ready', 'absent', 'locked', 'denied', 'hung'] as const
export type KeychainState = (typeof keychainStates)[number]

/** Files with a user's data that are never replaced by defaults automatically, only reset by the user. */
export const resettableFiles = ['settings', 'connections'] as const
export type ResettableFile = (typeof resettableFiles)[number]

/** Progress of adding the examples of a session with sample data. */
export interface SampleState {
  readonly done: number
  /** Equal to `done` once all are added. */
  readonly total: number
  /** Why it ended early. */
  readonly failure?: Failure
}

/** What a window needs to draw its frame. */
export interface AppState {
  /** Increases with each state that core sends, requested or not: an older one never replaces a newer one. */
  readonly number: number
  /** `electron` is the product; `preview` is the same console in an installed browser. */
  readonly host: 'electron' | 'preview'
  readonly version: string
  /** Who works here: the system's account, and the full name that it has for it. Absent while the console is locked. */
  readonly operator?: { readonly account: string; readonly fullName?: string }
  readonly platform: 'linux' | 'darwin' | 'win32'
  /** Those in force: a policy takes precedence over the user's. */
  readonly settings: Settings
  /** Absent if no policy is in force. */
  readonly managed?: ManagedState
  /** Where policies are looked for, and how; absent if this host has none. */
  readonly policySources?: readonly PolicySource[]
  /** The session has sample data only, which is deleted when it ends; absent in any other. */
  readonly sample?: SampleState
  /** Present while the console is locked: everything personal in the state is then left out. */
  readonly lock?: LockState
  /** Whether a passphrase is set. */
  readonly passphrase: boolean
  readonly screenShare: ScreenShareState
  readonly keychain: KeychainState
  readonly history: HistoryState
  /** Whether there is a newer release. `off` while the console is locked. */
  readonly updates: UpdatesState
  /** How log forwarding goes, by target; empty while nothing is forwarded or the console is locked. */
  readonly forwarding: readonly TargetState[]
  /** Why a file is unusable, until it is repaired or reset. */
  readonly fileFaults: Readonly<Record<ResettableFile, Failure | undefined>>
  /** Why nothing is decided: the rules of decisions cannot be read. Absent if they can, and while the console is locked. */
  readonly rulesRefusal?: Failure
  /** Failures found at start, each shown until dismissed (for example, a damaged settings file). */
  readonly notices: readonly Failure[]
}
