/** When the exchange looks again. Pure: the random number (0 to 1) is given. */
import type { Failure, FailureCode } from '#contract/failures/failures.ts'

/** Milliseconds between two looks at the heads: while something happens, and otherwise. */
export const pollRule = { active: 2000, idle: 30_000, activeFor: 60_000 } as const
/** Milliseconds between two looks at whether the database still has all that it was given. */
export const thoroughEvery = 10 * 60_000
/** Milliseconds before a new connection: doubled with each failure, and short enough that one succeeds within 10 s of the database's return. */
export const retryRule = { first: 500, longest: 8000 } as const

/** Between 80 % and 120 %, so that two hundred installations do not ask at one moment. */
export const pollAfter = (isActive: boolean, random: number): number =>
  Math.round((isActive ? pollRule.active : pollRule.idle) * (0.8 + 0.4 * random))

/** Between half and all of it, for the same reason. @param failures In a row, from 1. */
export const retryAfter = (failures: number, random: number): number =>
  Math.round(Math.min(retryRule.longest, retryRule.first * 2 ** (Math.min(failures, 10) - 1)) * (0.5 + 0.5 * random))

/** What passes by itself: the database is away, or somebody else's turn has not come. */
const passing: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'team-database-unreachable',
  'team-database-standby',
  'team-database-unable',
  'team-database-ended',
  'team-database-silent',
  'team-database-lost',
  'team-database-full',
  'team-database-refused',
  'team-answer-unusable',
  'team-roster-overtaken'
])
/** What somebody else may end at any time: a supervisor admits, an administrator gives access, a disk gets space. */
const awaited: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'team-change-refused',
  'team-member-missing',
  'team-sign-in-refused',
  'team-schema-missing',
  'team-schema-partial',
  'team-schema-other',
  'team-store-unusable',
  'history-unavailable'
])
/** Milliseconds before what needs somebody is tried again without being asked: a keychain may ask its user each time. */
export const personRule = { awaited: 30_000, other: 10 * 60_000 } as const

/** Whether a failure ends without anybody's help. */
export const isPassing = ({ code }: Failure): boolean => passing.has(code)

/** The pause after a failure. @param failures In a row, from 1. */
export function pauseAfter(why: Failure, failures: number, random: number): number {
  if (isPassing(why) || why.code === 'internal') return retryAfter(failures, random)
  return awaited.has(why.code) ? personRule.awaited : personRule.other
}
