/** Filters the work queue and counts each filter's values. Pure. */
import {
  dueClasses,
  queueKinds,
  queueMeanings,
  type DueClass,
  type QueueKind,
  type QueueMeaning
} from '#contract/applicants/queue-kinds.ts'
import { today } from '#contract/applicants/due-dates.ts'
import type { QueueFilter } from '#contract/applicants/queue.ts'
import { finder } from '#kit/text/folding.ts'
import type { Judged, Waiting } from './queue-entries.ts'

/** Tags, messages and batches that are listed with their counts. */
const listed = 100

export interface Sifted {
  readonly list: readonly Waiting[]
  readonly kinds: Record<QueueKind, number>
  readonly due: Record<DueClass, number>
  /** By the operation's number. */
  readonly operations: ReadonlyMap<number, number>
  readonly tags: readonly { readonly value: string; readonly count: number }[]
  readonly assignees: readonly { readonly value: string; readonly count: number }[]
  readonly meanings: Record<QueueMeaning, number>
  /** By number, with one of the items that say it; absent if none does. */
  readonly messages: readonly { readonly id: number; readonly count: number; readonly said: Waiting | undefined }[]
  readonly batches: readonly { readonly value: string; readonly count: number }[]
}

/** The class of a due date. @param day The date of today. */
export const dueClassOf = (due: number | undefined, day: number): DueClass =>
  due === undefined ? 'none' : due < day ? 'overdue' : due === day ? 'today' : 'later'

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
const some = <T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined =>
  values?.length ? new Set(values) : undefined
const add = <T>(counts: Map<T, number>, value: T): void => void counts.set(value, (counts.get(value) ?? 0) + 1)

/** What a filter asks for; undefined where it lets everything through. */
interface Wanted {
  readonly kinds: ReadonlySet<QueueKind> | undefined
  readonly due: ReadonlySet<DueClass> | undefined
  readonly operations: ReadonlySet<number> | undefined
  readonly tags: ReadonlySet<string> | undefined
  readonly assignees: ReadonlySet<string> | undefined
  readonly meanings: ReadonlySet<QueueMeaning> | undefined
  readonly newest: ReadonlySet<number> | undefined
  readonly batch: string | undefined
}
/** A bit for each part of a filter. */
const bits = { kinds: 1, due: 2, operations: 4, tags: 8, assignees: 16, meanings: 32, newest: 64, batch: 128 } as const

const lacks = <T>(wanted: ReadonlySet<T> | undefined, value: T | undefined): boolean =>
  wanted !== undefined && !(value !== undefined && wanted.has(value))

/** The bits of those parts that do not let an entry through. */
function droppedBy(wanted: Wanted, entry: Waiting, dueClass: DueClass, meaning: QueueMeaning | undefined): number {
  const { check, kind, assignee = '' } = entry
  const { tags, batch } = wanted
  return (
    (lacks(wanted.kinds, kind) ? bits.kinds : 0) |
    (lacks(wanted.due, dueClass) ? bits.due : 0) |
    (lacks(wanted.operations, check?.operation) ? bits.operations : 0) |
    (tags && !entry.tags.some((tag) => tags.has(tag)) ? bits.tags : 0) |
    (lacks(wanted.assignees, assignee) ? bits.assignees : 0) |
    (lacks(wanted.meanings, meaning) ? bits.meanings : 0) |
    (lacks(wanted.newest, check?.said) ? bits.newest : 0) |
    (batch !== undefined && !entry.batches.includes(batch) ? bits.batch : 0)
  )
}

/** Whether an entry has a text in its applicant, their name, message or tags. */
function entryFinder(search: string | undefined): (entry: Waiting) => boolean {
  const names = finder(search)
  if (!names) return () => true
  // Most items share a message, so each text is compared once.
  const messages = new Map<string, boolean>()
  const says = (message: string): boolean => {
    const known = messages.get(message)
    if (known !== undefined) return known
    const found = names(message)
    messages.set(message, found)
    return found
  }
  return ({ applicant, named, check, tags }) =>
    (applicant !== undefined && names(applicant)) ||
    (named !== undefined && names(named)) ||
    (check?.message !== undefined && says(check.message)) ||
    tags.some(names)
}

const byName = (counts: ReadonlyMap<string, number>): { readonly value: string; readonly count: number }[] =>
  [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => ({ value, count }))
