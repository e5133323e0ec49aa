/** The orders of the work queue. Items without the value that is sorted by come last, in either direction. */
import type { QueueOrder } from '#contract/applicants/queue.ts'
import type { Waiting } from './queue-entries.ts'

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

export function compareBy({ by, reversed = false }: QueueOrder): (a: Waiting, b: Waiting) => number {
  const value = valueOf[by]
  const sign = latestFirst.has(by) === reversed ? 1 : -1
  return (one, other) => {
    const [a, b] = [value(one), value(other)]
    const missing = Number(a === undefined) - Number(b === undefined)
    return missing || sign * compareValues(a, b) || compareValues(one.since, other.since) || compareRefs(one, other)
  }
}
