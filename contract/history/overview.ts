/** The overview: figures of a period, and what waits now. All times are Unix milliseconds. */
import { z } from 'zod'
import type { BatchSummary } from '../batches/batches.ts'
import type { ConnectionMode } from '../connections/connection.ts'
import type { OperationId } from '../verification/operations.ts'
import type { Outcome, RecordState } from '../verification/outcomes.ts'

/** Maximum number of bars of a plot over time. */
export const maxBars = 400
/** Response times are counted in classes whose middle differs from every time in them by at most this share. */
export const timeTolerance = 0.01
/** Maximum number of batches listed. */
export const overviewRows = 10

const time = z.number().int().nonnegative().max(8.64e15)
const century = 100 * 366 * 86_400_000

/**
 * A period as the window divides it, which alone knows the user's time zone: local days are not always 24 hours long,
 * and not every zone is whole hours from UTC.
 */
export const overviewPeriodSchema = z
  .strictObject({
    /** The start of each bar and the end of the last, ascending. */
    edges: z
      .array(time)
      .min(2)
      .max(maxBars + 1),
    /** Minutes that local time is ahead of UTC, each from a time on, ascending; the first is in effect at the start. */
    offsets: z
      .array(z.strictObject({ from: time, minutes: z.number().int().min(-1440).max(1440) }))
      .min(1)
      .max(400)
  })
  .refine(({ edges }) => edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? 0)), 'edges ascend')
  .refine(
    ({ offsets }) => offsets.every(({ from }, index) => index === 0 || from > (offsets[index - 1]?.from ?? 0)),
    'offsets ascend'
  )
  .refine(({ edges, offsets }) => (offsets[0]?.from ?? 0) <= (edges[0] ?? 0), 'the first offset applies at the start')
  .refine(({ edges }) => (edges.at(-1) ?? 0) - (edges[0] ?? 0) <= century, 'at most a century')
export type OverviewPeriod = z.output<typeof overviewPeriodSchema>

/** Response times of answered verifications: nearest rank, within `timeTolerance`. Milliseconds. */
export interface ResponseTimes {
  readonly count: number
  readonly median: number
  readonly p95: number
}

export type StateCounts = Readonly<Partial<Record<RecordState, number>>>

/** Outcomes other than an answer: nothing that the service said about an applicant. */
export const failureOutcomes = ['invalid-response', 'not-sent', 'unknown'] as const satisfies readonly Outcome[]

export interface OverviewBar {
  readonly from: number
  readonly until: number
  readonly states: StateCounts
  /** Absent if no verification was answered. */
  readonly times?: ResponseTimes
}

export interface OverviewFigures {
  readonly kind: 'counted'
  /** Records that started in the period. */
  readonly total: number
  /** The earliest start in the whole history; absent if it is empty. */
  readonly firstAt?: number
  readonly states: StateCounts
  readonly statuses: Readonly<Record<string, number>>
  readonly times?: ResponseTimes
  readonly bars: readonly OverviewBar[]
  /** Operations with at least one record. */
  readonly operations: readonly { readonly id: OperationId; readonly count: number; readonly times?: ResponseTimes }[]
  /** Connections with at least one record, by ID, with the latest name. */
  readonly connections: readonly {
    readonly id: string
    readonly name: string
    readonly mode: ConnectionMode
    readonly count: number
    readonly states: StateCounts
  }[]
  /** Unknown outcomes of the period that nobody has resolved. */
  readonly unresolved: number
  /** Batches created in the period; `newest` are at most `overviewRows`. Absent for one connection. */
  readonly batches?: { readonly count: number; readonly newest: readonly BatchSummary[] }
}

/** Records are counted in memory, into which they are read after the history has been opened. */
export type Overview = OverviewFigures | { readonly kind: 'counting'; readonly counted: number; readonly of: number }

/** The limits of ages, in milliseconds: younger than an hour, a day, a week, 30 days, and older. */
export const ageLimits = [3_600_000, 86_400_000, 7 * 86_400_000, 30 * 86_400_000] as const

/** Unknown outcomes that have waited since a time; the youngest have no end, the oldest no start. */
export interface AgeClass {
  readonly from?: number
  readonly until?: number
  readonly unresolved: number
}

/** Unknown outcomes that nobody has resolved, by age, youngest first. */
export interface OverviewWaiting {
  readonly ages: readonly AgeClass[]
}