/** Most frequent first; of many, the first ones and those that are asked for. */
const byCount = (
  counts: ReadonlyMap<string, number>,
  asked: ReadonlySet<string> | undefined
): { readonly value: string; readonly count: number }[] =>
  [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .filter(([tag], index) => index < listed || asked?.has(tag))
    .map(([value, count]) => ({ value, count }))

/** What is chosen stays listed, even if nothing has it. */
function listChosen(counts: Map<string, number>, chosen: ReadonlySet<string> | undefined): void {
  for (const value of chosen ?? []) if (!counts.has(value)) counts.set(value, 0)
}

const byCountOfMessage = (
  counts: ReadonlyMap<number, { readonly count: number; readonly said: Waiting }>,
  asked: ReadonlySet<number> | undefined
): Sifted['messages'] => [
  ...[...counts]
    .sort(([a, x], [b, y]) => y.count - x.count || a - b)
    .filter(([id], index) => index < listed || asked?.has(id))
    .map(([id, { count, said }]) => ({ id, count, said })),
  ...[...(asked ?? [])].filter((id) => !counts.has(id)).map((id) => ({ id, count: 0, said: undefined }))
]

const noCounts = () => ({
  kinds: zeros(queueKinds),
  due: zeros(dueClasses),
  operations: new Map<number, number>(),
  tags: new Map<string, number>(),
  assignees: new Map<string, number>(),
  meanings: zeros(queueMeanings),
  messages: new Map<number, { count: number; said: Waiting }>(),
  batches: new Map<string, number>()
})

/** Each value is counted by all filters but its own. */
function countEntry(
  counts: ReturnType<typeof noCounts>,
  entry: Waiting,
  dueClass: DueClass,
  meaning: QueueMeaning | undefined,
  dropped: number
): void {
  const { check, kind, tags, assignee = '' } = entry
  if ((dropped & ~bits.kinds) === 0) counts.kinds[kind] += 1
  if ((dropped & ~bits.due) === 0) counts.due[dueClass] += 1
  if ((dropped & ~bits.operations) === 0 && check) add(counts.operations, check.operation)
  if ((dropped & ~bits.tags) === 0) for (const tag of tags) add(counts.tags, tag)
  if ((dropped & ~bits.assignees) === 0) add(counts.assignees, assignee)
  if ((dropped & ~bits.meanings) === 0 && meaning) counts.meanings[meaning] += 1
  if ((dropped & ~bits.newest) === 0 && check?.said !== undefined) {
    const known = counts.messages.get(check.said)
    if (known) known.count += 1
    else counts.messages.set(check.said, { count: 1, said: entry })
  }
  if ((dropped & ~bits.batch) === 0) for (const batch of entry.batches) add(counts.batches, batch)
}

const wantedBy = (filter: QueueFilter, refs: (operation: string) => readonly number[]): Wanted => ({
  kinds: some(filter.kinds),
  due: some(filter.due),
  operations: filter.operations?.length ? new Set(filter.operations.flatMap(refs)) : undefined,
  tags: some(filter.tags),
  assignees: some(filter.assignees),
  meanings: some(filter.meanings),
  newest: some(filter.newest),
  batch: filter.batch
})

/**
 * @param refs Numbers of an operation; empty if no record has it.
 * @param judge What an entry reads as.
 * @param among Entries with some messages of a batch; all if absent.
 */
export function sift(
  entries: readonly Waiting[],
  filter: QueueFilter,
  refs: (operation: string) => readonly number[],
  now: number,
  judge: (entry: Waiting) => Judged,
  among?: ReadonlySet<number>
): Sifted {
  const wanted = wantedBy(filter, refs)
  const isFound = entryFinder(filter.search)
  const day = today(now)
  const counts = noCounts()
  const list: Waiting[] = []
  const { from = -Infinity, until = Infinity } = filter

  for (const entry of entries) {
    if (among && !among.has(entry.ref)) continue
    if (entry.since < from || entry.since >= until || !isFound(entry)) continue
    const dueClass = dueClassOf(entry.due, day)
    const meaning = judge(entry)?.means
    const dropped = droppedBy(wanted, entry, dueClass, meaning)
    if (dropped === 0) list.push(entry)
    countEntry(counts, entry, dueClass, meaning, dropped)
  }
  listChosen(counts.tags, wanted.tags)
  listChosen(counts.assignees, wanted.assignees)
  listChosen(counts.batches, wanted.batch === undefined ? undefined : new Set([wanted.batch]))
  return {
    list,
    kinds: counts.kinds,
    due: counts.due,
    operations: counts.operations,
    tags: byCount(counts.tags, wanted.tags),
    assignees: byName(counts.assignees),
    meanings: counts.meanings,
    messages: byCountOfMessage(counts.messages, wanted.newest),
    batches: byCount(counts.batches, wanted.batch === undefined ? undefined : new Set([wanted.batch]))
  }
}
