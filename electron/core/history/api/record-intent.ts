/** The intent of a check; in a file of its own because both the history and its batches speak of it. */
import type { OperationId } from '#contract/operations.ts'
import type { RecordConnection } from '#contract/records.ts'
import type { VerificationInput } from '#contract/verification.ts'

/** What is recorded before a request may leave. */
export interface RecordIntent {
  readonly operation: OperationId
  readonly path: string
  readonly connection: RecordConnection
  /** As it will be stored: signatures of signed links scrubbed. */
  readonly input: VerificationInput
  readonly linksScrubbed: boolean
  /** Applicant id of the input, where the operation has one. */
  readonly applicantId?: string
  readonly startedAt: number
  readonly credentialFingerprint: string
  readonly consoleVersion: string
  readonly operator: string
  readonly rerunOf?: string
  readonly batchId?: string
}
