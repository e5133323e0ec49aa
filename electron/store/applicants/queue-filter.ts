/** Filters the work queue and counts each filter's values. Pure. */
import { dueClasses, queueKinds, type DueClass, type QueueKind } from '#contract/applicants/queue-kinds.ts'
import type { QueueFilter } from '#contract/applicants/queue.ts'
import type { Waiting } from './queue-entries.ts'

/** Tags that are listed with their counts. */
const listedTags = 100

export interface Sifted {
  readonly list: readonly Waiting[]
  readonly kinds: Record<QueueKind, number>
  readonly due: Record<DueClass, number>
  /** By the operation's number. */
  readonly operations: ReadonlyMap<number, number>
  readonly tags: readonly { readonly value: string; readonly count: number }[]
  readonly assignees: readonly { readonly value: string; readonly count: number }[]
}

/** The class of a due date. @param today The end of the local day. */
const classOf = (due: number | undefined, now: number, today: number): DueClass =>
  due === undefined ? 'none' : due < now ? 'overdue' : due <= today ? 'today' : 'later'

/** The last millisecond of the local day. */
function endOfDay(now: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime() - 1
}

const zeros = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
const some = <T>(values: readonly T[] | undefined): ReadonlySet<T> | undefined =>
  values?.length ? new Set(values) : undefined
const add = <T>(counts: Map<T, number>, value: T): void => void counts.set(value, (counts.get(value) ?? 0) + 1)

/** @param refs Numbers of an operation; empty if no record has it. */
export function sift(
  entries: readonly Waiting[],
  filter: QueueFilter,
  refs: (operation: string) => readonly number[],
  now: number
): Sifted {
  const needle = filter.search?.trim().toLowerCase() ?? ''
  const [kinds, due, tags, assignees] = [
    some(filter.kinds),
    some(filter.due),
    some(filter.tags),
    some(filter.assignees)
  ]
  const operations = filter.operations?.length ? new Set(filter.operations.flatMap(refs)) : undefined
  const today = endOfDay(now)
  const counts = {
    kinds: zeros(queueKinds),
    due: zeros(dueClasses),
    operations: new Map<number, number>(),
    tags: new Map<string, number>(),
    assignees: new Map<string, number>()
  }
  const list: Waiting[] = []
  // Most items share a message, so each text is compared once.
  const messages = new Map<string, boolean>()
  const names = (text: string): boolean => text.toLowerCase().includes(needle)
  const says = (message: string): boolean => {
    const known = messages.get(message)
    if (known !== undefined) return known
    const found = names(message)
    messages.set(message, found)
    return found
  }

  const { from = -Infinity, until = Infinity } = filter

  for (const entry of entries) {
    const { applicant, check, kind, assignee = '' } = entry
    if (entry.since < from || entry.since >= until) continue
    if (
      needle !== '' &&
      !(applicant !== undefined && names(applicant)) &&
      !(check?.message !== undefined && says(check.message)) &&
      !entry.tags.some(names)
    )
      continue
    const dueClass = classOf(entry.due, now, today)
    const dropped =
      (kinds && !kinds.has(kind) ? 1 : 0) |
      (due && !due.has(dueClass) ? 2 : 0) |
      (operations && !(check && operations.has(check.operation)) ? 4 : 0) |
      (tags && !entry.tags.some((tag) => tags.has(tag)) ? 8 : 0) |
      (assignees && !assignees.has(assignee) ? 16 : 0)
    if (dropped === 0) list.push(entry)
    // Each value is counted by all filters but its own.
    if ((dropped & ~1) === 0) counts.kinds[kind] += 1
    if ((dropped & ~2) === 0) counts.due[dueClass] += 1
    if ((dropped & ~4) === 0 && check) add(counts.operations, check.operation)
    if ((dropped & ~8) === 0) for (const tag of entry.tags) add(counts.tags, tag)
    if ((dropped & ~16) === 0) add(counts.assignees, assignee)
  }
  for (const tag of tags ?? []) if (!counts.tags.has(tag)) counts.tags.set(tag, 0)
  for (const name of assignees ?? []) if (!counts.assignees.has(name)) counts.assignees.set(name, 0)
  const byCount = [...counts.tags].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return {
    list,
    kinds: counts.kinds,
    due: counts.due,
    operations: counts.operations,
    tags: byCount
      .filter(([tag], index) => index < listedTags || tags?.has(tag))
      .map(([value, count]) => ({ value, count })),
    assignees: [...counts.assignees].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => ({ value, count }))
  }
}
