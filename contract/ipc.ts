/**
 * The whole surface between a window and the core, as one typed map: the schema of each request,
 * its size limit, and the type of its answer. No answer carries a secret; no request is generic.
 */
import { z } from 'zod'
import { applicantChannels, type ApplicantAnswers } from './applicants-channels.ts'
import { maxBatchRows, maxBatchText } from './batch-rows.ts'
import {
  batchFiles,
  batchListQuerySchema,
  batchOrderSchema,
  batchReadingSchema,
  batchRowsQuerySchema,
  batchResolutions,
  type BatchCheck,
  type BatchColumns,
  type BatchFailed,
  type RecentDuplicates,
  type BatchRowsPage,
  type BatchSummary
} from './batches.ts'
import type { ChannelName } from './channels.ts'
import { connectionDraftSchema, type ConnectionStatus, type ReachabilityReport } from './connection.ts'
import { credentialIds } from './credentials.ts'
import type { Failure } from './failures.ts'
import { dataManagementChannels, type DataManagementAnswers } from './data-management-channels.ts'
import type { ExportProgress } from './data-management.ts'
import { operationIds } from './operations.ts'
import { historyFilterSchema, historyPageQuerySchema, runRequestSchema, resolutions } from './records.ts'
import type { HistoryCounts, HistoryPage, HistoryState, RecordDetail, RunEnding } from './records.ts'
import type { Result } from './result.ts'
import { settingsPatchSchema, type Settings } from './settings.ts'

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

const nothing = z.undefined()
const kibibyte = 1024
const batch = z.strictObject({ id: z.uuid() })
const credentialName = z.strictObject({ connectionId: z.uuid(), credential: z.enum(credentialIds) })

