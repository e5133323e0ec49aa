/** The work queue: applicants and unknown outcomes that a user has to handle. */
import { dayLength, isoDue, today } from '#contract/applicants/due-dates.ts'
import { maxMatchingApplicants, type MatchingApplicants } from '#contract/applicants/applicants.ts'
import type { QueueKind } from '#contract/applicants/queue-kinds.ts'
import type {
  QueueCheck,
  QueueFacets,
  QueueFilter,
  QueueItem,
  QueueMessage,
  QueuePage,
  QueueQuery,
  QueueWaiting
} from '#contract/applicants/queue.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import type { ApplicantProjection } from '../projections/applicants.ts'
import { isUnresolved, states } from '../projections/columns.ts'
import type { Dictionary } from '../projections/dictionary.ts'
import { shortMessage } from '#wire/history/record-payloads.ts'
import { kindOfState, noEvidence, waits, type EntryParts, type LastCheck, type Waiting } from './queue-entries.ts'
import { dueClassOf, sift, type Sifted } from './queue-filter.ts'
import { isAsked, QueueIndex, type QueueTime } from './queue-index.ts'
import type { RowPages } from '../batches/row-pages.ts'
import type { ApplicantReader } from './reader.ts'

export interface QueueParts extends EntryParts {
  readonly applicants: ApplicantReader
  readonly projection: ApplicantProjection
  readonly dictionary: Dictionary
  readonly rowPages: Pick<RowPages, 'among'>
}

/** The time in which an answer stays valid although items become overdue. */
const minute = 60_000

export class WorkQueue {
  private readonly parts: QueueParts
  private readonly index: QueueIndex
  private readonly counts
  private readonly dueRecords
  private readonly overdue
  private readonly reviews
  private readonly dueWithoutEvidence
  private readonly nextDue
  private readonly batchName
  /** The last answer before it is cut into pages. */
  private sifted: { readonly of: string; readonly result: Sifted } | undefined

  constructor(parts: QueueParts) {
    const { history } = parts
    this.parts = parts
    this.index = new QueueIndex(parts)
    this.counts = history.prepare('SELECT state, count FROM applicant_count').raw()
    this.dueRecords = history.prepare('SELECT record AS ref, due AS at FROM record_due')
    this.overdue = history
      .prepare(
        `SELECT count(*) FROM applicant WHERE due < ? AND +state IN (${[...kindOfState.keys(), noEvidence].join(', ')})`
      )
      .pluck()
    this.reviews = history.prepare(
      `SELECT count(*) AS count, coalesce(sum(iif(due IS NULL, review_at < ?, due < ?)), 0) AS overdue
       FROM applicant WHERE review_at < ? AND NOT ${waits('')}`
    )
    this.dueWithoutEvidence = history
      .prepare(`SELECT count(*) FROM applicant WHERE due IS NOT NULL AND +state = ${noEvidence}`)
      .pluck()
    this.nextDue = history.prepare(
      'SELECT due, count(*) AS applicants FROM applicant WHERE due >= ? GROUP BY due ORDER BY due LIMIT 1'
    )
    this.batchName = history.prepare("SELECT json_extract(draft, '$.name') FROM batch WHERE id = ?").pluck()
  }

  /** Drops all texts in memory. */
  forget(): void {
    this.index.forget()
    this.sifted = undefined
  }

  /** Prepares a page, for some milliseconds; true if it is ready. */
  warm(milliseconds: number): boolean {
    return this.index.warm(milliseconds)
  }

  page(
    { filter = {}, order = { by: 'due' }, limit, offset = 0, find }: QueueQuery,
    now: number,
    remindDays = 0
  ): QueuePage {
    const when = { now, remindDays }
    if (limit === 0 && Object.keys(filter).length === 0) return { items: [], total: 0, ...this.totals(when) }
    this.index.reach(now)
    const { list, ...counted } = this.sift(filter, order, when)
    if (limit === 0) return { items: [], total: list.length, ...this.totals(when) }
    const items = list.slice(offset, offset + limit).flatMap((entry) => this.item(entry) ?? [])
    const ref = find && this.refOf(find)
    const found = ref === undefined ? -1 : list.findIndex((entry) => entry.ref === ref)
    return {
      items,
      total: list.length,
      ...(found >= 0 && { found }),
      facets: this.facets(counted),
      ...this.totals(when)
    }
  }

  /** What waits, in all and for a person of these names. */
  waiting(names: readonly string[], now: number, remindDays = 0): QueueWaiting {
    this.index.reach(now)
    const [own, day] = [new Set(names), today(now)]
    const counts = { all: 0, assigned: 0, unassigned: 0, due: 0, overdue: 0, reviews: 0, reviewsOverdue: 0 }
    for (const { assignee, due, review } of this.index.all({ now, remindDays })) {
      counts.all += 1
      if (review !== undefined) counts.reviews += 1
      if (review !== undefined && review < day) counts.reviewsOverdue += 1
      if (assignee === undefined) counts.unassigned += 1
      else if (own.has(assignee)) counts.assigned += 1
      const dueClass = dueClassOf(due, day)
      if (dueClass === 'overdue') counts.overdue += 1
      else if (dueClass === 'today') counts.due += 1
    }
    return counts
  }

  /** The applicants of all items that match; none if there are more than `limit`. An unknown outcome may have none. */
  matching(filter: QueueFilter, now: number, remindDays = 0, limit = maxMatchingApplicants): MatchingApplicants {
    this.index.reach(now)
    const ids = new Set(
      this.sift(filter, { by: 'due' }, { now, remindDays }).list.flatMap(({ applicant }) => applicant ?? [])
    )
    return ids.size > limit ? { ids: [], more: true } : { ids: [...ids], more: false }
  }

