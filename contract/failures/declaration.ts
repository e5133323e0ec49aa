/**
 * A row of the failure tables. Sentences contain {names}, which stand for the details of a failure:
 * `contract/failures/failures.ts` derives from them which details a failure with this code must have.
 */
export interface FailureDeclaration {
  /** What happened. */
  readonly what: string
  /** What was and was not sent, changed or lost. */
  readonly impact: string
  /** What to do now. */
  readonly nextStep: string
  /** The heading of the guide's paragraph that helps with the next step. */
  readonly guide?: string
  /** The failure within another sentence, as its cause; defaults to `what` without its full stop. */
  readonly phrase?: string
  /** Phrases for {reason}, by the detail `reason` or by a system error code; `other` is for all other codes. */
  readonly reasons?: Readonly<Record<string, string>>
}

/** The failures of one subject, by code. */
export type FailureRows = Readonly<Record<string, FailureDeclaration>>
