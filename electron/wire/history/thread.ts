/** The interface of the history's worker, typed for both ends of the line. */
import type { Failure } from '#contract/failures/failures.ts'
import type { Result } from '#contract/failures/result.ts'
import type { AuditStore } from './audit.ts'
import type { KnownHead } from './audit-walk.ts'
import type { CopyStore } from './backup.ts'
import type { BatchStep, BatchStore, StepDone } from './batches.ts'
import type { HistoryOpened, HistoryStore } from './store.ts'
import type { EngineOptions } from '#wire/history/engine-options.ts'
import type { ChainVerdict } from './chain.ts'

type Answer<T> = Promise<Result<T, Failure>>

/** A key for a worker is sealed for it (`publicKey`); tests give it as digits. */
export interface HistoryWorker extends Omit<HistoryStore, 'batches' | 'audit' | 'backup' | 'close'> {
  /** For keys that are sent to this worker (`sealing/line.ts`). */
  publicKey(): Promise<Uint8Array | Result<never, Failure>>
  /** Failures: those of `openHistory`. */
  open(options: EngineOptions): Answer<HistoryOpened>
  readonly batches: Omit<BatchStore, 'step'> & {
    /** Writes the steps in one group; each has its own answer. */
    steps(
      steps: readonly (readonly [id: string, step: BatchStep])[]
    ): Promise<readonly Result<StepDone, Failure>[] | Result<never, Failure>>
  }
  readonly audit: AuditStore & { last(): Answer<KnownHead> }
  /** Copies the files, as they are at one moment, into a folder. */
  readonly backup: Pick<HistoryStore['backup'], 'since'> & { snapshot(folder: string): Answer<null> }
  /** For a worker without an open history: these use files other than the current ones. */
  readonly copies: Omit<CopyStore, 'end'>
  /** Verifies the whole chain of events. */
  verifyChain(): Answer<ChainVerdict>
  /** SQLite's check of every page of the evidence; `ok` if nothing is wrong. */
  integrity(): Answer<string>
  close(): Answer<null>
}
