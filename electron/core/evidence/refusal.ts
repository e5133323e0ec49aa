/** How a pack's verification ends at the first error. */
import type { EvidenceFinding } from '#contract/evidence.ts'

/** Thrown at the first error; caught where the verification began. */
export class Refusal extends Error {
  readonly finding: EvidenceFinding
  constructor(what: EvidenceFinding['what'], detail: string) {
    super(detail)
    this.finding = { what, passed: false, detail }
  }
}

/** Throws a `Refusal` if a condition does not hold. */
export function must(what: EvidenceFinding['what'], holds: boolean, detail: string): void {
  if (!holds) throw new Refusal(what, detail)
}
