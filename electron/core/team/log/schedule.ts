/** When the exchange looks again. Pure: the random number (0 to 1) is given. */

/** Milliseconds between two looks at the heads: while something happens, and otherwise. */
export const pollRule = { active: 2000, idle: 30_000, activeFor: 60_000 } as const
/** Milliseconds before a new connection: doubled with each failure, and short enough that one succeeds within 10 s of the database's return. */
export const retryRule = { first: 500, longest: 8000 } as const
/** A hint cannot make the exchange look more often. */
export const hintRest = 500

/** Between 80 % and 120 %, so that two hundred installations do not ask at one moment. */
export const pollAfter = (isActive: boolean, random: number): number => Math.round((isActive ? pollRule.active : pollRule.idle) * (0.8 + 0.4 * random))

/** Between half and all of it, for the same reason. @param failures In a row, from 1. */
export const retryAfter = (failures: number, random: number): number => Math.round(Math.min(retryRule.longest, retryRule.first * 2 ** (Math.min(failures, 10) - 1)) * (0.5 + 0.5 * random))