/** Request schemas and size limits (bytes of the request as JSON). */
export const channels = {
  'app.state': { input: nothing, maxBytes: kibibyte },
  'app.copy': { input: z.strictObject({ text: z.string().max(4 * 1024 * kibibyte) }), maxBytes: 8 * 1024 * kibibyte },
  /** A person copied a text by the system's own way: it goes from the clipboard with the data of persons. */
  'app.copied': { input: z.strictObject({ text: z.string().max(4 * 1024 * kibibyte) }), maxBytes: 8 * 1024 * kibibyte },
  'settings.change': { input: settingsPatchSchema, maxBytes: 32 * kibibyte },
  'settings.chooseCaFile': { input: nothing, maxBytes: kibibyte },
  'settings.reset': { input: z.strictObject({ file: z.enum(resettableFiles) }), maxBytes: kibibyte },
  'keychain.tryAgain': { input: nothing, maxBytes: kibibyte },
  'connections.list': { input: nothing, maxBytes: kibibyte },
  'connections.save': { input: connectionDraftSchema, maxBytes: 16 * kibibyte },
  'connections.remove': { input: z.strictObject({ id: z.uuid() }), maxBytes: kibibyte },
  'connections.reach': { input: z.strictObject({ id: z.uuid() }), maxBytes: kibibyte },
  'credentials.set': {
    // The value is checked by core, which answers with a sentence; the router only bounds it.
    input: z.strictObject({ connectionId: z.uuid(), credential: z.enum(credentialIds), value: z.string().max(16 * kibibyte) }),
    maxBytes: 64 * kibibyte
  },
  'credentials.clear': { input: credentialName, maxBytes: kibibyte },
  'credentials.undoClear': { input: credentialName, maxBytes: kibibyte },
  'practice.start': { input: nothing, maxBytes: kibibyte },
  'verification.run': { input: runRequestSchema, maxBytes: 128 * kibibyte },
  'verification.cancel': { input: z.strictObject({ runId: z.uuid() }), maxBytes: kibibyte },
  'history.page': { input: historyPageQuerySchema, maxBytes: 32 * kibibyte },
  'history.counts': { input: z.strictObject({ filter: historyFilterSchema }), maxBytes: 32 * kibibyte },
  'history.record': { input: z.strictObject({ id: z.uuid() }), maxBytes: kibibyte },
  'history.resolve': {
    input: z.strictObject({ id: z.uuid(), as: z.enum(resolutions), note: z.string().max(4000) }),
    maxBytes: 32 * kibibyte
  },
  'history.tryAgain': { input: nothing, maxBytes: kibibyte },
  'history.openForSession': { input: nothing, maxBytes: kibibyte },
  'history.setAside': { input: nothing, maxBytes: kibibyte },
  'batches.choose': { input: z.strictObject({ reading: batchReadingSchema }), maxBytes: 64 * kibibyte },
  'batches.checkText': {
    // Counted in characters here and in bytes by core; as JSON a text may grow to twice its size and more.
    input: z.strictObject({ name: z.string().max(255), text: z.string().max(maxBatchText), reading: batchReadingSchema }),
    maxBytes: 3 * maxBatchText
  },
  'batches.recheck': { input: z.strictObject({ checkId: z.uuid(), reading: batchReadingSchema }), maxBytes: 64 * kibibyte },
  'batches.recentDuplicates': { input: z.strictObject({ checkId: z.uuid(), connectionId: z.uuid() }), maxBytes: kibibyte },
  'batches.saveInvalid': { input: z.strictObject({ checkId: z.uuid() }), maxBytes: kibibyte },
  'batches.create': { input: batchOrderSchema, maxBytes: 8 * kibibyte },
  'batches.list': { input: batchListQuerySchema, maxBytes: 8 * kibibyte },
  'batches.show': { input: batch, maxBytes: kibibyte },
  'batches.rows': { input: batchRowsQuerySchema, maxBytes: 8 * kibibyte },
  'batches.columns': { input: batch, maxBytes: kibibyte },
  'batches.failed': { input: batch, maxBytes: kibibyte },
  'batches.start': {
    input: z.strictObject({ id: z.uuid(), confirmation: z.string().max(200).optional(), afterRestore: z.boolean().optional() }),
    maxBytes: 4 * kibibyte
  },
  'batches.pause': { input: batch, maxBytes: kibibyte },
  'batches.cancel': { input: batch, maxBytes: kibibyte },
  /** Somebody works at the window: running batches stand back for a moment. */
  'batches.yieldToUser': { input: nothing, maxBytes: kibibyte },
  'batches.resolve': {
    input: z.strictObject({
      id: z.uuid(),
      /** Left out: every unknown row that nobody has resolved. */
      rows: z.array(z.number().int().min(1).max(maxBatchRows)).min(1).max(10_000).optional(),
      as: z.enum(batchResolutions)
    }),
    maxBytes: 256 * kibibyte
  },
  'batches.save': { input: z.strictObject({ id: z.uuid(), file: z.enum(batchFiles) }), maxBytes: kibibyte },
  'batches.template': { input: z.strictObject({ operation: z.enum(operationIds) }), maxBytes: kibibyte },
  'batches.again': { input: batch, maxBytes: kibibyte },
  ...dataManagementChannels,
  ...applicantChannels
} as const satisfies Record<ChannelName, { input: z.ZodType; maxBytes: number }>

