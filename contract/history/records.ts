/** The history's interface for windows and the command line. All times are Unix milliseconds. */
import type { MessageMeaning } from '../applicants/meanings.ts'
import type { ConnectionColour, ConnectionMode } from '../connections/connection.ts'
import type { CorrectedCell } from '../batches/rows.ts'
import type { DocumentCopy, KeptDocument } from '../documents/documents.ts'
import type { Failure } from '../failures/failures.ts'
import type { OperationId } from '../verification/operations.ts'
import type { Outcome, RecordState } from '../verification/outcomes.ts'
import type { RecordContext } from './record-context.ts'
import type { VerificationInput } from '../verification/verification.ts'

/** The connection as it was at the verification: later changes do not affect it. */
export interface RecordConnection {
  readonly id: string
  readonly name: string
  readonly origin: string
  readonly mode: ConnectionMode
  readonly colour: ConnectionColour
  readonly mark: string
}

/** How a user resolved an unknown outcome. */
export const resolutions = ['processed', 'not-processed', 'undetermined'] as const
export type Resolution = (typeof resolutions)[number]
export interface ResolutionNote {
  readonly as: Resolution
  readonly note: string
  readonly at: number
  readonly operator: string
}

/** One row of the list. */
export interface RecordSummary {
  /** UUID version 7: sorts by time, identifies the record in files and on the command line. */
  readonly id: string
  /** Position in this history file, from 1, without gaps between records; the paging key. */
  readonly seq: number
  readonly operation: OperationId
  readonly connection: RecordConnection
  readonly state: RecordState
  readonly startedAt: number
  /** Milliseconds from sending to the end; absent while open and if nothing was sent. */
  readonly took?: number
  readonly status?: number
  /** The service's message verbatim, up to 300 characters here. */
  readonly message?: string
  /** Input as sent, with the signatures of signed links removed. */
  readonly input: VerificationInput
  readonly resolved?: ResolutionNote
  readonly batchId?: string
  /** The record that this one repeats. */
  readonly rerunOf?: string
  /** Its personal data was erased: input, message, reply and notes are gone. */
  readonly erased?: true
  /** What it is to the organisation, if its message is in the catalogue. */
  readonly means?: MessageMeaning
  /** In a search: where its first phrase was found, as the path in the answer or the name of a field, and what is there. */
  readonly found?: { readonly in: string; readonly text: string }
  /**
   * The copies of its documents by field, the first one first, each document once from its link and once as a file; absent without
   * one. Only a record by itself and the timeline of an applicant have them.
   */
  readonly copies?: Readonly<Record<string, readonly DocumentCopy[]>>
}

export interface ReplyRecord {
  readonly status: number
  readonly statusText: string
  /** Response headers, in order, without the values of Set-Cookie and authentication headers. */
  readonly headers: readonly (readonly [string, string])[]
  /** The body as text, up to the settings' limit. */
  readonly body: string
  /**
   * The bytes of a complete body that is not valid UTF-8, base64: `body` has U+FFFD in their place. Absent if they
   * contain a credential that was sent.
   */
  readonly raw?: string
  /** Bytes of the body as received, after decompression. */
  readonly bytes: number
  readonly truncated: boolean
}

/** A record in detail. */
export interface RecordDetail extends RecordSummary, RecordContext {
  readonly reply?: ReplyRecord
  /** The full message. */
  readonly fullMessage?: string
  /** Why there is no valid answer. */
  readonly failure?: Failure
  /** The record's applicant. `local`: linked in Veridesk only; `linked`: linked manually, so it can be unlinked. */
  readonly applicant?: { readonly id: string; readonly local: boolean; readonly linked: boolean }
  /**
   * The documents behind its links by field, as a copy or a check has them from shortly before the request was sent, or as they were
   * `noted` later.
   */
  readonly documents?: Readonly<Record<string, KeptDocument>>
  /** Cells of its row in a batch that a person corrected, and what the file said. */
  readonly corrections?: readonly CorrectedCell[]
  /** The latest earlier answered record with the same operation, input and connection. */
  readonly previous?: {
    readonly id: string
    readonly startedAt: number
    readonly status: number
    readonly body: string
  }
}

