/** Which decisions about an applicant stand when several installations decided. Pure. */
import type { Decision } from '#contract/applicants/applicants.ts'
import type { NamedDecision, OwnDecision } from '#wire/history/applicants.ts'

/** What became of a decision that needs a second person, once one has answered. */
interface Answered {
  readonly agrees: boolean
  /** Newer evidence is known than what its last request names. */
  readonly outdated: boolean
}
/** By the name of the decision (`decisionName`). */
export type Answers = ReadonlyMap<string, Answered>
export const decisionName = (installation: string, seq: number): string => `${installation} ${seq}`

/** A decision with what became of it, if it needs a second person. */
export function answered<T extends { readonly proposed?: true }>(
  made: T,
  [installation, seq]: readonly [string, number],
  answers: Answers
): T & { readonly agrees?: boolean; readonly outdated?: true } {
  const second = made.proposed && answers.get(decisionName(installation, seq))
  return second ? { ...made, agrees: second.agrees, ...(second.outdated && { outdated: true as const }) } : made
}

/** A decision of any installation. */
export interface KnownDecision extends Omit<OwnDecision, 'operator'> {
  readonly installation: string
  readonly operator?: string | undefined
  /** What a second person said of it; undefined if nobody was asked to, or has answered. */
  readonly agrees?: boolean
  readonly outdated?: true
}
/** Until a second person agrees, it is no decision. */
const isProposal = ({ proposed, agrees }: KnownDecision): boolean => proposed === true && agrees !== true

/** The strictest first: it counts while decisions differ. */
const strictness: readonly Decision[] = ['decline', 'escalate', 'approve']

/**
 * The decisions that no other one replaces, the strictest first. A later one of the same installation replaces, and one that
 * names it and is no proposal; never a clock. What was replaced stays so, whatever happens to the decision that replaced it.
 *
 * A hash covers the decisions that are named, so no decision can name one that was made after it, and there are no cycles.
 */
export function standingOf(decisions: readonly KnownDecision[]): readonly KnownDecision[] {
  const last = new Map<string, KnownDecision>()
  const named = new Set<string>()
  for (const each of decisions) {
    const { installation, seq, supersedes } = each
    if (seq >= (last.get(installation)?.seq ?? 0)) last.set(installation, each)
    if (isProposal(each)) continue
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

/** Whether the decisions that stand differ; a proposal is none. */
export const isConflict = (standing: readonly KnownDecision[]): boolean =>
  new Set(standing.flatMap((each) => (isProposal(each) ? [] : [each.decision]))).size > 1

/** What a decision of somebody who knows it names. */
export const nameOf = ({ installation, seq, hash }: KnownDecision): NamedDecision => [installation, seq, hash]
const textOf = ([installation, seq, hash]: NamedDecision): string => `${installation} ${seq} ${hash}`
