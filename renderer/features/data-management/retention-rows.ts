/** Connections for which retention days can be set: existing ones, and removed ones that still have records. */
import type { HistoryCounts } from '#contract/history/records.ts'
import { words } from './words.ts'

export interface RetentionRow {
  readonly id: string
  readonly name: string
  /** Explains why a removed connection is listed. */
  readonly help?: string
}

/**
 * @param present Existing connections, in order.
 * @param recorded Connections that records in the history refer to.
 * @param days Days by connection ID: those of a removed connection still apply to its records. `*` stands for all others.
 */
export function retentionRows(
  present: readonly { readonly id: string; readonly name: string }[],
  recorded: HistoryCounts['connections'],
  days: Readonly<Record<string, number>>
): RetentionRow[] {
  const known = new Set(present.map(({ id }) => id))
  const removed = recorded.filter(({ id }) => !known.has(id))
  const left = new Set([...known, ...removed.map(({ id }) => id)])
  return [
    ...present.map(({ id, name }) => ({ id, name })),
    ...removed.map(({ id, name, count }) => ({
      id,
      name,
      help: words.removedConnectionThisAppliesTo({ count })
    })),
    // A removed connection may have only batch rows left, and the rule applies to those too.
    ...Object.keys(days)
      .filter((id) => !left.has(id) && id !== '*')
      .map((id) => ({ id, name: words.removedConnection, help: words.noRecordsLeft }))
  ]
}
