/** Applicants in the orders of their list, from a position on: read in blocks by an index, or sorted if they are few. */
import { applicantStates, type ApplicantCursor, type ApplicantOrder } from '#contract/applicants/applicants.ts'
import type { ApplicantProjection, ApplicantRow } from '../projections/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { ApplicantIds } from './ids.ts'
import type { Streams } from './streams.ts'

/** An applicant in a list, with what it is sorted by. */
export interface Listed {
  readonly row: Pick<ApplicantRow, 'subject' | 'state' | 'last_at' | 'due'>
  readonly id: string
}

const block = 256
const latest: ApplicantCursor = { at: Number.MAX_SAFE_INTEGER, ref: Number.MAX_SAFE_INTEGER }
const states = applicantStates.map((_, code) => code)

const byActivity = ({ row: a }: Listed, { row: b }: Listed): number => b.last_at - a.last_at || b.subject - a.subject
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Compares two applicants in an order. */
export function compareListed({ by, reversed = false }: ApplicantOrder): (a: Listed, b: Listed) => number {
  const way = reversed ? -1 : 1
  switch (by) {
    case 'activity':
      return (a, b) => way * byActivity(a, b)
    case 'applicant':
      return (a, b) => way * compareTexts(a.id, b.id)
    case 'state':
      return (a, b) => way * (a.row.state - b.row.state) || byActivity(a, b)
    case 'due':
      return (a, b) => {
        const [one, other] = [a.row.due, b.row.due]
        if (one === null || other === null) return Number(one === null) - Number(other === null) || byActivity(a, b)
        return way * (one - other || a.row.subject - b.row.subject)
      }
  }
}

/** The position after an applicant. */
export function cursorAfter({ by }: ApplicantOrder, { row, id }: Listed): ApplicantCursor {
  const activity = { at: row.last_at, ref: row.subject }
  if (by === 'applicant') return { ...activity, id }
  if (by === 'state') return { ...activity, part: row.state }
  if (by === 'due') return row.due === null ? { ...activity, part: 1 } : { at: row.due, ref: row.subject, part: 0 }
  return activity
}

/** Whether an applicant follows a position. */
export function isAfter(
  order: ApplicantOrder,
  listed: Listed,
  { at, ref, id = '', part = 0 }: ApplicantCursor
): boolean {
  const due = order.by === 'due' && part === 0 ? at : null
  return compareListed(order)({ row: { subject: ref, state: part, last_at: at, due }, id }, listed) < 0
}

export class ApplicantOrders {
  private readonly streams: Streams
  private readonly projection: ApplicantProjection
  private readonly earliest
  private readonly dues
  private readonly ids: ApplicantIds

  constructor(history: Db, ids: ApplicantIds, streams: Streams, projection: ApplicantProjection) {
    this.ids = ids
    this.streams = streams
    this.projection = projection
    this.earliest = history.prepare(
      `SELECT * FROM applicant WHERE state = ? AND (last_at, subject) > (?, ?) ORDER BY last_at, subject LIMIT ${block}`
    )
    this.dues = {
      up: history.prepare(
        `SELECT * FROM applicant WHERE due IS NOT NULL AND (due, subject) > (?, ?) ORDER BY due, subject LIMIT ${block}`
      ),
      down: history.prepare(
        `SELECT * FROM applicant WHERE due IS NOT NULL AND (due, subject) < (?, ?) ORDER BY due DESC, subject DESC LIMIT ${block}`
      )
    }
  }

  /** The rows of an order after a position, of all states. */
  *rows({ by, reversed = false }: ApplicantOrder, after: ApplicantCursor | undefined): Generator<ApplicantRow> {
    if (by === 'applicant') yield* this.byId(reversed, after?.id)
    else if (by === 'state') yield* this.byState(reversed, after)
    else if (by === 'due') yield* this.byDue(reversed, after)
    else if (reversed) yield* this.fromEarliest(after ?? { at: -1, ref: -1 })
    else yield* this.streams.newest(after ?? latest)
  }

  private *byId(reversed: boolean, after: string | undefined): Generator<ApplicantRow> {
    for (let from = after; ;) {
      const some = this.ids.sorted(from, reversed, block)
      for (const [ref] of some) {
        const row = this.projection.row(ref)
        if (row) yield row
      }
      if (some.length < block) return
      from = some.at(-1)?.[1]
    }
  }

  private *byState(reversed: boolean, after: ApplicantCursor | undefined): Generator<ApplicantRow> {
    const order = reversed ? states.toReversed() : states
    const first = after?.part === undefined ? 0 : order.indexOf(after.part)
    for (const state of order.slice(Math.max(0, first)))
      yield* this.streams.newest(after && state === after.part ? after : latest, [state])
  }

  private *byDue(reversed: boolean, after: ApplicantCursor | undefined): Generator<ApplicantRow> {
    if (after?.part !== 1) {
      let from = after ?? (reversed ? latest : { at: -1, ref: -1 })
      for (;;) {
        const rows = this.dues[reversed ? 'down' : 'up'].all(from.at, from.ref) as ApplicantRow[]
        yield* rows
        const last = rows.at(-1)
        if (!last || rows.length < block) break
        from = { at: last.due ?? 0, ref: last.subject }
      }
    }
    for (const row of this.streams.newest(after?.part === 1 ? after : latest)) if (row.due === null) yield row
  }

  private *fromEarliest(from: ApplicantCursor): Generator<ApplicantRow> {
    const heads = states.map((state) => ({ state, place: from, rows: [] as ApplicantRow[], done: false }))
    for (;;) {
      for (const head of heads) {
        if (head.rows.length > 0 || head.done) continue
        head.rows = this.earliest.all(head.state, head.place.at, head.place.ref) as ApplicantRow[]
        head.done = head.rows.length < block
        const last = head.rows.at(-1)
        if (last) head.place = { at: last.last_at, ref: last.subject }
      }
      const next = heads
        .filter(({ rows }) => rows.length > 0)
        .reduce<(typeof heads)[number] | undefined>((found, head) => {
          const [a, b] = [found?.rows[0], head.rows[0]]
          return a && b && (a.last_at - b.last_at || a.subject - b.subject) <= 0 ? found : head
        }, undefined)
      const row = next?.rows.shift()
      if (!row) return
      yield row
    }
  }
}
