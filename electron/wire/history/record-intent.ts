/** The intent of a verification. Separate because both the history and its batches use it. */
import type { CorrectedCell } from '#contract/batches/rows.ts'
import type { CopiedDocuments } from './copies.ts'
import type { SeenDocument } from '#contract/documents/documents.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { RecordContext } from '#contract/history/record-context.ts'
import type { RecordConnection } from '#contract/history/records.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'

/** What is recorded before a request may be sent. */
export interface RecordIntent extends RecordContext {
  readonly operation: OperationId
  readonly connection: RecordConnection
  /** In its stored form: signatures of signed links removed. */
  readonly input: VerificationInput
  /** The documents behind its links as a check saw them, by field. */
  readonly documents?: Readonly<Record<string, SeenDocument>>
  /** Copies of them, taken before the request is sent. */
  readonly copies?: CopiedDocuments
  /** Cells of its row in a batch that a person corrected. */
  readonly corrections?: readonly CorrectedCell[]
  /** The input's applicant id; for an operation without one, that of the batch's row or of the page, in Veridesk only. */
  readonly applicantId?: string
  readonly startedAt: number
  readonly rerunOf?: string
  readonly batchId?: string
  /** Of a batch that a team shares: colleagues find its outcome by it. */
  readonly batchRow?: number
}
