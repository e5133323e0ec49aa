/**
 * The operations of a row, of a batch with several: those that ended in a known way are kept here, in their places. The one
 * that is in progress, or whose outcome is unknown, is the row's own: the first that is not here.
 */
import type { OperationId } from '#contract/verification/operations.ts'
import type { RowState } from '#contract/batches/rows.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { codeOfRow, rowStateOf } from './codes.ts'

export interface EndedCall {
  /** The place of its operation, from 0. */
  readonly call: number
  /** The code of its state. */
  readonly state: number
  readonly record: number | null
  readonly status: number | null
}

const [waiting, open, invalidResponse, notSent, answered, recentlyAnswered] = (
  ['waiting', 'open', 'invalid-response', 'not-sent', 'answered', 'recently-answered'] as const
).map(codeOfRow) as [number, number, number, number, number, number]

export class Calls {
  private readonly ended
  private readonly endedBetween
  private readonly insert

  constructor(db: Db) {
    const select = `SELECT c.row, c.call, c.state, c.record, h.status FROM batch_call c LEFT JOIN record h ON h.seq = c.record
      WHERE c.batch = ?`
    this.ended = db.prepare(`${select} AND c.row = ? ORDER BY c.call`)
    this.endedBetween = db.prepare(`${select} AND c.row BETWEEN ? AND ? ORDER BY c.row, c.call`)
    this.insert = db.prepare('INSERT INTO batch_call VALUES (?, ?, ?, ?, ?)')
  }

  /** Those of a row that have ended; a batch with one operation keeps none. */
  of(batch: number, row: number, operations: readonly OperationId[]): readonly EndedCall[] {
    return operations.length === 1 ? [] : (this.ended.all(batch, row) as EndedCall[])
  }

  /** Those of the rows from one number to another. */
  between(batch: number, from: number, to: number): (row: number) => readonly EndedCall[] {
    const all = this.endedBetween.all(batch, from, to) as (EndedCall & { readonly row: number })[]
    const found = Map.groupBy(all, ({ row }) => row)
    return (row) => found.get(row) ?? []
  }

  end(batch: number, row: number, call: number, state: number, record: number | null): void {
    this.insert.run(batch, row, call, state, record)
  }
}

/** The operations that a row has left, in order. */
export const leftOf = (operations: readonly OperationId[], ended: readonly EndedCall[]): readonly OperationId[] =>
  ended.length === 0 ? operations : operations.filter((_, at) => ended.every(({ call }) => call !== at))

/**
 * The state of a row by its operations, and the record that tells it: the first that applies of invalid response, not sent,
 * answered, recently answered. `stoppedBy`: what kept the rest from being sent.
 */
export function rowOf(
  ended: readonly EndedCall[],
  stoppedBy: EndedCall | undefined
): { readonly state: number; readonly record: number | null } {
  const last = (state: number): EndedCall | undefined => ended.findLast((each) => each.state === state)
  const bad = last(invalidResponse)
  if (bad) return bad
  if (stoppedBy) return { state: notSent, record: stoppedBy.record }
  const isFine = ({ status }: EndedCall): boolean => status !== null && status >= 200 && status <= 299
  return (
    last(notSent) ??
    ended.find((each) => each.state === answered && !isFine(each)) ??
    last(answered) ?? { state: recentlyAnswered, record: null }
  )
}

/** Each operation of a row in order, with its state and record. */
export function callsOf(
  operations: readonly OperationId[],
  ended: readonly EndedCall[],
  row: { readonly state: number; readonly record: number | null }
): readonly { readonly operation: OperationId; readonly state: RowState; readonly record: number | null }[] {
  const current = operations.findIndex((_, at) => ended.every(({ call }) => call !== at))
  const { state } = rowStateOf(row.state) ?? { state: 'unknown' as const }
  const isUnderway = state === 'open' || state === 'unknown'
  const wasSent = isUnderway || ended.length > 0
  return operations.map((operation, at) => {
    const known = ended.find(({ call }) => call === at)
    if (known) return { operation, state: rowStateOf(known.state)?.state ?? 'unknown', record: known.record }
    if (isUnderway && at === current) return { operation, state, record: row.record }
    const isDue = row.state === waiting || row.state === open
    return { operation, state: isDue ? 'waiting' : wasSent ? 'not-sent' : state, record: null }
  })
}