/** What each request is answered with, inside a Result whose failure is a `Failure`. */
export interface Answers extends DataManagementAnswers, ApplicantAnswers {
  'app.state': AppState
  'app.copy': null
  'app.copied': null
  /** An answer may be overtaken by an event: each that changes the state gives it whole, with its number. */
  'settings.change': AppState
  /** The file that could not be used is kept under this name. */
  'settings.reset': { readonly state: AppState; readonly kept: string }
  /** The chosen path, checked to hold certificates; null where the person chose none. */
  'settings.chooseCaFile': { readonly path: string; readonly certificates: number } | null
  'keychain.tryAgain': AppState
  'connections.list': readonly ConnectionStatus[]
  /** `credentialsCleared` where a new host asked for the credentials anew. */
  'connections.save': { readonly connection: ConnectionStatus; readonly credentialsCleared: boolean }
  'connections.remove': null
  'connections.reach': ReachabilityReport
  'credentials.set': ConnectionStatus
  /** The value stays in core's memory for `undoClearSeconds`, so that the window can offer an undo without ever reading it. */
  'credentials.clear': ConnectionStatus
  /** Restores the value that was cleared last. Failures: `credential-undo-expired`, `connection-missing`. */
  'credentials.undoClear': ConnectionStatus
  /** Starts the bundled practice service, with its connection and made-up credentials ready to use. */
  'practice.start': ConnectionStatus
  'verification.run': RunEnding
  /** False where the run had ended already. */
  'verification.cancel': boolean
  'history.page': HistoryPage
  'history.counts': HistoryCounts
  'history.record': RecordDetail
  'history.resolve': RecordDetail
  'history.tryAgain': AppState
  /** Leaves the files as they are and keeps what is done now in memory, until the console is closed. */
  'history.openForSession': AppState
  /** Renames the history's files, deletes nothing, and begins a new history. */
  'history.setAside': AppState
  /** Lets the person choose a file and reads it through; null where none was chosen. */
  'batches.choose': BatchCheck | null
  'batches.checkText': BatchCheck
  /** The same file or text, read in another way. */
  'batches.recheck': BatchCheck
  /**
   * Counts the rows that were recently answered, with progress as events; null where the spend guard is off, where
   * a later question came, or where the count would take too long.
   */
  'batches.recentDuplicates': RecentDuplicates | null
  /** Saves the invalid rows of a checked file, each with its faults; null where the person chose no place. */
  'batches.saveInvalid': { readonly path: string; readonly rows: number } | null
  'batches.create': BatchSummary
  /** Newest first. */
  'batches.list': readonly BatchSummary[]
  'batches.show': BatchSummary
  'batches.rows': BatchRowsPage
  'batches.columns': BatchColumns
  'batches.failed': BatchFailed
  /** Starts, resumes, or goes on after a stop. A live connection's name must be typed, each time. */
  'batches.start': BatchSummary
  /** Both are answered at once; rows under way come to their end first, and an event tells of it. */
  'batches.pause': BatchSummary
  'batches.cancel': BatchSummary
  'batches.yieldToUser': null
  'batches.resolve': BatchSummary
  /** Null where the person chose no place. */
  'batches.save': { readonly path: string; readonly rows: number } | null
  'batches.template': { readonly path: string } | null
  'batches.again': BatchSummary
}

export type RequestOf<Name extends ChannelName> = z.input<(typeof channels)[Name]['input']>
export type ParsedRequestOf<Name extends ChannelName> = z.output<(typeof channels)[Name]['input']>
export type AnswerOf<Name extends ChannelName> = Result<Answers[Name], Failure>

/** Why data of persons is gone: it was erased, or another history took the place of the one that was open. */
export type RemovalCause = 'erased' | 'replaced'

/** Told to windows without being asked. */
export type ConsoleEvent =
  | { readonly kind: 'state-changed'; readonly state: AppState }
  | { readonly kind: 'connections-changed' }
  | { readonly kind: 'history-changed' }
  /** Whatever a window holds of persons goes: forms, results, answers under way, addresses. */
  | { readonly kind: 'data-removed'; readonly cause: RemovalCause }
  /** A run's progress; `sent` means that a byte may have left. */
  | { readonly kind: 'run-progress'; readonly runId: string; readonly phase: 'recording' | 'connecting' | 'sent' | 'receiving' }
  /** A batch was made, moved on or resolved; at most about four a second for each. */
  | { readonly kind: 'batch-changed'; readonly batch: BatchSummary }
  /** How far the count of rows that were recently answered has come. */
  | { readonly kind: 'recent-duplicates-progress'; readonly checkId: string; readonly rows: number }
  | { readonly kind: 'export-progress'; readonly progress: ExportProgress }
  /** Backups, receipts, holds or countersigned cases have changed. */
  | { readonly kind: 'data-management-changed' }
  /** An applicant, a decision, the queue or the catalogue changed. */
  | { readonly kind: 'evidence-changed' }
  /** Events verified so far, of how many. */
  | { readonly kind: 'audit-progress'; readonly verified: number; readonly total: number }
  /** From a native menu or a global shortcut of the host. */
  | { readonly kind: 'menu'; readonly command: MenuCommand }

export const menuCommands = ['new-check', 'history', 'connections', 'settings', 'command-palette', 'help'] as const
export type MenuCommand = (typeof menuCommands)[number]

/** The object that a host puts into the window as `window.veridesk`: one named method a channel, none generic. */
export type ConsoleBridge = {
  readonly [Name in ChannelName]: (input?: RequestOf<Name>) => Promise<AnswerOf<Name>>
} & {
  /** Returns the function that ends the subscription. */
  readonly onEvent: (listener: (event: ConsoleEvent) => void) => () => void
}
