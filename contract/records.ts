/** The history as windows and the command line see it. All times are Unix milliseconds. */
import { z } from 'zod'
import type { ConnectionColour, ConnectionMode } from './connection.ts'
import type { Failure, RecordedFailure } from './failures.ts'
import { operationIds, type OperationId } from './operations.ts'
import { outcomeIds, type Outcome, type RecordState } from './outcomes.ts'
import type { VerificationInput } from './verification.ts'

/** The connection as it was when the check ran: later renaming does not rewrite the past. */
export interface RecordConnection {
  readonly id: string
  readonly name: string
  readonly origin: string
  readonly mode: ConnectionMode
  readonly colour: ConnectionColour
  readonly mark: string
}

/** A person's word on an unknown outcome. */
export const resolutions = ['processed', 'not-processed', 'undetermined'] as const
export type Resolution = (typeof resolutions)[number]
export interface ResolutionNote {
  readonly as: Resolution
  readonly note: string
  readonly at: number
  /** Absent where version 0.1 resolved it, which did not record who did. */
  readonly operator?: string
}

/** One line of the list. */
export interface RecordSummary {
  /** UUID, version 7: sorts by time, names the record in files and on the command line. */
  readonly id: string
  /** Position in this history file, from 1, without gaps between records; the paging key. */
  readonly seq: number
  readonly operation: OperationId
  readonly connection: RecordConnection
  readonly state: RecordState
  readonly startedAt: number
  /** Milliseconds from sending to the end; absent while open and where nothing was sent. */
  readonly took?: number
  readonly status?: number
  /** The service's message word for word, at most its first 300 characters here. */
  readonly message?: string
  /** Input as sent, with the signatures of signed links scrubbed. */
  readonly input: VerificationInput
  readonly resolved?: ResolutionNote
  readonly batchId?: string
  /** The record that this one ran again. */
  readonly rerunOf?: string
  /** Its personal data was erased: input, message, reply and notes are gone. */
  readonly erased?: true
}

export interface ReplyRecord {
  readonly status: number
  readonly statusText: string
  /** Reply headers, in order; values of Set-Cookie and of authentication headers left out. */
  readonly headers: readonly (readonly [string, string])[]
  /** Whole body as text, bounded by the settings' limit. */
  readonly body: string
  /** Bytes of the body as received, after decompression. */
  readonly bytes: number
  readonly truncated: boolean
}

/** A record with everything that is known of it. */
export interface RecordDetail extends RecordSummary {
  readonly path: string
  readonly reply?: ReplyRecord
  /** The message in full. */
  readonly fullMessage?: string
  /** Why there is no readable answer. */
  readonly failure?: RecordedFailure
  /** Keyed hash over the three credentials, 16 hex digits: tells that they changed, never what they are. */
  readonly credentialFingerprint: string
  /** Version of Veridesk that ran the check, and the operating system's user who did. */
  readonly consoleVersion: string
  readonly operator: string
  /** True where a signed link was scrubbed, so that a re-run needs a fresh link. */
  readonly linksScrubbed: boolean
  /** Whose check it is. `local`: the service was told no applicant; `linked`: by hand, so that it can be unlinked. */
  readonly applicant?: { readonly id: string; readonly local: boolean; readonly linked: boolean }
  /** The latest earlier answered record of the same operation, input and connection. */
  readonly previous?: { readonly id: string; readonly startedAt: number; readonly status: number; readonly body: string }
}

/** What the list is narrowed to. Values of one filter are alternatives, filters together narrow. */
export const historyFilterSchema = z.strictObject({
  /** Three or more characters: full text over ids, URLs, messages and raw bodies. */
  search: z.string().max(500).optional(),
  operations: z.array(z.enum(operationIds)).max(operationIds.length).optional(),
  states: z.array(z.enum(['open', ...outcomeIds])).max(outcomeIds.length + 1).optional(),
  statuses: z.array(z.number().int().min(100).max(999)).max(50).optional(),
  connections: z.array(z.string().max(64)).max(100).optional(),
  /** Inclusive start and exclusive end. */
  from: z.number().int().nonnegative().optional(),
  until: z.number().int().nonnegative().optional(),
  /** Unknown outcomes that nobody has resolved yet. */
  unresolved: z.boolean().optional()
})
export type HistoryFilter = z.output<typeof historyFilterSchema>

