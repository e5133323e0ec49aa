/** What core and the team's thread tell each other: values of the interface in thread.ts. */
import type { OperationId } from '#contract/verification/operations.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'

/** A check that a colleague may have sent before. */
export interface SameCheck {
  readonly operation: OperationId
  /** As recorded: signatures of signed links removed. */
  readonly input: VerificationInput
  /** Of the service: connections have other IDs at other installations. */
  readonly origin: string
  /** Of the page or batch that an operation without an applicant ID is started from. */
  readonly applicantId?: string | undefined
  /** Unix milliseconds. */
  readonly since: number
}

/** What this installation did and what waits here: its own history knows it. */
export interface OwnOverview {
  readonly people: readonly { readonly person: string; readonly checks: number; readonly decisions: number }[]
  readonly unknown: number
  readonly waiting: number
  readonly queue: readonly { readonly person: string; readonly count: number }[]
}

/** Who has acknowledged a finding here, when, and the event of it in the history. */
export interface OwnAcknowledgement {
  readonly operator: string
  readonly at: number
  readonly seq: number
}
