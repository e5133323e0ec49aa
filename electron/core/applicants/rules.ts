/** Validates decisions and reviews before they are recorded, and draws the sample of many. */
import { createHash, randomBytes } from 'node:crypto'
import type { Decision, DecisionDraft } from '#contract/applicants/applicants.ts'
import {
  answerTo,
  checklistText,
  checksOf,
  itemsFor,
  unansweredOf,
  type ChecklistItem,
  type Checks
} from '#contract/applicants/checklists.ts'
import { fourEyesRule } from '#contract/applicants/four-eyes.ts'
import { sampleSize } from '#contract/applicants/decide-many.ts'
import { isAhead, type Relationship } from '#contract/applicants/relationships.ts'
import type { ReviewDraft } from '#contract/applicants/reviews.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { failure, invalidField, type Failure, type FieldFault } from '#contract/failures/failures.ts'
import type { Settings } from '#contract/settings/settings.ts'
import type { AnsweredChecklist, HeldRule } from '#wire/history/applicants.ts'

type Faults = Readonly<Record<string, FieldFault>>
type Draft = Pick<DecisionDraft, 'decision' | 'reasons' | 'note' | 'due' | 'refusedOn' | 'review'>

/** What is wrong with the answers to a checklist, by the field and the code of its item. */
function checkFaults(field: string, items: readonly ChecklistItem[], checks: Checks = {}): Faults {
  const isListed = Object.keys(checks).every((code) => items.some((each) => each.code === code))
  const unticked = items.filter((each) => each.answer === 'tick' && (answerTo(checks, each) ?? 'yes') !== 'yes')
  return {
    ...(!isListed && { [field]: invalidField('check-unlisted') }),
    ...Object.fromEntries([
      ...unticked.map(({ code, label }) => [`${field}.${code}`, invalidField('check-not-ticked', { item: label })]),
      ...unansweredOf(items, checks).map(({ code, label }) => [
        `${field}.${code}`,
        invalidField('check-needed', { item: label })
      ])
    ])
  }
}

/** What is recorded of a checklist with a decision or review; undefined if it has no item for that. */
export function answeredChecklist(
  { checklists }: Pick<Settings, 'checklists'>,
  of: Decision | 'review',
  checks: Checks = {}
): AnsweredChecklist | undefined {
  const items = itemsFor(checklists, of)
  return items.length === 0
    ? undefined
    : {
        text: checklistText(of === 'review' ? 'review' : 'decision', checklists),
        complete: items.every((each) => answerTo(checks, each) !== undefined),
        checks: checksOf(items, checks)
      }
}

/**
 * Why a decision is invalid, or undefined if it is valid: each reason must be in the settings' list for this
 * decision, at least one must be given if the list has any, a note if the settings require one, and an answer to each
 * required item of the checklist.
 */
export function decisionFault(
  draft: Draft & Pick<DecisionDraft, 'checks' | 'reviewChecks'>,
  settings: Pick<Settings, 'decisionReasons' | 'decisionNoteNeeded' | 'checklists'>
): Failure | undefined {
  const { decision, checks, review, reviewChecks } = draft
  const { checklists } = settings
  return refusedFor('decision-invalid', {
    ...draftFaults(draft, settings),
    ...checkFaults('checks', itemsFor(checklists, decision), checks),
    ...checkFaults('reviewChecks', review === undefined ? [] : itemsFor(checklists, 'review'), reviewChecks)
  })
}

/**
 * Why one decision about many is invalid. An answer to a required item says that somebody looked at this applicant, so nobody gives it
 * for those outside the sample.
 *
 * @param others Applicants outside the sample.
 */
export function manyFault(
  draft: Draft,
  others: number,
  settings: Pick<Settings, 'decisionReasons' | 'decisionNoteNeeded' | 'checklists'>
): Failure | undefined {
  return oneByOneFault(draft.decision, others, settings) ?? refusedFor('decision-invalid', draftFaults(draft, settings))
}

/** The same, before reasons and a note are given. */
export const oneByOneFault = (
  decision: Decision,
  others: number,
  { checklists }: Pick<Settings, 'checklists'>
): Failure | undefined =>
  others > 0 && itemsFor(checklists, decision).some(({ required }) => required)
    ? failure('checklist-one-by-one')
    : undefined

/** Why a review is invalid: a required item of its checklist has no answer. */
export const reviewFault = (
  { checks }: Pick<ReviewDraft, 'checks'>,
  { checklists }: Pick<Settings, 'checklists'>
): Failure | undefined => refusedFor('review-invalid', checkFaults('checks', itemsFor(checklists, 'review'), checks))

/** Why a relationship cannot be recorded now. */
export const relationshipFault = (
  relationship: Pick<Relationship, 'on'> | undefined,
  now: number
): Failure | undefined => (relationship && isAhead(relationship.on, now) ? failure('relationship-ahead') : undefined)

/** Why a refusal cannot be recorded with a decision now. */
export const refusalFault = ({ refusedOn }: Pick<DecisionDraft, 'refusedOn'>, now: number): Failure | undefined =>
  refusedFor(
    'decision-invalid',
    refusedOn !== undefined && isAhead(refusedOn, now) ? { refusedOn: invalidField('day-ahead') } : {}
  )

const refusedFor = (code: 'decision-invalid' | 'review-invalid', faults: Faults): Failure | undefined =>
  Object.keys(faults).length === 0 ? undefined : failure(code, {}, faults)

function draftFaults(draft: Draft, settings: Pick<Settings, 'decisionReasons' | 'decisionNoteNeeded'>): Faults {
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
  return faults
}

/** The rule of four eyes as it holds now, with the hash by which decisions name it; undefined if it requires nothing. */
export function heldRule(settings: Pick<Settings, 'requireApproval' | 'riskClasses'>): HeldRule | undefined {
  const { from, classes } = fourEyesRule(settings)
  if (Object.values(from).every((least) => least === undefined)) return undefined
  return {
    from,
    classes,
    hash: createHash('sha256')
      .update(canonical({ ...from, classes }))
      .digest('hex')
  }
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
