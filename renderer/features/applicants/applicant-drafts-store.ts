/**
 * Unsaved input about an applicant: kept while the user is on other pages and, sealed by core, across restarts; dropped
 * once it is saved, and cleared when another history is opened or an applicant is erased.
 */
import { defineStore } from 'pinia'
import { reactive } from 'vue'
import type { Decision, DecisionDraft } from '#contract/applicants/applicants.ts'
import type { Checks } from '#contract/applicants/checklists.ts'
import type { ReviewOutcome } from '#contract/applicants/reviews.ts'
import { focusClassOf, leastTime, type FocusClass } from '#contract/applicants/seen.ts'
import { onRemoval } from '../../kit/removal.ts'
import { FocusTime } from './focus-time.ts'

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
  /** The class of the time in which applicants were shown whose decision was begun; a time is known of the one that is shown alone. */
  const shownBefore = new Map<string, FocusClass>()
  const time = new FocusTime(() => performance.now())

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
  /** How long an applicant was shown; undefined unless time is counted. */
  function focusOf(applicantId: string): FocusClass | undefined {
    const [before, spent] = [shownBefore.get(applicantId), time.spentOn(applicantId)]
    return spent === undefined ? before : focusClassOf((before ? leastTime(before) : 0) + spent)
  }
  /** The applicant is shown, in a window that has a person's attention or not. */
  function attend(applicantId: string, isAttended: boolean): void {
    if (time.spentOn(applicantId) === undefined && !decisions.get(applicantId)?.decision)
      shownBefore.delete(applicantId)
    time.attend(applicantId, isAttended)
  }
  /** It is not shown any more: of its time, a class is left, and that only with a decision that was begun. */
  function leave(applicantId: string): void {
    const focus = focusOf(applicantId)
    if (focus && decisions.get(applicantId)?.decision) shownBefore.set(applicantId, focus)
    else shownBefore.delete(applicantId)
    time.leave(applicantId)
  }
  /** What a decision says of what was on screen. */
  const lookedAt = (applicantId: string): Pick<DecisionDraft, 'shown' | 'focus'> => ({
    shown: [...seenOf(applicantId)],
    focus: focusOf(applicantId)
  })
  const noteOf = (applicantId: string): string => notes.get(applicantId) ?? ''
  function setNote(applicantId: string, text: string): void {
    if (text === '') notes.delete(applicantId)
    else notes.set(applicantId, text)
  }
  const kept = {
    take: () => {
      const begun = [...decisions].filter(([, form]) => form.decision)
      return {
        decisions: begun,
        notes: [...notes],
        inSight: begun.map(([id]) => [id, [...seenOf(id)]] as const),
        shown: begun.flatMap(([id]) => {
          const focus = focusOf(id)
          return focus ? [[id, focus] as const] : []
        })
      }
    },
    restore(from: {
      readonly decisions: readonly (readonly [string, DecisionForm])[]
      readonly notes: readonly (readonly [string, string])[]
      readonly inSight?: readonly (readonly [string, readonly string[]])[]
      readonly shown?: readonly (readonly [string, FocusClass])[]
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
      for (const [id, focus] of from.shown ?? []) if (!shownBefore.has(id)) shownBefore.set(id, focus)
    }
  }

  onRemoval('applicant-drafts', () => {
    for (const each of [decisions, notes, inSight, shownBefore]) each.clear()
    time.leave()
  })

  return { kept, decisionOf, dropDecision, seenOf, attend, leave, lookedAt, noteOf, setNote }
})
