/** How a pack's verification ends at the first error. */
import type { EvidenceFinding } from '#contract/evidence/evidence.ts'
import { evidenceFindings } from '#contract/evidence/findings.ts'
import type { EvidenceFindingCode, EvidenceFindingDetails } from '#contract/failures/failures.ts'

/** Thrown at the first error; caught where the verification began. */
export class Refusal extends Error {
  readonly finding: EvidenceFinding
  constructor(finding: EvidenceFinding) {
    super(finding.what)
    this.finding = finding
  }
}

/** The details that a code needs, as arguments: none if its sentence names none. */
type DetailsOf<Code extends EvidenceFindingCode> = keyof EvidenceFindingDetails<Code> extends never
  ? []
  : [details: EvidenceFindingDetails<Code>]

/** What a check of a pack found, as data. */
export function finding<Code extends EvidenceFindingCode>(code: Code, ...[details]: DetailsOf<Code>): EvidenceFinding {
  const [what, outcome] = evidenceFindings[code]
  return {
    what,
    passed: outcome !== 'refused',
    ...(outcome === 'warning' && { warning: true }),
    code,
    ...(details && { details })
  } as EvidenceFinding
}

/** Throws a `Refusal` with a finding as data if a condition does not hold. */
export function demand<Code extends EvidenceFindingCode>(
  holds: boolean,
  code: Code,
  ...details: DetailsOf<Code>
): asserts holds {
  if (!holds) throw new Refusal(finding(code, ...details))
}
