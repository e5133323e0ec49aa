/** The work queue: applicants and unknown outcomes that a user has to handle. */
import type { QueueItem, QueueKind, QueuePage, QueueQuery } from '#contract/applicants.ts'
import { queueKinds } from '#contract/applicants.ts'
import { codeOfApplicant, type ApplicantRow } from '#core/history/projections/applicants.ts'
import type { ApplicantReader } from './reader.ts'
import { merged, streams, type Streams } from './streams.ts'
import { isUnresolved, startOf, type RecordColumns } from '#core/history/projections/columns.ts'
import type { Db } from '#core/history/storage/files.ts'
import type { Reader } from '#core/history/records/reader.ts'

const kindOfState = new Map<number, Exclude<QueueKind, 'unresolved'>>([
  [codeOfApplicant('none'), 'open'],
  [codeOfApplicant('escalate'), 'escalated'],
  [codeOfApplicant('outdated'), 'outdated']
])
/** Without evidence there is nothing to decide on; such an applicant is listed only if a user set a due date. */
const noEvidence = codeOfApplicant('no-evidence')
const kindOf = ({ state, due }: ApplicantRow): Exclude<QueueKind, 'unresolved'> | undefined =>
  state === noEvidence && due !== null ? 'open' : kindOfState.get(state)

/** A position in the queue: items with a due date (phase 0) come first; applicants before records of the same time. */
interface Place {
  readonly phase: 0 | 1
  readonly at: number
  readonly type: 0 | 1
  readonly ref: number
}
const compare = (a: Place, b: Place): number => a.phase - b.phase || a.at - b.at || a.type - b.type || a.ref - b.ref
const start: Place = { phase: 0, at: -1, type: 0, ref: -1 }

const cursorOf = ({ phase, at, type, ref }: Place): string => [phase, at, type, ref].join(':')
/** An unreadable cursor starts from the beginning. */
function placeOf(cursor: string | undefined): Place {
  const match = /^([01]):(-?\d{1,16}):([01]):(\d{1,16})$/.exec(cursor ?? '')
  if (!match) return start
  const [phase, at, type, ref] = match.slice(1).map(Number) as [0 | 1, number, 0 | 1, number]
  return { phase, at, type, ref }
}

interface Waiting extends Place {
  readonly row?: ApplicantRow
}

export interface QueueParts {
  readonly history: Db
  readonly columns: RecordColumns
  readonly reader: Reader
  readonly applicants: ApplicantReader
}

export class WorkQueue {
  private readonly parts: QueueParts
  private readonly streams: Streams
  private readonly counts
  private readonly dueRecords
  private readonly overdue
  private readonly dueWithoutEvidence

  constructor(parts: QueueParts) {
    const { history } = parts
    this.parts = parts
    this.streams = streams(history)
    this.counts = history.prepare('SELECT state, count FROM applicant_count').raw()
    this.dueRecords = history.prepare('SELECT record AS ref, due AS at FROM record_due ORDER BY due, record')
    this.overdue = history.prepare(`SELECT count(*) FROM applicant WHERE due < ? AND +state IN (${[...kindOfState.keys(), noEvidence].join(', ')})`).pluck()
    this.dueWithoutEvidence = history.prepare(`SELECT count(*) FROM applicant WHERE due IS NOT NULL AND +state = ${noEvidence}`).pluck()
  }

  page({ kinds, limit, after }: QueueQuery, now: number): QueuePage {
    const wanted = new Set(kinds?.length ? kinds : queueKinds)
    const states = [...kindOfState].filter(([, kind]) => wanted.has(kind)).map(([state]) => state)
    const from = placeOf(after)
    const dues = this.dueRecords.all() as { readonly ref: number; readonly at: number }[]
    const columns = this.parts.columns.all()
    const unresolved = dues.filter(({ ref }) => isUnresolved(columns, ref))
    const items: QueueItem[] = []
    let last: Place | undefined
    for (const waiting of this.waiting(from, { states, wanted }, wanted.has('unresolved') ? unresolved : undefined)) {
      const item = this.item(waiting)
      if (!item) continue
      if (items.length === limit) return { items, next: last && cursorOf(last), ...this.totals(now, unresolved) }
      items.push(item)
      last = waiting
    }
    return { items, ...this.totals(now, unresolved) }
  }

