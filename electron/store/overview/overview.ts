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
import type { OperationId } from '#contract/verification/operations.ts'
import type { WorkQueue } from '../applicants/queue.ts'
import type { BatchReader } from '../batches/reader.ts'
import { states, type RecordColumns } from '../projections/columns.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { responseTimes, timeClasses } from '../projections/response-times.ts'
import { busiestHours, stateCount, tallyPeriod, type PeriodTally } from './tally.ts'

export interface OverviewParts {
  readonly columns: RecordColumns
  readonly dictionary: Dictionary
  readonly batches: BatchReader
  readonly queue: WorkQueue
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

  show(period: OverviewPeriod): Overview {
    const { columns, dictionary, batches } = this.parts
    const counting = this.counting
    if (counting) return counting
    const highest = {
      operation: Math.max(0, ...dictionary.operationNames.keys()),
      connection: Math.max(0, ...dictionary.connections.keys())
    }
    const tally = tallyPeriod(columns.all(), period, highest)
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
      busiest: busiestHours(tally, overviewRows),
      unresolved: tally.unresolved,
      batches: batches.createdIn(edges[0] ?? 0, edges.at(-1) ?? 0, overviewRows)
    }
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

  /** All records must have been read. */
  waiting(now: number): OverviewWaiting {
    const limits = ageLimits.map((age) => Math.max(0, now - age))
    const ages = this.parts.queue.byAge(limits).map((counts, index): AgeClass => {
      const [from, until] = [limits[index], limits[index - 1]]
      return { ...(from !== undefined && { from }), ...(until !== undefined && { until }), counts }
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
