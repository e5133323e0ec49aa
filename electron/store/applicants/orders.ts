/** Applicants in the orders of their list, from a position on: read in blocks by an index, or sorted if they are few. */
import { applicantStates, type ApplicantCursor, type ApplicantOrder } from '#contract/applicants/applicants.ts'
import { dueOfIso, isoDue } from '#contract/applicants/due-dates.ts'
import type { reviewDays } from '#contract/applicants/reviews.ts'
import type { ApplicantProjection, ApplicantRow } from '../projections/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { ApplicantIds } from './ids.ts'
import { merged, type Streams } from './streams.ts'

/** An applicant in a list, with what it is sorted by. */
export interface Listed {
  readonly row: Pick<ApplicantRow, 'subject' | 'state' | 'last_at' | 'due' | 'review_at'>
  readonly id: string
}

const block = 256
const latest: ApplicantCursor = { at: Number.MAX_SAFE_INTEGER, ref: Number.MAX_SAFE_INTEGER }
const states = applicantStates.map((_, code) => code)

export type ReviewDays = NonNullable<ReturnType<typeof reviewDays>>
type Dated = 'due' | 'review'
/** What a list by the next review is narrowed to. */
export interface ReviewBounds {
  readonly days: ReviewDays
  /** Codes of classes; absent for all, also for none. */
  readonly risks?: readonly string[] | undefined
}
/** The date that a row is sorted by. */
const dateOf: Readonly<Record<Dated, (row: Listed['row']) => number | null>> = {
  due: ({ due }) => due,
  review: ({ review_at: at }) => (at === null ? null : (dueOfIso(at) ?? null))
}
const isDated = (by: ApplicantOrder['by']): by is Dated => by === 'due' || by === 'review'

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
    case 'review':
      return (a, b) => {
        const [one, other] = [dateOf[by](a.row), dateOf[by](b.row)]
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
  if (isDated(by)) {
    const date = dateOf[by](row)
    return date === null ? { ...activity, part: 1 } : { at: date, ref: row.subject, part: 0 }
  }
  return activity
}

/** Whether an applicant follows a position. */
export function isAfter(
  order: ApplicantOrder,
  listed: Listed,
  { at, ref, id = '', part = 0 }: ApplicantCursor
): boolean {
  const due = order.by === 'due' && part === 0 ? at : null
  const review_at = order.by === 'review' && part === 0 ? isoDue(at) : null
  return compareListed(order)({ row: { subject: ref, state: part, last_at: at, due, review_at }, id }, listed) < 0
}

export class ApplicantOrders {
  private readonly streams: Streams
  private readonly projection: ApplicantProjection
  private readonly earliest
  private readonly dated
  private readonly rated
  private readonly ids: ApplicantIds

  constructor(history: Db, ids: ApplicantIds, streams: Streams, projection: ApplicantProjection) {
    this.ids = ids
    this.streams = streams
    this.projection = projection
    this.earliest = history.prepare(
      `SELECT * FROM applicant WHERE state = ? AND (last_at, subject) > (?, ?) ORDER BY last_at, subject LIMIT ${block}`
    )
    const dated = (column: 'due' | 'review_at') => ({
      up: history.prepare(
        `SELECT * FROM applicant WHERE ${column} IS NOT NULL AND (${column}, subject) > (?, ?) ORDER BY ${column}, subject LIMIT ${block}`
      ),
      down: history.prepare(
        `SELECT * FROM applicant WHERE ${column} IS NOT NULL AND (${column}, subject) < (?, ?) ORDER BY ${column} DESC, subject DESC LIMIT ${block}`
      )
    })
    this.dated = { due: dated('due'), review: dated('review_at') }
    this.rated = {
      up: history.prepare(
        `SELECT * FROM applicant WHERE risk = ? AND (review_at, subject) > (?, ?) ORDER BY review_at, subject LIMIT ${block}`
      ),
      down: history.prepare(
        `SELECT * FROM applicant WHERE risk = ? AND (review_at, subject) < (?, ?) ORDER BY review_at DESC, subject DESC LIMIT ${block}`
      )
    }
  }

  /** The rows of an order after a position, of all states. @param within What it is narrowed to, if it is by the next review. */
  *rows(
    { by, reversed = false }: ApplicantOrder,
    after: ApplicantCursor | undefined,
    within?: ReviewBounds
  ): Generator<ApplicantRow> {
    if (by === 'applicant') yield* this.byId(reversed, after?.id)
    else if (by === 'state') yield* this.byState(reversed, after)
    else if (isDated(by)) yield* this.byDate(by, reversed, after, by === 'review' ? within : undefined)
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

  private *byDate(
    by: Dated,
    reversed: boolean,
    after: ApplicantCursor | undefined,
    within: ReviewBounds | undefined
  ): Generator<ApplicantRow> {
    const way = reversed ? 'down' : 'up'
    if (after?.part !== 1) {
      const read = this.dated[by][way]
      const rated = this.rated[way]
      // Each class by its own index: a backlog of another one is not read.
      const walks = within?.risks?.map((risk) =>
        this.withDate(by, reversed, after, (key, ref) => rated.all(risk, key, ref), within.days)
      )
      const compare = compareListed({ by, reversed })
      yield* walks
        ? merged(walks, (a, b) => compare({ row: a, id: '' }, { row: b, id: '' }))
        : this.withDate(by, reversed, after, (key, ref) => read.all(key, ref), within?.days)
    }
    if (within) return
    for (const row of this.streams.newest(after?.part === 1 ? after : latest)) if (dateOf[by](row) === null) yield row
  }

  private *withDate(
    by: Dated,
    reversed: boolean,
    after: ApplicantCursor | undefined,
    read: (key: number | string, ref: number) => unknown[],
    { from: first, until }: ReviewDays = { from: '', until: '~' }
  ): Generator<ApplicantRow> {
    const keyOf = (at: number): number | string => (by === 'due' ? at : isoDue(at))
    const isBeyond = ({ review_at: day }: ApplicantRow): boolean =>
      by === 'review' && day !== null && (reversed ? day < first : day >= until)
    // Numbers are before every text, and dates before `~`.
    let from: { readonly key: number | string; readonly ref: number } = after
      ? { key: keyOf(after.at), ref: after.ref }
      : { key: reversed ? until : by === 'due' ? -1 : first, ref: -1 }
    for (;;) {
      const rows = read(from.key, from.ref) as ApplicantRow[]
      yield* rows
      const last = rows.at(-1)
      if (!last || rows.length < block || isBeyond(last)) return
      from = { key: keyOf(dateOf[by](last) ?? 0), ref: last.subject }
    }
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
