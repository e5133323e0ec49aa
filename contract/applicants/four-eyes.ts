/** Four eyes: which decisions are proposals until a second person agrees. */
import { z } from 'zod'
import { riskCodeSchema, type RiskClass } from './risk.ts'

/** Decisions that can need a second person; who escalates hands a case on anyway. */
export const approvableDecisions = ['approve', 'decline'] as const
export type ApprovableDecision = (typeof approvableDecisions)[number]

/** For each decision the risk class from which it needs a second person; one that is absent never does. */
export const requireApprovalSchema = z.strictObject({
  approve: riskCodeSchema.optional(),
  decline: riskCodeSchema.optional()
})
export type RequireApproval = z.output<typeof requireApprovalSchema>

/** The rule as it holds when somebody decides. */
export interface FourEyesRule {
  readonly from: RequireApproval
  /** Codes of the risk classes, from the lowest to the highest. */
  readonly classes: readonly string[]
}

/** The rule of some settings. */
export const fourEyesRule = ({
  requireApproval: from,
  riskClasses
}: {
  readonly requireApproval: RequireApproval
  readonly riskClasses: readonly Pick<RiskClass, 'code'>[]
}): FourEyesRule => ({ from, classes: riskClasses.map(({ code }) => code) })

/**
 * Whether a decision about an applicant of a class needs a second person. Who has no class, or one that is not listed any more, counts
 * as the highest; a rule from a class that is not listed any more holds for everybody.
 *
 * @param risk Code of the applicant's class.
 */
export function needsApproval(
  { from, classes }: FourEyesRule,
  decision: string,
  risk: string | null | undefined
): boolean {
  const least = from[decision as ApprovableDecision]
  if (least === undefined) return false
  const own = risk == null ? -1 : classes.indexOf(risk)
  return own < 0 || own >= classes.indexOf(least)
}
