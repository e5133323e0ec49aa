/** What the runner of batches needs from a team. */
import type { BatchSummary } from '#contract/batches/batches.ts'
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { ResultSource } from '#core/batches/results.ts'
import type { BatchDraft, BatchStore, SharedTerms } from '#wire/history/batches.ts'
import type { SharedBatchStore } from '#wire/history/shared-batches.ts'

export interface SharedOrder {
  readonly id: string
  readonly draft: BatchDraft & { readonly shared: SharedTerms }
  readonly store: BatchStore
  readonly journal: SharedBatchStore
}

/** The rows of a shared batch that this installation runs: none is sent before the team's database has its intent. */
export interface SharedRun {
  readonly store: Pick<BatchStore, 'take' | 'step'>
  /** Whether a row may still be sent: nobody has taken over, and nothing is wrong with the database. */
  mayBeSent(): Promise<boolean>
  /** No further row is taken. */
  halt(): void
  /** Hands over. */
  close(): Promise<void>
}

/** Failures: `team-batch-runs`, `team-batch-unusable`, `team-batch-frozen`; those of the team's worker. */
export type OpenSharedRun = (order: SharedOrder) => Promise<Result<SharedRun, Failure>>

/** A batch with the rows of its results. */
export interface LocatedBatch {
  readonly batch: Pick<BatchSummary, 'id' | 'name'>
  readonly draft: BatchDraft
  readonly source: ResultSource
}

/** What batches need from a team; nothing of it is loaded without one. */
export interface TeamOfBatches {
  readonly run: OpenSharedRun
  /** A shared batch that is here, with the outcomes of all installations. Without the team, those of this one. */
  results(found: Pick<LocatedBatch, 'batch' | 'draft'>, own: ResultSource): Promise<Result<LocatedBatch, Failure>>
  /** A colleague's batch of which nothing was run here; undefined without a team. */
  locate(id: string): Promise<Result<LocatedBatch, Failure> | undefined>
}
