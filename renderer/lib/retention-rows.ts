/** Connections that the days of retention can be set for: those that are there, and removed ones whose records are. */
import type { HistoryCounts } from '#contract/records.ts'
import { plural } from './text.ts'

export interface RetentionRow {
  readonly id: string
  readonly name: string
  /** Why a connection stands here that the list of connections no longer has. */
  readonly help?: string
}

/**
 * @param present Connections as they are, in their order.
 * @param recorded Connections that the history's records name.
 * @param days Days by connection id: a removed connection's go on holding for its records.
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
    ...removed.map(({ id, name, count }) => ({ id, name, help: `Removed connection. This applies to its ${plural(count, 'record')}.` })),
    // Nothing but rows of a batch may be left of it, and those fall under the rule as well.
    ...Object.keys(days)
      .filter((id) => !left.has(id))
      .map((id) => ({ id, name: 'Removed connection', help: 'No records left.' }))
  ]
}
