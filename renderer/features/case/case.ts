/** What the parts of a case tell each other. */
import type { ApplicantDetail } from '#contract/applicants/applicants.ts'

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

/** A relationship that began cannot be refused any more: it ends. */
export const canBeRefused = ({ relationship }: Pick<ApplicantDetail, 'relationship'>): boolean =>
  [undefined, 'occasional'].includes(relationship?.state)

/** Declined, and nothing says whether the relationship was refused: until something does, retention does not begin. */
export const isRefusalDue = ({ state, relationship }: Pick<ApplicantDetail, 'state' | 'relationship'>): boolean =>
  state === 'decline' && relationship === undefined
