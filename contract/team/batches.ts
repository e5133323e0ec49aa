/** Batches that a team shares: who shared them, who runs them, and how far they are. */
import { z } from 'zod'
import type { OperationId } from '../verification/operations.ts'
import type { RecordConnection } from '../history/records.ts'

/** A batch of the team, as this installation knows it from events that it received, or from its own history. */
export interface TeamBatch {
  readonly id: string
  /** Who shared it. */
  readonly member: string
  /** This installation shared it. */
  readonly own: boolean
  /** It is among the batches here: this installation shared it, or ran some of it. */
  readonly here: boolean
  readonly name: string
  readonly operation: OperationId
  readonly connection: Pick<RecordConnection, 'name' | 'origin' | 'mode'>
  /** Unix milliseconds, by the clock of the installation that shared it. */
  readonly at: number
  readonly atOnce: number
  readonly pace: number
}

/** Rows that one installation sent, or is about to send. */
export interface TeamBatchShare {
  readonly installation: string
  readonly member: string
  readonly rows: number
}

export interface TeamBatchRunner extends Pick<TeamBatchShare, 'installation' | 'member'> {
  readonly own: boolean
  /** Unix milliseconds of the database’s clock. */
  readonly since: number
  /** Neither has it handed over, nor is its last sign of life older than a minute. */
  readonly isRunning: boolean
}

/** How far a shared batch is. */
export interface TeamBatchProgress {
  readonly id: string
  /** Some installation’s run has ended with nothing left to send. */
  readonly finished: boolean
  /** Who runs it, or was the last to run it; absent before anybody did. */
  readonly runner?: TeamBatchRunner
  readonly shares: readonly TeamBatchShare[]
}

const id = z.uuid()
export const teamBatchSchema = z.strictObject({ id })
export const teamBatchTakeOverSchema = z.strictObject({
  id,
  /** Here, to the same service as the batch's. */
  connectionId: z.uuid()
})
