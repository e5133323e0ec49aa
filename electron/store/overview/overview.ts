/** The figures of the overview, counted on the columns (docs/decisions/0013-overview.md says why not in tables). */
import {
  ageLimits,
  overviewRows,
  type AgeClass,
  type Overview,
  type OverviewFigures,
  type OverviewPeriod,
  type OverviewWaiting,
  type StateCounts
} from '#contract/history/overview.ts'
import { reviewEdges, type ReviewFigures, type ReviewsDone } from '#contract/applicants/reviews.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { MonthCounts } from '#contract/overview/report.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { BatchReader } from '../batches/reader.ts'
import { isUnresolved, startOf, states, type RecordColumns } from '../projections/columns.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { responseTimes, timeClasses } from '../projections/response-times.ts'
import { stateCount, tallyPeriod, type PeriodTally } from './tally.ts'

/** From one class to the next: of each, only what is overdue is read. */
const overdueByRisk = `
  WITH RECURSIVE class(risk) AS (
    SELECT min(risk) FROM applicant WHERE risk IS NOT NULL
    UNION ALL SELECT (SELECT min(risk) FROM applicant WHERE risk > class.risk) FROM class WHERE class.risk IS NOT NULL
  ), overdue AS (
    SELECT risk, (SELECT count(*) FROM applicant WHERE applicant.risk = class.risk AND review_at < $today) AS count
    FROM class WHERE risk IS NOT NULL
  )
  SELECT risk, count FROM overdue WHERE count > 0 ORDER BY risk`

export interface OverviewParts {
  readonly history: Db
  readonly columns: RecordColumns
  readonly dictionary: Dictionary
  readonly batches: BatchReader
}

/** Counts by state at a position; only those that are not zero. */
const statesAt = (counts: Uint32Array, at: number): StateCounts =>
  Object.fromEntries(states.flatMap((state, code) => (counts[at + code] ? [[state, counts[at + code]]] : [])))

const countOf = (counts: StateCounts): number => Object.values(counts).reduce((total, count) => total + count, 0)

const sum = (all: readonly StateCounts[]): StateCounts =>
  Object.fromEntries(
    states.flatMap((state) => {
      const count = all.reduce((total, each) => total + (each[state] ?? 0), 0)
      return count > 0 ? [[state, count]] : []
    })
  )

export class OverviewReader {
  private readonly parts: OverviewParts

  constructor(parts: OverviewParts) {
    this.parts = parts
  }

  private get counting(): Extract<Overview, { readonly kind: 'counting' }> | undefined {
    const { columns } = this.parts
    return columns.isWhole ? undefined : { kind: 'counting', counted: columns.counted, of: columns.last }
  }

  show(period: OverviewPeriod, connection?: string): Overview {
    const { columns, dictionary, batches } = this.parts
    const counting = this.counting
    if (counting) return counting
    const highest = {
      operation: Math.max(0, ...dictionary.operationNames.keys()),
      connection: Math.max(0, ...dictionary.connections.keys())
    }
    const tally = tallyPeriod(
      columns.all(),
      period,
      highest,
      connection === undefined ? undefined : this.refsOf(connection)
    )
    const { edges } = period
    const bars = edges.slice(1).map((until, index) => {
      const times = responseTimes(tally.barTimes, index * timeClasses)
      return {
        from: edges[index] ?? 0,
        until,
        states: statesAt(tally.bars, index * stateCount),
        ...(times && { times })
      }
    })
    const times = responseTimes(allTimes(tally.operationTimes))
    return {
      kind: 'counted',
      total: bars.reduce((total, bar) => total + countOf(bar.states), 0),
      ...(Number.isFinite(tally.firstAt) && { firstAt: tally.firstAt }),
      states: sum(bars.map((bar) => bar.states)),
      statuses: this.statuses(tally),
      ...(times && { times }),
      bars,
      operations: this.operations(tally),
      connections: this.connections(tally),
      unresolved: tally.unresolved,
      ...(connection === undefined && {
        batches: batches.createdIn(edges[0] ?? 0, edges.at(-1) ?? 0, overviewRows)
      })
    }
  }

  /** 1 at each number of a connection. */
  private refsOf(connection: string): Uint8Array {
    const refs = new Uint8Array(65_536)
    for (const ref of this.parts.dictionary.connectionRefs(connection)) refs[ref] = 1
    return refs
  }

  private statuses({ status }: PeriodTally): Record<string, number> {
    const statuses: Record<string, number> = {}
    status.forEach((count, code) => {
      if (code > 0 && count > 0) statuses[code] = count
    })
    return statuses
  }