  private totals(now: number, unresolved: readonly { readonly at: number }[]): Pick<QueuePage, 'counts' | 'overdue'> {
    const byState = new Map(this.counts.all() as [number, number][])
    const counts: Record<QueueKind, number> = { open: 0, escalated: 0, outdated: 0, unresolved: this.parts.columns.all().unresolved }
    for (const [state, kind] of kindOfState) counts[kind] = byState.get(state) ?? 0
    counts.open += this.dueWithoutEvidence.get() as number
    return { counts, overdue: (this.overdue.get(now) as number) + unresolved.filter(({ at }) => at < now).length }
  }

  /** Items after a position, in order. `dues` are due dates of unresolved records, if those are wanted. */
  private *waiting(
    from: Place, { states, wanted }: { readonly states: readonly number[]; readonly wanted: ReadonlySet<QueueKind> },
    dues: readonly { readonly ref: number; readonly at: number }[] | undefined
  ): Generator<Waiting> {
    const beyond = (place: Place): boolean => compare(place, from) > 0
    // SQL skips to approximately this position; items exactly at it are filtered here.
    const cursor = { at: from.at, ref: -1 }
    if (from.phase === 0) {
      const records = (dues ?? []).map(({ ref, at }): Waiting => ({ phase: 0, at, type: 1, ref })).filter(beyond)
      yield* merged([this.withDue(cursor, wanted, beyond), records.values()], compare)
    }
    const later = from.phase === 0 ? { at: -1, ref: -1 } : cursor
    const skipped = new Set(dues?.map(({ ref }) => ref))
    yield* merged([this.withoutDue(later, states, beyond), dues ? this.unknowns(skipped, beyond) : [].values()], compare)
  }

  private *withDue(cursor: { at: number; ref: number }, wanted: ReadonlySet<QueueKind>, beyond: (place: Place) => boolean): Generator<Waiting> {
    for (const row of this.streams.due(cursor)) {
      const place: Waiting = { phase: 0, at: row.due ?? 0, type: 0, ref: row.subject, row }
      const kind = kindOf(row)
      if (kind && wanted.has(kind) && beyond(place)) yield place
    }
  }

  private *withoutDue(cursor: { at: number; ref: number }, states: readonly number[], beyond: (place: Place) => boolean): Generator<Waiting> {
    for (const row of this.streams.oldest(cursor, states)) {
      const place: Waiting = { phase: 1, at: row.last_at, type: 0, ref: row.subject, row }
      if (beyond(place)) yield place
    }
  }

  private *unknowns(skipped: ReadonlySet<number>, beyond: (place: Place) => boolean): Generator<Waiting> {
    const columns = this.parts.columns.all()
    if (columns.unresolved === 0) return
    for (let seq = 1; seq <= columns.last; seq += 1) {
      if (!isUnresolved(columns, seq) || skipped.has(seq)) continue
      const place: Waiting = { phase: 1, at: startOf(columns, seq), type: 1, ref: seq }
      if (beyond(place)) yield place
    }
  }

  private item({ phase, at, ref, row }: Waiting): QueueItem | undefined {
    const due = phase === 0 ? at : undefined
    if (!row) {
      const record = this.parts.reader.summary(ref)
      return { kind: 'unresolved', since: record.startedAt, due, record }
    }
    const kind = kindOf(row)
    const applicant = this.parts.applicants.summaryOf(row)
    return kind && applicant && { kind, since: row.last_at, due, applicant }
  }
}
