/** What is missing of a decision, and what is open before one. Pure. */
import type { TimelineEntry } from '#contract/applicants/applicants.ts'
import { words } from './words.ts'

/** What a decision still needs, in the order of the form. `evidence`: newer evidence was not reviewed. `review`: of the checklist of the review that it is. */
export type Gap = 'decision' | 'evidence' | 'checklist' | 'reasons' | 'note' | 'review'

/** Where a gap is closed in the form, and what is said of it. */
export const gaps: Readonly<Record<Gap, { readonly field: string; readonly words: string }>> = {
  decision: { field: '.choice', words: words.chooseADecisionFirst },
  evidence: { field: '[data-gap="evidence"]', words: words.reviewTheNewEvidenceFirst },
  checklist: { field: '[data-missing]', words: words.answerTheChecklist },
  reasons: { field: '[name="reason"]', words: words.chooseAtLeastOneReason },
  note: { field: 'textarea', words: words.enterANoteFirst },
  review: { field: '[data-missing]', words: words.answerTheChecklistOfTheReview }
}

export interface DecisionInput {
  readonly decision: string | undefined
  /** Newer evidence has arrived since it was begun. */
  readonly newer: boolean
  /** Required items of the checklists without an answer: of the decision, and of a review that it is. */
  readonly unanswered: number
  readonly unansweredOfReview: number
  /** Reasons that can be given, and those that are. */
  readonly offered: number
  readonly given: number
  readonly noteNeeded: boolean
  readonly note: string
}

/** The first thing that is missing; undefined if the decision can be recorded. */
export function firstGap(input: DecisionInput): Gap | undefined {
  if (input.decision === undefined) return 'decision'
  if (input.newer) return 'evidence'
  if (input.unanswered > 0) return 'checklist'
  if (input.offered > 0 && input.given === 0) return 'reasons'
  if (input.noteNeeded && input.note.trim() === '') return 'note'
  return input.unansweredOfReview > 0 ? 'review' : undefined
}

/** Unknown outcomes among the entries that nobody has resolved. */
export const unresolvedIn = (entries: readonly TimelineEntry[]): number =>
  entries.filter((entry) => entry.kind === 'check' && entry.record.state === 'unknown' && !entry.record.resolved).length
