/** The support file: what an administrator may hand to somebody else. It has no personal data and no secret. */
import type { KeychainState } from './app-state.ts'
import type { PolicySource } from '../settings/managed.ts'
import type { ConnectionMode } from '../connections/connection.ts'

/** A setting as the file shows it: its value if that can only be a number or one of a few words, otherwise whether it is set. */
export type ShownSetting = boolean | number | string

/** A line of the diagnostic log, with the fields that cannot name a person, a host or a file. */
export interface SupportLine {
  readonly at: string
  readonly event: string
  readonly code?: string
  readonly operation?: string
  readonly outcome?: string
  readonly state?: string
  readonly version?: string
  readonly status?: number
  readonly tookMs?: number
  readonly count?: number
}

export interface SupportBundle {
  readonly format: 'veridesk-support'
  readonly formatVersion: 1
  /** ISO 8601 in UTC. */
  readonly made: string
  readonly versions: Readonly<Record<string, string>>
  readonly system: {
    readonly platform: string
    readonly release: string
    readonly arch: string
    readonly locale: string
  }
  readonly state: {
    readonly host: 'electron' | 'preview' | 'cli'
    readonly keychain: KeychainState
    /** `ready`, or the code of the failure. */
    readonly history: string
    readonly historyKept?: 'file' | 'session'
    readonly readOnly: boolean
    readonly inTeam: boolean
    /** How the sources of policies were read, without their places. */
    readonly policies: readonly Pick<PolicySource, 'by' | 'found'>[]
    /** How far log forwarding is, by target, without its place. */
    readonly forwarding: readonly {
      readonly target: string
      readonly taken: number
      readonly last: number
      readonly silent: boolean
    }[]
    /** Codes of what is wrong with files, and of what was reported at the start. */
    readonly faults: readonly string[]
  }
  readonly settings: Readonly<Record<string, ShownSetting>>
  /** One entry for each connection, without its name and address. */
  readonly connections: readonly {
    readonly mode: ConnectionMode
    readonly practice: boolean
    readonly https: boolean
    readonly credentials: number
    readonly kept: string
  }[]
  /** How often each failure code is in the log. */
  readonly failures: Readonly<Record<string, number>>
  /** The newest lines of the log, oldest first. */
  readonly log: readonly SupportLine[]
}