export const maxPageSize = 200
export const historyPageQuerySchema = z.strictObject({
  filter: historyFilterSchema,
  limit: z.number().int().min(1).max(maxPageSize),
  /** Newest first. `before` pages on to older records, `after` back to newer ones, `at` jumps to a time. */
  before: z.number().int().positive().optional(),
  after: z.number().int().nonnegative().optional(),
  at: z.number().int().nonnegative().optional()
})
export type HistoryPageQuery = z.output<typeof historyPageQuerySchema>

export interface HistoryPage {
  /** Newest first. */
  readonly records: readonly RecordSummary[]
  /** Whether older and newer records exist beyond this page. */
  readonly older: boolean
  readonly newer: boolean
}

/** How many records a filter's each choice would leave, the other filters kept. */
export interface HistoryCounts {
  readonly total: number
  /** True where counting stopped at a limit (a search with very many hits): show “10,000+”. */
  readonly atLeast: boolean
  readonly operations: Readonly<Partial<Record<OperationId, number>>>
  readonly states: Readonly<Partial<Record<RecordState, number>>>
  readonly statuses: Readonly<Record<string, number>>
  /** By connection id, with the latest name that the history knows. */
  readonly connections: readonly { readonly id: string; readonly name: string; readonly mode: ConnectionMode; readonly count: number }[]
  /** Unknown and not resolved, over the whole history. */
  readonly unresolved: number
}

/** What a run asks for. */
export const runRequestSchema = z.strictObject({
  /** Chosen by the window, so that a run can be cancelled before it has a record. */
  runId: z.uuid(),
  connectionId: z.uuid(),
  operation: z.enum(operationIds),
  input: z.record(z.string().max(100), z.string()),
  rerunOf: z.uuid().optional(),
  /** Send although the same check was recently answered. */
  repeatAnyway: z.boolean().optional()
})
export type RunRequest = z.output<typeof runRequestSchema>

/** What the spend guard knows of the same check. All times are Unix milliseconds. */
export type EarlierCheck =
  | { readonly kind: 'answered'; readonly record: RecordSummary }
  /** Sent after the backup was made that this history was restored from; its record is in a history that was set aside. */
  | { readonly kind: 'sent'; readonly sentAt: number }
  /** The history was restored, and nobody knows what was sent between these times. */
  | { readonly kind: 'not-known'; readonly backupAt: number; readonly restoredAt: number }

/** How a run ended: with a record, or held back because the same check was or may have been sent. */
export type RunEnding =
  | { readonly kind: 'recorded'; readonly record: RecordDetail }
  /** It ended, but its ending could not be written: the only copy of the answer is this one. */
  | { readonly kind: 'unrecorded'; readonly record: RecordDetail; readonly failure: Failure }
  | { readonly kind: 'recently-answered'; readonly earlier: RecordSummary }
  | { readonly kind: 'may-have-been-sent'; readonly earlier: Exclude<EarlierCheck, { readonly kind: 'answered' }> }

/** How a record ends; what core's client hands to the store. */
export interface RecordEnding {
  readonly outcome: Outcome
  readonly endedAt: number
  /** Milliseconds by the monotonic clock. */
  readonly took?: number
  readonly reply?: ReplyRecord
  /** The reply's own string `message`, where it is readable. */
  readonly message?: string
  readonly failure?: Failure
}

/** What the history is at the moment. */
export type HistoryState =
  | { readonly state: 'opening' }
  | {
      readonly state: 'ready'
      readonly kept: 'file' | 'session'
      /** How many there were when it was opened; how many there are is asked of the history (`history.counts`). */
      readonly recordsAtOpening: number
      /** Checks that an earlier run had left open, found at opening and turned into "unknown". */
      readonly interrupted: number
      /** The disk was full at opening: everything can be read, and nothing can be written or sent until there is room. */
      readonly readOnly?: true
    }
  | { readonly state: 'failed'; readonly failure: Failure }

