/**
 * What core needs from outside, as interfaces. Each host (Electron, preview, command line) hands in
 * its own; core imports no Electron, opens no window and reads no process-wide state by itself.
 */
import type { KeychainState, ConsoleEvent } from '#contract/ipc.ts'
import type { Failure } from '#contract/failures.ts'
import type {
  EarlierCheck,
  HistoryCounts,
  HistoryFilter,
  HistoryPage,
  HistoryPageQuery,
  RecordDetail,
  RecordEnding,
  Settlement
} from '#contract/records.ts'
import type { OperationId } from '#contract/operations.ts'
import type { Result } from '#contract/result.ts'
import type { VerificationInput } from '#contract/verification.ts'
import type { ApplicantStore } from './applicants/store.ts'
import type { AuditStore } from './audit/store.ts'
import type { BatchStore } from './batches/store.ts'
import type { KeepingStore } from './keepingStore.ts'
import type { RecordIntent } from './recordIntent.ts'

export type { RecordIntent } from './recordIntent.ts'

/** Time. `now` is the wall clock in Unix milliseconds, for people; `monotonic` in milliseconds, for durations. */
export interface Clock {
  now(): number
  monotonic(): number
}

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

/** A two-way line of structured-cloneable messages to a worker (thread or process). */
export interface WorkerLine {
  post(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
  /** Called once, when the worker has ended for whatever reason. */
  onEnd(listener: (reason: string) => void): void
  /** Ends the worker at once. */
  kill(): void
}

/** The two pieces that run outside the core's own thread: the history (synchronous SQLite) and the keychain (may hang). */
export type WorkerName = 'history' | 'keychain'
export type LaunchWorker = (name: WorkerName) => WorkerLine

/** The history: append-only, encrypted, on a worker of its own. Every write is synced to disk before it settles. */
export interface HistoryStore {
  /** Records an intent; the request may leave only after this has settled well. */
  begin(intent: RecordIntent): Promise<Result<{ readonly id: string; readonly seq: number }, Failure>>
  /** Records how it ended. Exactly once a record. */
  finish(id: string, ending: RecordEnding): Promise<Result<null, Failure>>
  page(query: HistoryPageQuery): Promise<Result<HistoryPage, Failure>>
  counts(filter: HistoryFilter): Promise<Result<HistoryCounts, Failure>>
  record(id: string): Promise<Result<RecordDetail, Failure>>
  /**
   * The latest answered record of the same operation, connection and input that started at or after `since`; after a
   * restore also a check that was, or may have been, sent since then without a record here.
   */
  earlier(
    same: { operation: OperationId; connectionId: string; input: VerificationInput },
    since: number
  ): Promise<Result<EarlierCheck | undefined, Failure>>
  settle(id: string, as: Settlement, note: string, at: number): Promise<Result<null, Failure>>
  /** Batches and their rows, in the same files: a row's move and its record's are one transaction. */
  readonly batches: BatchStore
  readonly applicants: ApplicantStore
  readonly audit: AuditStore
  readonly keeping: KeepingStore
  close(): Promise<void>
}

/** How a history came to be open. */
export interface HistoryOpened {
  readonly records: number
  /** Open intents of an earlier run, found at start and turned into "unknown". */
  readonly interrupted: number
  /** The disk is full: it was opened for reading only. */
  readonly readOnly?: true
}

/** What a host offers beside workers and time. */
export interface HostPorts {
  readonly kind: 'electron' | 'preview' | 'cli'
  readonly version: string
  /** Folder of settings, connections and history; one user's own. */
  readonly dataFolder: string
  /** The operating system's user, for the record. */
  readonly operator: string
  readonly clock: Clock
  readonly launchWorker: LaunchWorker
  /** Tells every window of this console. */
  announce(event: ConsoleEvent): void
  /** What the host itself has to tell, laid beside core's own notices in each state. */
  readonly notices?: () => readonly Failure[]
  copyText(text: string): Promise<void>
  /** The clipboard's text; undefined or a rejection where it cannot be read. */
  readText(): Promise<string | undefined>
  /** Empties the clipboard. */
  clearText(): Promise<void>
  /** Forgets the addresses within the window to which “back” would lead; absent where there is no window. */
  readonly forgetAddresses?: () => Promise<void>
  /** A file chosen by the person, or undefined. */
  chooseFile(title: string, extensions: readonly string[]): Promise<string | undefined>
  /** A place for a new file, chosen by the person, or undefined. */
  chooseSavePath(title: string, suggestedName: string, extensions: readonly string[]): Promise<string | undefined>
  /**
   * Prints a page to PDF in a place of its own, without scripts and without network; absent where the host
   * has no window. Rejects where it cannot be printed.
   */
  readonly printPdf?: (html: string) => Promise<Uint8Array>
  /** Progress of a batch for the task bar, from 0 to 1; undefined takes it away. */
  showProgress(fraction: number | undefined): void
  /** A notification of the system. Never with personal data: others may see the screen. */
  notify(title: string, body: string): void
  /** The system's proxy for an address as a PAC result (`DIRECT`, `PROXY host:port; DIRECT`). */
  resolveSystemProxy(url: string): Promise<string>
  /** Starts the bundled practice service and returns its base URL; idempotent. */
  startPractice(): Promise<Result<{ readonly baseUrl: string; readonly credentials: Readonly<Record<string, string>> }, Failure>>
}
