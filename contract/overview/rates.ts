/** What was looked at before decisions, as shares of them with their uncertainty: see decision 43. Pure. */
import type { DecidedSet } from '../applicants/applicants.ts'
import type { Seen } from '../applicants/seen.ts'

/** Part of a number of decisions, which is never 0. */
export interface Rate {
  readonly part: number
  readonly of: number
}
/** Of decisions that state what was seen. A rate is absent if it would be of too few. */
export interface LookedRates {
  /** With documents: none of them was opened. */
  readonly unopened?: Rate
  /** With answers: one of the newest was not in sight. */
  readonly unshown?: Rate
}
/** The same of one person: a rate is of at least as many decisions, all of them this person's. */
export interface PersonLooked extends LookedRates {
  readonly name: string
}
/** A rate is of at least so many decisions by so many people, none of whom made more than half, so that it is no rate of one of them. */
export const fewestLooked = { decisions: 30, people: 3 } as const

/**
 * What is counted of one decision. Of many that were decided together nobody looks at each, so they are in no rate, unless all of them were
 * its sample.
 */
export const lookedOf = (
  seen: Seen | undefined,
  set: Pick<DecidedSet, 'share'> | undefined
): Readonly<Record<keyof LookedRates, 'yes' | 'no' | undefined>> => {
  const of = ([, all]: readonly [number, number], isMissed: boolean): 'yes' | 'no' | undefined =>
    all === 0 ? undefined : isMissed ? 'yes' : 'no'
  if (!seen || (set && set.share < 100)) return { unopened: undefined, unshown: undefined }
  const { answers, documents } = seen
  return { unopened: of(documents, documents[0] === 0), unshown: of(answers, answers[0] < answers[1]) }
}

const z = 1.959964
/**
 * The 95 % interval of a share by E. B. Wilson (1927), both ends from 0 to 1: it holds for small numbers and for shares near 0 and 1.
 *
 * @see Brown, Cai, DasGupta: Interval Estimation for a Binomial Proportion, Statistical Science 16 (2001)
 */
export function interval95({ part, of }: Rate): readonly [low: number, high: number] {
  const share = part / of
  const weight = 1 + z ** 2 / of
  const middle = (share + z ** 2 / (2 * of)) / weight
  const half = (z / weight) * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  return [Math.max(0, middle - half), Math.min(1, middle + half)]
}
