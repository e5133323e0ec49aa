/** Validates decisions before they are recorded, and draws the sample of many. */
import { createHash, randomBytes } from 'node:crypto'
import type { DecisionDraft } from '#contract/applicants/applicants.ts'
import { sampleSize } from '#contract/applicants/decide-many.ts'
import { failure, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import type { Settings } from '#contract/settings/settings.ts'

/**
 * Why a decision is invalid, or undefined if it is valid: each reason must be in the settings' list for this
 * decision, at least one must be given if the list has any, and a note if the settings require one.
 */
export function decisionFault(
  draft: Pick<DecisionDraft, 'decision' | 'reasons' | 'note' | 'due' | 'refusedOn' | 'review'>,
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
  if (draft.refusedOn !== undefined && draft.decision !== 'decline')
    faults.refusedOn = invalidField('refused-not-declined')
  if (draft.review !== undefined && draft.decision === 'escalate') faults.review = invalidField('review-escalated')
  return Object.keys(faults).length === 0 ? undefined : failure('decision-invalid', {}, faults)
}

export const newSeed = (): string => randomBytes(16).toString('hex')

/**
 * The applicants of a set that are reviewed first. Who knows the seed draws the same ones from the same set, in any order: those
 * whose ID has the smallest SHA-256 after the seed.
 *
 * @param share In per cent.
 */
export function drawSample(applicantIds: readonly string[], seed: string, share: number): readonly string[] {
  const lot = (id: string): string => createHash('sha256').update(`${seed}\n${id}`).digest('hex')
  return applicantIds
    .map((id) => [lot(id), id] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, sampleSize(applicantIds.length, share))
    .map(([, id]) => id)
}
