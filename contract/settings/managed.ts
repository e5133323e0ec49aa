/** What a window knows of the policies of its organisation; the table of all policies is in `policies.ts`. */
import type { PolicyName } from './policies.ts'
import type { Settings } from './settings.ts'

/** A policy that is in force. */
export interface ActivePolicy {
  readonly name: PolicyName
  /** Its value as text. */
  readonly value: string
  /** The file or registry key that sets it. */
  readonly place: string
}

/** A source of policies, as it was read last. */
export interface PolicySource {
  /** The file or registry key. */
  readonly place: string
  /** What read it: Veridesk itself, a module, or a program of the system. */
  readonly by: string
  readonly found: 'none' | 'values' | 'unusable'
}

/** The policies in force. */
export interface ManagedState {
  /** Who manages this installation, for sentences: “Example Bank”, or “your organisation”. */
  readonly organisation: string
  /** In the order of the table. */
  readonly policies: readonly ActivePolicy[]
  /** Settings that a policy sets and locks, with the place of that policy. */
  readonly locked: Readonly<Partial<Record<keyof Settings, string>>>
  /** Policies that turn something off or require it, each with its place. */
  readonly closed: Readonly<Partial<Record<PolicyName, string>>>
  /** Origins to which connections may lead; absent if any is allowed. */
  readonly allowedBaseUrls?: readonly string[]
  /** Maximum requests in progress and per minute of a batch. */
  readonly concurrency?: number
  readonly rateLimit?: number
}
