/** The history's interface for the exchange of events with a team. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { ColleagueEntry } from '#contract/team/queue.ts'
import type { KnownHead } from './audit-walk.ts'
import type { ChainedEvent } from './events.ts'

/** An event with what its hash stands for. Digests are hex; sealed parts stay sealed with the key of their subject. */
export interface OutgoingEvent extends Pick<ChainedEvent, 'seq' | 'at' | 'kind' | 'subject' | 'record' | 'plain'> {
  readonly hash: string
  readonly links: string
  readonly digests: string
  /** Null if there is none or the key of its subject was destroyed. */
  readonly sealed: Uint8Array | null
  /** Of a finished verification: its sealed response, likewise. */
  readonly reply: Uint8Array | null
  /** It belongs to connections that are not shared: its values stay here. */
  readonly kept?: true
}

export interface ExchangeTask {
  /** Number of an event, or 0. */
  readonly after: number
  /** Most events; 0 for the heads alone. */
  readonly events: number
  /** Bytes after which no further event is added. */
  readonly bytes: number
  /** IDs of connections that are not shared. */
  readonly kept: readonly string[]
}

export interface ExchangePage {
  /** The last durable event; number 0 if there is none. */
  readonly last: KnownHead
  /** The hash of the event `after`, hex; zeros for 0; undefined if there is no such event. */
  readonly before: string | undefined
  readonly events: readonly OutgoingEvent[]
}

/** A subject with its key. */
export interface OwnSubject {
  readonly number: number
  /** 32 bytes. */
  readonly key: Uint8Array
  /** Absent for a check without an applicant, and for a message. */
  readonly applicantId?: string
}

/** A claim of this installation, as its history has it: an assignment, a handover or a release. */
export interface OwnClaim {
  readonly seq: number
  readonly at: number
  readonly operator: string
  readonly assigned: boolean
  readonly late?: boolean
  readonly to?: string
  /** What is claimed: exactly one of these. */
  readonly of?: ColleagueEntry
  readonly applicantId?: string
  readonly record?: number
  readonly assignee?: string
}
/** What people did at this installation, by the name of the operating system. */
export type OwnWork = readonly { readonly person: string; readonly checks: number; readonly decisions: number }[]

export interface ExchangeStore {
  /** Claims after an event, in order, at most 4096: those that are shared, of applicants who were not erased. */
  claims(task: {
    readonly after: number
    readonly kept: readonly string[]
  }): Promise<Result<readonly OwnClaim[], Failure>>
  /** Those of some applicants that have evidence or a decision here. */
  present(applicantIds: readonly string[]): Promise<Result<readonly string[], Failure>>
  /** Numbers of records by their IDs, and the other way round; those that do not exist are missing. */
  records(
    which: { readonly ids: readonly string[] } | { readonly numbers: readonly number[] }
  ): Promise<Result<readonly { readonly id: string; readonly number: number }[], Failure>>

  /** IDs of all connections that verifications were ever made over. */
  connections(): Promise<Result<readonly string[], Failure>>
  /** Events after one, in order, with the hash of that one. */
  read(task: ExchangeTask): Promise<Result<ExchangePage, Failure>>
  /** Subjects by their numbers; those whose keys were destroyed are missing. */
  subjects(numbers: readonly number[]): Promise<Result<readonly OwnSubject[], Failure>>
  /** Checks and decisions of a period. @param from Unix milliseconds; the end is exclusive. */
  work(from: number, until: number): Promise<Result<OwnWork, Failure>>
}
