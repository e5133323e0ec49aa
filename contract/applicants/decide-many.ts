/**
 * One decision about many applicants. A sample of them, drawn with a seed, is reviewed first; each applicant gets a decision
 * of its own, which names the set. All of it is local.
 */
import { z } from 'zod'
import {
  applicantIdSchema,
  decidedSetSchema,
  decisionDraftSchema,
  maxApplicantsAtOnce,
  type ReadingMeaning
} from './applicants.ts'
import type { OperationId } from '../verification/operations.ts'

/**
 * Why an applicant is left out. `decided`: a decision stands. `proposed`: a second person has not answered yet. `returned`: one did not agree. `challenged`: the applicant challenged the decision. `no-evidence`: no verification says anything yet. `unresolved`:
 * an unknown outcome is not resolved. `unfavourable`, `unclear`, `unreviewed`: the gravest interpretation of the standing answers
 * (standing.ts), for an approval, as are `unanswered`: the newest verification of an operation ended without an answer that says
 * anything, and `expired`: a date of the newest details has passed. `differs`: a value of the
 * newest details is not what earlier ones said (comparison.ts). `tagged`: has a tag whose applicants are decided one by one. `held`: under a legal hold. `claimed`: a colleague works on it. `colleague-decided`: a colleague's decision stands that nobody here has replaced. `changed`: evidence that nobody has been shown.
 */
export const leftOutReasons = [
  'missing',
  'decided',
  'proposed',
  'returned',
  'challenged',
  'no-evidence',
  'held',
  'claimed',
  'colleague-decided',
  'unresolved',
  'tagged',
  'differs',
  'changed',
  'unfavourable',
  'unclear',
  'unreviewed',
  'unanswered',
  'expired'
] as const
export type LeftOutReason = (typeof leftOutReasons)[number]
export interface LeftOut {
  readonly applicantId: string
  readonly why: LeftOutReason
  /** The tag, of one that is `tagged`, as the organisation lists it. */
  readonly tag?: string
}

export const decisionSetQuerySchema = z.strictObject({
  applicantIds: z.array(applicantIdSchema).min(1).max(maxApplicantsAtOnce),
  decision: decisionDraftSchema.shape.decision,
  share: decidedSetSchema.shape.share,
  /** Draws the same sample again; a new one if absent. */
  seed: decidedSetSchema.shape.seed.optional()
})

/** A message of the newest answers of a set, and how many applicants have it. */
export interface SetMessage {
  readonly operation: OperationId
  readonly message: string
  readonly reading?: ReadingMeaning
  readonly count: number
}
/** An applicant of a set, with the last event of the evidence. */
export interface SetApplicant {
  readonly applicantId: string
  readonly evidence: number
}
/** Who would be decided. */
export interface DecisionSet {
  readonly seed: string
  readonly applicants: readonly SetApplicant[]
  readonly leftOut: readonly LeftOut[]
  /** Those of the set about whom a colleague has noted something since the newest answer. */
  readonly noted: readonly string[]
  /** The most frequent first. */
  readonly messages: readonly SetMessage[]
  /** Those that are reviewed first. */
  readonly sample: readonly string[]
}

export const manyDecisionsSchema = z.strictObject({
  set: decidedSetSchema.omit({ size: true }),
  /** All of the set, as they were shown. Those of the sample are decided already, one by one. */
  applicants: z
    .array(z.strictObject({ applicantId: applicantIdSchema, evidence: z.int().nonnegative() }))
    .min(1)
    .max(maxApplicantsAtOnce),
  ...decisionDraftSchema.pick({ decision: true, reasons: true, note: true }).shape
})
export type ManyDecisions = z.output<typeof manyDecisionsSchema>
export interface ManyDecided {
  readonly decided: number
  /** Of those, how many are proposed: a second person must agree. */
  readonly proposed: number
  /** Left out by themselves since the set was shown. */
  readonly leftOut: readonly LeftOut[]
}

/** Applicants of the smallest sample, where there are as many. */
export const leastSample = 5
/** How many applicants of a set are reviewed first: the share rounded up, and at least five. */
export const sampleSize = (size: number, share: number): number =>
  share === 0 ? 0 : Math.min(size, Math.max(leastSample, Math.ceil((size * share) / 100)))
