/**
 * What every row of the table of failures declares. Sentences hold {names}, which stand for the details of a failure:
 * `contract/failures.ts` derives from them which details a failure of this code must have.
 */
export interface FailureDeclaration {
  /** What happened. */
  readonly what: string
  /** What was and was not sent, changed or lost. */
  readonly impact: string
  /** What to do now. */
  readonly nextStep: string
  /** The failure within another sentence, as its cause; `what` without its full stop where it is left out. */
  readonly phrase?: string
  /** The phrases of {reason}: by the detail `reason`, or by an error code of the system; `other` is for all other codes. */
  readonly reasons?: Readonly<Record<string, string>>
}

/** The failures of one subject, by code. */
export type FailureRows = Readonly<Record<string, FailureDeclaration>>
