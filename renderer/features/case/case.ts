/** What the parts of a case tell each other. */

/** Tags and names that are in use, to suggest. */
export interface InUse {
  readonly tags: readonly string[]
  readonly assignees: readonly string[]
}

/** Something that is open before a decision: a sentence, whether it warns, and where it is resolved. */
export interface Concern {
  readonly key: string
  readonly text: string
  /** Otherwise it only informs. */
  readonly warns: boolean
  /** The messages that nobody has interpreted are in the catalogue. */
  readonly catalogue?: boolean
  /** An answer of the case has it. */
  readonly answers?: boolean
}

/** One of the parts of a case in a window with one column. */
export type CasePart = 'documents' | 'values' | 'answers' | 'decide'
