/**
 * The work queue in memory, so that search, filters and orders over many thousands of items take milliseconds: loaded when
 * the queue is first opened.
 */
import type { QueueMeaning } from '#contract/applicants/queue-kinds.ts'
import { dayLength, today } from '#contract/applicants/due-dates.ts'
import type { QueueOrder } from '#contract/applicants/queue.ts'
import { followedAtOnce, Follower, type Kept, type News } from '../events/follower.ts'
import { QueueEntries, type EntryParts, type Judged, type Waiting } from './queue-entries.ts'

type Value = number | string | undefined

const valueOf: Readonly<Record<QueueOrder['by'], (entry: Waiting) => Value>> = {
  due: ({ due }) => due,
  age: ({ since }) => since,
  check: ({ check }) => check?.at,
  applicant: ({ applicant }) => applicant
}
/** Orders whose first value is the highest. */
const latestFirst: ReadonlySet<QueueOrder['by']> = new Set(['check'])

const compareValues = (a: Value, b: Value): number =>
  a === b ? 0 : a === undefined || b === undefined ? 0 : a < b ? -1 : 1
/** Applicants before records, and otherwise as they came into the history. */
const compareRefs = (a: Waiting, b: Waiting): number =>
  Number(a.ref < 0) - Number(b.ref < 0) || Math.abs(a.ref) - Math.abs(b.ref)

function compareBy({ by, reversed = false }: QueueOrder): (a: Waiting, b: Waiting) => number {
  const value = valueOf[by]
  const sign = latestFirst.has(by) === reversed ? 1 : -1
  return (one, other) => {
    const [a, b] = [value(one), value(other)]
    const missing = Number(a === undefined) - Number(b === undefined)
    return missing || sign * compareValues(a, b) || compareValues(one.since, other.since) || compareRefs(one, other)
  }
}

/** When a queue is looked at, and how many days before a review it waits. */
export interface QueueTime {
  readonly now: number
  readonly remindDays: number
}

/** Whether an item waits at a time: a review does from some days before it. */
export function isAsked({ now, remindDays }: QueueTime): (entry: Waiting) => boolean {
  const last = today(now) + remindDays * dayLength
  return ({ review }) => review === undefined || review <= last
}

/** Orders that are kept sorted. */
const keptOrders = 3

export class QueueIndex implements Kept {
  /** Incremented with each change. */
  version = 0
  private readonly entriesOf: QueueEntries
  private readonly follower: Follower
  private entries = new Map<number, Waiting>()
  private orders = new Map<string, Waiting[]>()
  /** Items that changed since the orders were sorted. */
  private changed = new Set<number>()

  constructor(parts: EntryParts) {
    this.entriesOf = new QueueEntries(parts)
    this.follower = new Follower(parts.history, this)
  }

  forget(): void {
    this.follower.forget()
  }

  warm(milliseconds: number): boolean {
    return this.follower.warm(milliseconds)
  }

  drop(): void {
    this.entries = new Map()
    this.orders = new Map()
    this.changed = new Set()
    this.entriesOf.forget()
    this.version += 1
  }

  load(after: number): number | undefined {
    const { entries, last } = this.entriesOf.applicants(after, followedAtOnce)
    for (const entry of entries) this.set(entry.ref, entry)
    if (last === undefined) for (const entry of this.entriesOf.unresolved()) this.set(entry.ref, entry)
    return last
  }

  follow({ events, subjects, records }: News): void {
    for (const { kind, seq, subject, record } of events) {
      if (kind === 'message.interpreted' && subject !== null) {
        this.entriesOf.onRead(subject)
        this.version += 1
      } else if (kind === 'assignee.changed' && record !== null) this.entriesOf.onAssigned(record, seq)
    }
    for (const subject of subjects) this.set(subject, this.entriesOf.applicant(subject))
    for (const record of records) this.set(-record, this.entriesOf.record(record))
  }

  private set(ref: number, entry: Waiting | undefined): void {
    if (entry === undefined && !this.entries.has(ref)) return
    if (entry) this.entries.set(ref, entry)
    else this.entries.delete(ref)
    this.changed.add(ref)
    this.version += 1
  }

  /** All items at a time, in no order. */
  *all(when: QueueTime): Generator<Waiting> {
    const asked = isAsked(when)
    for (const entry of this.entries.values()) if (asked(entry)) yield entry
  }

  /** Brings everything up to date for a time. */
  reach(now: number): void {
    for (const entry of this.entriesOf.reviews(now)) this.set(entry.ref, entry)
    while (!this.warm(Infinity));
  }

  /** What the organisation makes of a message. */
  meaning = (said: number): QueueMeaning => this.entriesOf.meaning(said)

  /** What an item reads as; undefined without a standing answer. */
  judge = (entry: Waiting): Judged => this.entriesOf.judge(entry)

  /** All items in this order. */
  ordered(order: QueueOrder): readonly Waiting[] {
    this.takeChanges()
    const name = nameOf(order)
    const known = this.orders.get(name)
    if (known) return known
    const sorted = [...this.entries.values()].sort(compareBy(order))
    const [oldest] = this.orders.keys()
    if (this.orders.size >= keptOrders && oldest !== undefined) this.orders.delete(oldest)
    this.orders.set(name, sorted)
    return sorted
  }

  /** Merges the changed items into each sorted order, which costs far less than sorting everything. */
  private takeChanges(): void {
    if (this.changed.size === 0) return
    const changed = [...this.changed].flatMap((ref) => this.entries.get(ref) ?? [])
    for (const name of this.orders.keys()) {
      const compare = compareBy(orderNamed(name))
      this.orders.set(
        name,
        merge(
          (this.orders.get(name) ?? []).filter(({ ref }) => !this.changed.has(ref)),
          [...changed].sort(compare),
          compare
        )
      )
    }
    this.changed = new Set()
  }
}

const nameOf = ({ by, reversed }: QueueOrder): string => `${by}${reversed ? ' reversed' : ''}`
const orderNamed = (name: string): QueueOrder => {
  const [by, reversed] = name.split(' ')
  return { by: by as QueueOrder['by'], reversed: reversed !== undefined }
}

/** Merges two sorted lists. */
function merge<T>(some: readonly T[], others: readonly T[], compare: (a: T, b: T) => number): T[] {
  const all: T[] = []
  let next = 0
  for (const one of some) {
    for (let other = others[next]; other !== undefined && compare(other, one) < 0; other = others[next]) {
      all.push(other)
      next += 1
    }
    all.push(one)
  }
  for (; next < others.length; next += 1) all.push(others[next] as T)
  return all
}
