/** Which decisions about an applicant stand when several installations decided. Pure. */
import type { Decision } from '#contract/applicants/applicants.ts'
import type { NamedDecision, OwnDecision } from '#wire/history/applicants.ts'

/** A decision of any installation. */
export interface KnownDecision extends Omit<OwnDecision, 'operator'> {
  readonly installation: string
  readonly operator?: string | undefined
}

/** The strictest first: it counts while decisions differ. */
const strictness: readonly Decision[] = ['decline', 'escalate', 'approve']

/**
 * The decisions that no other one replaces, the strictest first. A later one of the same installation replaces, and one that
 * names it; never a clock. What was replaced stays so, whatever happens to the decision that replaced it.
 *
 * A hash covers the decisions that are named, so no decision can name one that was made after it, and there are no cycles.
 */
export function standingOf(decisions: readonly KnownDecision[]): readonly KnownDecision[] {
  const last = new Map<string, KnownDecision>()
  const named = new Set<string>()
  for (const each of decisions) {
    const { installation, seq, supersedes } = each
    if (seq >= (last.get(installation)?.seq ?? 0)) last.set(installation, each)
    // Those of its own installation are in the order of its chain.
    for (const one of supersedes) if (one[0] !== installation) named.add(textOf(one))
  }
  return [...last.values()]
    .filter((each) => !named.has(textOf(nameOf(each))))
    .sort(
      (a, b) =>
        strictness.indexOf(a.decision) - strictness.indexOf(b.decision) ||
        b.at - a.at ||
        (a.installation < b.installation ? -1 : 1)
    )
}

/** Whether the decisions that stand differ. */
export const isConflict = (standing: readonly KnownDecision[]): boolean =>
  new Set(standing.map(({ decision }) => decision)).size > 1

/** What a decision of somebody who knows it names. */
export const nameOf = ({ installation, seq, hash }: KnownDecision): NamedDecision => [installation, seq, hash]
const textOf = ([installation, seq, hash]: NamedDecision): string => `${installation} ${seq} ${hash}`
