/** What the rest of core asks the team's worker about shared batches. */
import type { RowState } from '#contract/batches/rows.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { BatchDraft, BatchLayout, SharedTerms } from '#wire/history/batches.ts'
import type { SharedRow } from '#wire/history/shared-batches.ts'
import type { Answer, BatchPort } from './batch-ports.ts'

/** A batch that a colleague shared. */
export interface ReceivedBatch extends Pick<BatchDraft, 'atOnce' | 'pace'> {
  readonly operation: OperationId
  readonly id: string
  readonly installation: string
  readonly at: number
  readonly connection: Pick<RecordConnection, 'name' | 'origin' | 'mode'>
  readonly shared: SharedTerms
  /** Absent until its key arrives. */
  readonly names?: {
    readonly name: string
    readonly fileName: string
    readonly sha256: string
    readonly layout: BatchLayout
  }
}

/** A row as the installation that shared the batch recorded it. */
export interface ReceivedRow extends SharedRow {
  readonly state: RowState
  readonly closed?: 'awaited' | 'erased'
}

/** How a row went at a colleague. */
export interface ReceivedOutcome {
  readonly row: number
  readonly installation: string
  readonly recordId: string
  readonly startedAt: number
  /** `open` while nothing is known about its end. */
  readonly state: Extract<RowState, 'open' | 'answered' | 'invalid-response' | 'not-sent' | 'unknown'>
  readonly status?: number
  readonly took?: number
  readonly message?: string
}

/** A row that two installations have sent, and their records. */
export interface SentTwice {
  readonly row: number
  readonly installation: string
  readonly record: string
  readonly other: string
  readonly otherRecord: string
}

/** Who runs a batch, or ran it last, and since when, in Unix milliseconds of the database's clock. */
export interface Runner {
  readonly installation: string
  readonly since: number
}

/** How far a shared batch is, by the database. */
export interface BatchFigures {
  /** The last one; undefined before anybody ran it. */
  readonly runner: (Runner & { readonly isRunning: boolean }) | undefined
  /** Rows that were sent, or are about to be. */
  readonly installations: readonly { readonly installation: string; readonly intents: number }[]
}

export interface BatchWork extends BatchPort {
  figures(id: string): Answer<BatchFigures>
  /** Failure: `team-batch-runs` while somebody else runs it. */
  free(id: string): Answer<null>
  /** Rows of a stretch for which there is an intent, and whose. */
  intents(
    id: string,
    from: number,
    to: number
  ): Answer<readonly { readonly row: number; readonly installation: string }[]>
  close(): Promise<void>
}

/** Shared batches: what was received of them, and what a run asks of the database. */
export interface TeamBatchWorker extends Omit<BatchWork, 'close'> {
  /** All that colleagues shared, the newest first. */
  received(): Answer<readonly ReceivedBatch[]>
  /** One of them; undefined if there is none, or two members claim it. */
  find(id: string): Answer<ReceivedBatch | undefined>
  page(id: string, sharer: string, after: number, limit: number): Answer<readonly ReceivedRow[]>
  outcomes(id: string, from: number, to: number): Answer<readonly ReceivedOutcome[]>
  /** Rows of a stretch that two installations have sent. */
  twice(id: string, from: number, to: number): Answer<readonly SentTwice[]>
  /** Whether the run of a colleague has ended with nothing left to send. */
  isFinished(id: string): Answer<boolean>
  /** Names of members by installation, of those who were removed, too. */
  names(): Answer<Readonly<Record<string, string>>>
}
