/** What every row of the table of failures says. Sentences may hold {names} that `failure()` fills in. */
interface FailureDeclaration {
  /** What happened. */
  readonly what: string
  /** What is safe: what was and was not sent, changed or lost. */
  readonly safe: string
  /** What to do now. */
  readonly todo: string
}

/** The failures of one noun, by code. */
export type FailureRows = Readonly<Record<string, FailureDeclaration>>
