/** Validates a decision before it is recorded. */
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import { failure, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import type { Settings } from '#contract/settings/settings.ts'

/**
 * Why a decision is invalid, or undefined if it is valid: each reason must be in the settings' list for this
 * decision, at least one must be given if the list has any, and a note if the settings require one.
 */
export function decisionFault(
  draft: DecisionDraft,
  settings: Pick<Settings, 'decisionReasons' | 'decisionNoteNeeded'>
): Failure | undefined {
  const allowed = settings.decisionReasons
    .filter(({ decisions }) => decisions.includes(draft.decision))
    .map(({ code }) => code)
  const faults: Record<string, FieldFault> = {}
  if (draft.reasons.some((code) => !allowed.includes(code))) faults.reasons = invalidField('reason-unlisted')
  else if (allowed.length > 0 && draft.reasons.length === 0) faults.reasons = invalidField('reason-needed')
  else if (new Set(draft.reasons).size < draft.reasons.length) faults.reasons = invalidField('reason-twice')
  if (settings.decisionNoteNeeded && draft.note === '') faults.note = invalidField('note-needed')
  if (draft.due !== undefined && draft.decision !== 'escalate') faults.due = invalidField('due-not-escalated')
  return Object.keys(faults).length === 0 ? undefined : failure('decision-invalid', {}, faults)
}