/**
 * `time`: oldest first. `connection` and `operation`: by name. `state`: in the order of the outcomes, open ones last.
 * `status` and `duration`: lowest first; records without one are last in either direction. Equal records: newest first.
 */
export const historySorts = ['time', 'connection', 'operation', 'state', 'status', 'duration'] as const
export type HistorySort = (typeof historySorts)[number]

export interface HistoryPage {
  /** Newest first, unless another order was asked for. */
  readonly records: readonly RecordSummary[]
  /** Whether older and newer records exist beyond this page. */
  readonly older: boolean
  readonly newer: boolean
  /** Number of records in another order; of a search with very many hits, only the newest are sorted (`atLeast`). */
  readonly total?: number
  readonly atLeast?: boolean
}

export interface CountedValue<Value> {
  readonly value: Value
  readonly label: string
  readonly count: number
}
/** For each filter value, how many records it would leave with the other filters unchanged. */
export interface HistoryCounts {
  readonly total: number
  /** True if counting stopped at a limit (a search with very many hits): show “10,000+”. */
  readonly atLeast: boolean
  readonly operations: Readonly<Partial<Record<OperationId, number>>>
  readonly states: Readonly<Partial<Record<RecordState, number>>>
  readonly statuses: Readonly<Record<string, number>>
  /** By connection id, with the latest name in the history. */
  readonly connections: readonly {
    readonly id: string
    readonly name: string
    readonly mode: ConnectionMode
    readonly count: number
  }[]
  /** The most frequent ones, by their names; messages by the beginning of their text. */
  readonly batches: readonly CountedValue<string>[]
  readonly operators: readonly CountedValue<string>[]
  readonly messages: readonly CountedValue<number>[]
  readonly meanings: Readonly<Partial<Record<MessageMeaning, number>>>
  /** Unresolved unknown outcomes in the whole history. */
  readonly unresolved: number
}

/** What a person answers before a request is sent again whose outcome is unknown. */
export const unknownAgainWords = ['anyway', 'LIVE'] as const
export type UnknownAgain = (typeof unknownAgainWords)[number]
export const unknownAgainOn = (mode: ConnectionMode): UnknownAgain => (mode === 'live' ? 'LIVE' : 'anyway')

/** What the spend guard knows of the same verification. All times are Unix milliseconds. */
export type EarlierCheck =
  /** Its outcome is unknown and not resolved, or it is in progress: it may have been processed, whenever it was sent. */
  | { readonly kind: 'unresolved'; readonly record: RecordSummary }
  | { readonly kind: 'answered'; readonly record: RecordSummary }
  /** Sent after the backup that this history was restored from; its record is in a history that was set aside. */
  | { readonly kind: 'sent'; readonly sentAt: number }
  /** The history was restored, and it is not known what was sent between these times. */
  | { readonly kind: 'not-known'; readonly backupAt: number; readonly restoredAt: number }

/** The result of a record, passed from the client to the store. */
export interface RecordEnding {
  readonly outcome: Outcome
  readonly endedAt: number
  /** Milliseconds of the monotonic clock. */
  readonly took?: number
  readonly reply?: ReplyRecord
  /** The string `message` of a valid response. */
  readonly message?: string
  readonly failure?: Failure
}

/** The state of the history. */
export type HistoryState =
  | { readonly state: 'opening' }
  | {
      readonly state: 'ready'
      readonly kept: 'file' | 'session'
      /** Number of records at opening; `history.counts` returns the current number. */
      readonly recordsAtOpening: number
      /** Verifications that an earlier run had left open and that became "unknown" at opening. */
      readonly interrupted: number
      /** The disk was full at opening: everything can be read, and nothing written or sent until there is space. */
      readonly readOnly?: true
    }
  | { readonly state: 'failed'; readonly failure: Failure }
