/** How a check of a pack ends at the first thing that is wrong. */
import type { EvidenceFinding } from '#contract/evidence.ts'

/** Thrown at the first thing that is wrong; caught where the check began. */
export class Refusal extends Error {
  readonly finding: EvidenceFinding
  constructor(what: EvidenceFinding['what'], detail: string) {
    super(detail)
    this.finding = { what, passed: false, detail }
  }
}

/** Throws a `Refusal` where something does not hold. */
export function must(what: EvidenceFinding['what'], holds: boolean, detail: string): void {
  if (!holds) throw new Refusal(what, detail)
}