  private operations({ operations, operationTimes }: PeriodTally): OverviewFigures['operations'] {
    return [...this.parts.dictionary.operationNames].flatMap(([ref, id]) => {
      const count = operations[ref] ?? 0
      const times = responseTimes(operationTimes, ref * timeClasses)
      return count > 0 ? [{ id: id as OperationId, count, ...(times && { times }) }] : []
    })
  }

  private connections({ connections }: PeriodTally): OverviewFigures['connections'] {
    // Later snapshots have higher numbers, so the latest name wins.
    const found = new Map<string, OverviewFigures['connections'][number]>()
    for (const [ref, { id, name, mode }] of this.parts.dictionary.connections) {
      const counts = sum([found.get(id)?.states ?? {}, statesAt(connections, ref * stateCount)])
      found.set(id, { id, name, mode, states: counts, count: countOf(counts) })
    }
    return [...found.values()].filter(({ count }) => count > 0)
  }

  /** What the monthly report says beyond the figures. */
  month(from: number, until: number): Omit<MonthCounts, 'holds' | 'head'> {
    const { history } = this.parts
    const count = (condition: string): number =>
      history
        .prepare(`SELECT count(*) FROM event WHERE ${condition} AND ${inAuditTrail} AND at >= ? AND at < ?`)
        .pluck()
        .get(from, until) as number
    const messages = history
      .prepare(
        'SELECT count(*) AS newMessages, coalesce(sum(reading IS NULL), 0) AS unreviewed FROM message WHERE first_at >= ? AND first_at < ?'
      )
      .get(from, until) as Pick<MonthCounts, 'newMessages' | 'unreviewed'>
    return {
      approved: count(
        `kind = 'approval.received' AND json_extract(plain, '$.agrees') AND json_extract(plain, '$.void') IS NULL`
      ),
      ...messages,
      ...this.reviewed(from, until),
      erasures: count(`kind = 'subject.erased' AND plain ->> 'cause' IS NOT 'restore'`)
    }
  }

  /** Periodic reviews that were done in a period, by an index: on time until the end of the day, where it was done. */
  reviewed(from: number, until: number): ReviewsDone {
    return this.parts.history
      .prepare(
        `SELECT count(*) AS done, count(due) AS scheduled,
           coalesce(sum("on" <= due), 0) AS onTime
         FROM (SELECT json_extract(plain, '$.due') AS due, json_extract(plain, '$.on') AS "on" FROM event WHERE kind = 'review.recorded' AND at >= ? AND at < ?)`
      )
      .get(from, until) as ReviewsDone
  }

  /** Periodic reviews at a time, each counted by an index. */
  reviews(now: number): ReviewFigures {
    const { history } = this.parts
    const { today, after30, after90 } = reviewEdges(now)
    const count = (condition: string, ...days: string[]): number =>
      history
        .prepare(`SELECT count(*) FROM applicant WHERE ${condition}`)
        .pluck()
        .get(...days) as number
    return {
      overdue: history.prepare(overdueByRisk).all({ today }) as ReviewFigures['overdue'],
      in30: count('review_at >= ? AND review_at < ?', today, after30),
      in90: count('review_at >= ? AND review_at < ?', after30, after90),
      unrated: count('risk IS NULL AND coalesce(relationship, 0) = 0'),
      expired: count('expires < ?', today)
    }
  }

  /** What waits for a resolution now. All records must have been read. */
  waiting(now: number): OverviewWaiting {
    const limits = ageLimits.map((age) => Math.max(0, now - age))
    const columns = this.parts.columns.all()
    const counts = [...limits, 0].map(() => 0)
    for (let seq = 1; columns.unresolved > 0 && seq <= columns.last; seq += 1) {
      if (!isUnresolved(columns, seq)) continue
      const age = limits.findIndex((limit) => startOf(columns, seq) >= limit)
      const at = age < 0 ? limits.length : age
      counts[at] = (counts[at] ?? 0) + 1
    }
    const ages = counts.map((unresolved, index): AgeClass => {
      const [from, until] = [limits[index], limits[index - 1]]
      return { ...(from !== undefined && { from }), ...(until !== undefined && { until }), unresolved }
    })
    return { ages }
  }
}

/** The counts of all operations together. */
function allTimes(operationTimes: Uint32Array): Uint32Array {
  const all = new Uint32Array(timeClasses)
  operationTimes.forEach((count, at) => {
    if (count > 0) all[at % timeClasses] = (all[at % timeClasses] ?? 0) + count
  })
  return all
}
