/** Rows of the catalogue as its list shows them: messages with one text together, in an order, narrowed and counted. */
import { readingMeanings, type CatalogueCounts, type CatalogueQuery } from '#contract/applicants/applicants.ts'
import type { MessageMeaning } from '#contract/applicants/applicants.ts'

/** A message as it is stored, with what is made of it. */
export interface MessageRow {
  readonly subject: number
  readonly operation: number
  readonly status: number
  readonly event: number
  readonly count: number
  readonly first_at: number
  readonly last_at: number
  readonly reading: number | null
  readonly means: MessageMeaning
  readonly own: number
}
export interface CatalogueGroup {
  /** The number of the message that was seen first. */
  readonly id: number
  readonly text: string
  /** Most answers first. */
  readonly rows: readonly [MessageRow, ...MessageRow[]]
  /** Unreviewed while one of the messages is; otherwise what most of the answers have. */
  readonly means: MessageMeaning
  readonly count: number
  readonly first: number
  readonly last: number
}

/** Messages with one text as one; an erased one, whose text nobody knows, stays alone. */
export function groupsOf(
  messages: Iterable<MessageRow>,
  textOf: (row: MessageRow) => string,
  merged: boolean
): CatalogueGroup[] {
  const byText = new Map<string | number, { readonly text: string; readonly rows: [MessageRow, ...MessageRow[]] }>()
  for (const row of messages) {
    const text = textOf(row)
    const key = merged && text !== '' ? text : row.subject
    const known = byText.get(key)
    if (known) known.rows.push(row)
    else byText.set(key, { text, rows: [row] })
  }
  return [...byText.values()].map(({ text, rows }) => {
    rows.sort((a, b) => b.count - a.count || a.subject - b.subject)
    return {
      id: Math.min(...rows.map(({ subject }) => subject)),
      text,
      rows,
      means: rows.some(({ means }) => means === 'unreviewed') ? 'unreviewed' : rows[0].means,
      count: rows.reduce((sum, { count }) => sum + count, 0),
      first: Math.min(...rows.map(({ first_at: at }) => at)),
      last: Math.max(...rows.map(({ last_at: at }) => at))
    }
  })
}

const add = (counts: Map<number, number>, value: number): void => void counts.set(value, (counts.get(value) ?? 0) + 1)

type Narrowing = Pick<CatalogueQuery, 'meanings' | 'fresh' | 'month' | 'statuses'>

/**
 * The rows that match, and for each value of a filter how many it would leave. Interpretations and `fresh` are one choice: their counts are
 * those of the views.
 *
 * @param operations Stored numbers; all if absent.
 */
export function narrowed(
  groups: readonly CatalogueGroup[],
  {
    meanings,
    fresh,
    month = Infinity,
    statuses,
    operations
  }: Narrowing & { operations?: ReadonlySet<number> | undefined }
): {
  readonly list: CatalogueGroup[]
  readonly counts: Omit<CatalogueCounts, 'operations'>
  readonly operations: Map<number, number>
} {
  const list: CatalogueGroup[] = []
  const counts = {
    all: 0,
    meanings: { good: 0, bad: 0, unclear: 0, unreviewed: 0 },
    fresh: 0
  }
  const [byOperation, byStatus] = [new Map<number, number>(), new Map<number, number>()]
  const isViewed = ({ means, first }: CatalogueGroup): boolean =>
    (!meanings?.length || meanings.includes(means)) && (!fresh || first >= month)
  for (const group of groups) {
    const viewed = isViewed(group)
    const asked = !operations || group.rows.some(({ operation }) => operations.has(operation))
    const answered = !statuses?.length || group.rows.some(({ status }) => statuses.includes(status))
    if (asked && answered) {
      counts.all += 1
      counts.meanings[group.means] += 1
      counts.fresh += Number(group.first >= month)
      if (viewed) list.push(group)
    }
    if (!viewed) continue
    if (answered) for (const ref of new Set(group.rows.map(({ operation }) => operation))) add(byOperation, ref)
    if (asked) for (const status of new Set(group.rows.map((row) => row.status))) add(byStatus, status)
  }
  return { list, counts: { ...counts, statuses: Object.fromEntries(byStatus) }, operations: byOperation }
}

const places: readonly MessageMeaning[] = ['unreviewed', ...readingMeanings]

/**
 * What a row is sorted by. @param rankOf The place of an operation's name among the others.
 */
export function keyOf(
  group: CatalogueGroup,
  by: NonNullable<CatalogueQuery['order']>['by'],
  rankOf: (operation: number) => number
): number {
  const [most] = group.rows
  switch (by) {
    case 'operation':
      return rankOf(most.operation)
    case 'reading':
      return places.indexOf(group.means)
    case 'status':
      return most.status
    case 'count':
      return group.count
    case 'last':
      return group.last
    case 'first':
      // They are numbered as they are first seen.
      return group.id
  }
}
