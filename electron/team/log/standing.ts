/** What follows from findings. Pure. */
import type { Failure, FailureCode } from '#contract/failures/failures.ts'
import { teamFindingKinds } from '#contract/team/activity.ts'

export interface Acknowledgement {
  /** The installation where it was acknowledged. */
  readonly by: string
  readonly operator: string
  /** By the clock of that installation. */
  readonly at: number
  readonly reason: string
}

/** A member who has not exchanged since a loss was acknowledged. */
export interface Awaited {
  readonly installation: string
  readonly by: string
  readonly seq: number
}

export interface Finding {
  readonly installation: string
  readonly failure: Failure
  readonly firstAt: number
  readonly lastAt: number
  readonly acknowledged?: Acknowledgement
}

/** What was given again is complete after the next exchange, and says nothing about rows of a batch. */
const harmless: readonly FailureCode[] = ['team-given-again']

/**
 * After these, the database may show others something else, or have lost which rows of a batch were sent. A batch that goes
 * on could send a row twice. A supervisor can end all of them but the last: an installation that was restored needs another number.
 */
const holding: ReadonlySet<FailureCode> = new Set<FailureCode>([
  ...teamFindingKinds.filter((kind) => !harmless.includes(kind)),
  'team-installation-restored'
])

/**
 * Of these, the ones that stay although the database shows what it should again: what was signed stays signed, and events
 * that a database lost are sent again within seconds, but not what else it lost.
 */
const lasting: readonly FailureCode[] = [
  'team-events-forked',
  'team-views-differ',
  'team-events-rolled-back',
  'team-given-again',
  'team-intents-lost',
  'team-row-sent-twice'
]
export const isLasting = (code: FailureCode): boolean => lasting.includes(code)

/** Whether shared batches wait for it. */
export const holdsSharedWork = ({ failure, acknowledged }: Finding): boolean =>
  holding.has(failure.code) && acknowledged === undefined

/** Whether work on shared batches must wait. */
export const isSharedWorkOnHold = (findings: readonly Finding[]): boolean => findings.some(holdsSharedWork)

/** Whether a supervisor has dealt with what is wrong now: with this, or with something that was worse. */
export const isCovered = (findings: readonly Finding[], now: Failure): boolean =>
  findings.some(
    ({ failure, acknowledged }) => acknowledged !== undefined && failure.code === now.code && !isWorse(failure, now)
  )

/** Whether something is wrong now that was not before. Events that are there again make nothing worse. */
export function isWorse(before: Failure, now: Failure): boolean {
  const [had, has] = [countsOf(before), countsOf(now)]
  return had && has
    ? had.other !== has.other || has.found < had.found || has.expected > had.expected
    : JSON.stringify(before) !== JSON.stringify(now)
}

/** Of events that are missing. */
function countsOf({
  details
}: Failure): { readonly found: number; readonly expected: number; readonly other: unknown } | undefined {
  const { found, expected, other } = (details ?? {}) as {
    readonly found?: unknown
    readonly expected?: unknown
    readonly other?: unknown
  }
  return typeof found === 'number' && typeof expected === 'number' ? { found, expected, other } : undefined
}
