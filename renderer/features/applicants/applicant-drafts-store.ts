/**
 * Unsaved input about an applicant: kept while the user is on other pages and, sealed by core, across restarts; dropped
 * once it is saved, and cleared when another history is opened or an applicant is erased.
 */
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Decision } from '#contract/applicants/applicants.ts'
import type { Checks } from '#contract/applicants/checklists.ts'
import type { ReviewOutcome } from '#contract/applicants/reviews.ts'
import { onRemoval } from '../../kit/removal.ts'

export interface DecisionForm {
  decision: Decision | undefined
  /** Answers to the checklists of the decision, and of a review that it is. */
  checks: Checks
  reviewChecks: Checks
  reasons: string[]
  note: string
  /** Local date in the format of the input field. */
  due: string
  /** The relationship is refused with a decline. */
  refused: boolean
  /** How the periodic review ends, if the decision is one. */
  review: ReviewOutcome | undefined
  /** The evidence that was shown when the decision was begun. */
  seen: number
}
const freshForm = (evidence: number): DecisionForm => ({
  decision: undefined,
  checks: {},
  reviewChecks: {},
  reasons: [],
  note: '',
  due: '',
  refused: false,
  review: undefined,
  seen: evidence
})

export const useApplicantDrafts = defineStore('applicant-drafts', () => {
  const decisions = reactive(new Map<string, DecisionForm>())
  const notes = reactive(new Map<string, string>())
  /** IDs of the records whose answers were in sight, by applicant. */
  const inSight = new Map<string, Set<string>>()

  /** The form of an applicant's next decision. While nothing is chosen, it uses the current evidence. */
  function decisionOf(applicantId: string, evidence: number): DecisionForm {
    const known = decisions.get(applicantId)
    if (known?.decision) return known
    decisions.set(applicantId, freshForm(evidence))
    return decisions.get(applicantId) ?? freshForm(evidence)
  }
  /** Clears one form; the object stays the one on the screen. */
  function dropDecision(applicantId: string, evidence: number): void {
    const form = decisions.get(applicantId)
    if (form) Object.assign(form, freshForm(evidence))
  }
  /** What was in sight; a case that is opened anew begins anew, unless a decision was begun. */
  function seenOf(applicantId: string, anew = false): Set<string> {
    const known = inSight.get(applicantId)
    if (known && !(anew && !decisions.get(applicantId)?.decision)) return known
    const fresh = new Set<string>()
    inSight.set(applicantId, fresh)
    return fresh
  }
  const noteOf = (applicantId: string): string => notes.get(applicantId) ?? ''
  function setNote(applicantId: string, text: string): void {
    if (text === '') notes.delete(applicantId)
    else notes.set(applicantId, text)
  }
  const kept = {
    take: () => {
      const begun = [...decisions].filter(([, form]) => form.decision)
      return { decisions: begun, notes: [...notes], inSight: begun.map(([id]) => [id, [...seenOf(id)]] as const) }
    },
    restore(from: {
      readonly decisions: readonly (readonly [string, DecisionForm])[]
      readonly notes: readonly (readonly [string, string])[]
      readonly inSight?: readonly (readonly [string, readonly string[]])[]
    }) {
      // The form may be on the screen, so the object stays.
      for (const [id, form] of from.decisions) {
        const known = decisions.get(id)
        // A field that was empty is not in what was kept.
        if (!known) decisions.set(id, { ...freshForm(form.seen), ...form })
        else if (!known.decision) Object.assign(known, form)
      }
      for (const [id, text] of from.notes) if (!notes.has(id)) notes.set(id, text)
      for (const [id, records] of from.inSight ?? []) for (const record of records) seenOf(id).add(record)
    }
  }

  onRemoval('applicant-drafts', () => {
    for (const each of [decisions, notes, inSight]) each.clear()
  })

  return { kept, decisionOf, dropDecision, seenOf, noteOf, setNote }
})
