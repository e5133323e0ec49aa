/**
 * Checklists in forms that are kept for a while: answers are kept by the question that was asked, so that an answer to another one is none,
 * whatever code it has.
 */
import type { Decision } from '#contract/applicants/applicants.ts'
import {
  checksOf,
  itemsFor,
  type ChecklistItem,
  type Checklists,
  type Checks
} from '#contract/applicants/checklists.ts'

/** The items for a decision or a review, with their questions as codes. */
export const askedItems = (checklists: Checklists, of: Decision | 'review' | undefined): readonly ChecklistItem[] =>
  (of === undefined ? [] : itemsFor(checklists, of)).map((each) => ({
    ...each,
    code: JSON.stringify([each.code, each.answer, each.label])
  }))

/** The answers to these questions by the items' own codes, as they are sent. */
export const checksToSend = (asked: readonly ChecklistItem[], checks: Checks): Checks =>
  Object.fromEntries(
    Object.entries(checksOf(asked, checks)).map(([question, answer]) => [
      (JSON.parse(question) as [code: string])[0],
      answer
    ])
  )
