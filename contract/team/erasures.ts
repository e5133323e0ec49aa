/** Who in a team has acknowledged an erasure. */

export const teamErasureStates = ['acknowledged', 'pending', 'removed'] as const

export interface TeamErasureAt {
  readonly installation: string
  readonly name: string
  /** `pending`: it has not said yet that the keys are gone there. `removed`: it was removed from the team before it did, and is not asked. */
  readonly state: (typeof teamErasureStates)[number]
  /** When it acknowledged, by its clock, in Unix milliseconds. */
  readonly at?: number
}

export interface TeamErasure {
  /** Whether the team knows of it: nothing leaves an installation that shares nothing. */
  readonly shared: boolean
  /** All others of the team. */
  readonly installations: readonly TeamErasureAt[]
}