  /** How many applicants wait whose newest answer is one of these messages. */
  showing(messages: readonly number[]): number {
    const wanted = new Set(messages)
    return this.people().filter(({ check }) => check?.said !== undefined && wanted.has(check.said)).length
  }

  /** For each message of the catalogue, how many of these applicants wait with it as their newest answer. */
  newest(applicantIds: readonly string[]): Map<number, number> {
    const wanted = new Set(applicantIds)
    const counts = new Map<number, number>()
    for (const { applicant, check } of this.people())
      if (check?.said !== undefined && applicant !== undefined && wanted.has(applicant))
        counts.set(check.said, (counts.get(check.said) ?? 0) + 1)
    return counts
  }

  /** Those who wait for a decision. */
  private people(): readonly Waiting[] {
    while (!this.index.warm(Infinity));
    return this.index.ordered({ by: 'due' }).filter(({ ref, kind }) => ref > 0 && kind !== 'review')
  }

  private sift(filter: QueueQuery['filter'] & object, order: QueueQuery['order'] & object, when: QueueTime): Sifted {
    const { now, remindDays } = when
    const of = JSON.stringify([filter, order, remindDays, this.index.version, Math.floor(now / minute)])
    if (this.sifted?.of === of) return this.sifted.result
    const { operationRefs } = this.parts.dictionary
    const among =
      filter.batch !== undefined && filter.messages?.length
        ? this.parts.rowPages.among(filter.batch, filter.messages)
        : undefined
    const result = sift(
      this.index.ordered(order).filter(isAsked(when)),
      filter,
      operationRefs,
      now,
      this.index.judge,
      among
    )
    this.sifted = { of, result }
    return result
  }

  private refOf({ applicantId, recordId }: QueueQuery['find'] & object): number | undefined {
    if (applicantId !== undefined) return this.parts.subjects.ofApplicant(applicantId)
    const seq = recordId === undefined ? undefined : this.parts.reader.seq(recordId)
    return seq === undefined ? undefined : -seq
  }

  private facets({ operations, messages, batches, ...others }: Omit<Sifted, 'list'>): QueueFacets {
    const { operationNames } = this.parts.dictionary
    return {
      ...others,
      messages: messages.map(({ id, count, said }): QueueMessage => ({
        id,
        count,
        message: said?.check?.message?.slice(0, shortMessage) ?? '',
        meaning: this.index.meaning(id)
      })),
      batches: batches.map((each) => ({ ...each, name: this.nameOfBatch(each.value) ?? '' })),
      operations: Object.fromEntries([...operations].map(([ref, count]) => [operationNames.get(ref) ?? '', count]))
    }
  }

  /** The numbers of the whole queue, without loading it. */
  private totals({ now, remindDays }: QueueTime): Pick<QueuePage, 'counts' | 'overdue' | 'nextDue'> {
    const [columns, day] = [this.parts.columns.all(), today(now)]
    const byState = new Map(this.counts.all() as [number, number][])
    const until = isoDue(day + (remindDays + 1) * dayLength)
    const reviews = this.reviews.get(isoDue(day), day, until) as { readonly count: number; readonly overdue: number }
    const counts: Record<QueueKind, number> = {
      ...{ open: 0, escalated: 0, outdated: 0, returned: 0 },
      unresolved: columns.unresolved,
      review: reviews.count
    }
    for (const [state, kind] of kindOfState) counts[kind] = byState.get(state) ?? 0
    counts.open += this.dueWithoutEvidence.get() as number
    const dues = this.dueRecords.all() as { readonly ref: number; readonly at: number }[]
    const isEmpty = Object.values(counts).every((count) => count === 0)
    const nextDue = isEmpty ? (this.nextDue.get(day) as QueuePage['nextDue']) : undefined
    return {
      counts,
      ...(nextDue && { nextDue }),
      overdue:
        (this.overdue.get(day) as number) +
        reviews.overdue +
        dues.filter(({ ref, at }) => at < day && isUnresolved(columns, ref)).length
    }
  }

  private nameOfBatch(id: string): string | undefined {
    return (this.batchName.get(id) as string | null | undefined) ?? undefined
  }

  private item(entry: Waiting): QueueItem | undefined {
    const { ref, kind, since, due, assignee, applicant, check } = entry
    const facts = { since, due, assignee, check: check && this.check(check), ...this.reading(entry) }
    if (kind === 'unresolved')
      return {
        ...facts,
        kind,
        record: this.parts.reader.summary(-ref),
        applicantId: applicant,
        ...this.parts.names.named(applicant)
      }
    const row = this.parts.projection.row(ref)
    const summary = row && this.parts.applicants.summaryOf(row)
    return summary && { ...facts, kind, applicant: summary }
  }

  /** What an item reads as, and the operation that says so if it is not the newest answer. */
  private reading(entry: Waiting): Pick<QueueItem, 'meaning' | 'meaningOf'> {
    const judged = this.index.judge(entry)
    if (!judged) return {}
    const { answer, means } = judged
    const isNewest = answer.operation === entry.check?.operation && answer.said === entry.check.said
    return { meaning: means, ...(!isNewest && { meaningOf: this.operationOf(answer.operation) }) }
  }

  private operationOf(ref: number): OperationId {
    return this.parts.dictionary.operationNames.get(ref) as OperationId
  }

  private check({ seq, at, operation, state, status, message }: LastCheck): QueueCheck {
    const { connection, batchId } = this.parts.reader.summary(seq)
    const batch = batchId === undefined ? undefined : this.nameOfBatch(batchId)
    return {
      operation: this.operationOf(operation),
      at,
      state: states[state] ?? 'open',
      status: status === 0 ? undefined : status,
      message: message?.slice(0, shortMessage),
      connection: connection.name,
      ...(batch !== undefined && { batch })
    }
  }
}
