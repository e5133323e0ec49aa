/** Iterates over applicants in the order of their activity, in blocks: one iterator per state, merged. */
import type { ApplicantCursor } from '#contract/applicants/applicants.ts'
import { applicantStates } from '#contract/applicants/applicants.ts'
import type { ApplicantRow } from '../projections/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'

const block = 256
const all = applicantStates.map((_, code) => code)

export interface Streams {
  /** Latest activity first, before a position. */
  newest(from: ApplicantCursor, states?: readonly number[]): Iterable<ApplicantRow>
  tagged(from: ApplicantCursor): Iterable<ApplicantRow>
}

type Fetch = (from: ApplicantCursor) => ApplicantRow[]

function* blocks(fetch: Fetch, from: ApplicantCursor, placeOf: (row: ApplicantRow) => number): Generator<ApplicantRow> {
  for (let place = from; ;) {
    const rows = fetch(place)
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < block) return
    place = { at: placeOf(last), ref: last.subject }
  }
}

/** Merges sorted iterators. */
export function* merged<T>(walks: readonly Iterator<T>[], compare: (a: T, b: T) => number): Generator<T> {
  const heads = walks.map((walk) => ({ walk, next: walk.next() })).filter(({ next }) => !next.done)
  while (heads.length > 0) {
    let first = heads[0]
    for (const head of heads) if (first && compare(head.next.value as T, first.next.value as T) < 0) first = head
    if (!first) return
    yield first.next.value as T
    first.next = first.walk.next()
    if (first.next.done) heads.splice(heads.indexOf(first), 1)
  }
}

export function streams(history: Db): Streams {
  const down = history.prepare(
    `SELECT * FROM applicant WHERE state = ? AND (last_at, subject) < (?, ?) ORDER BY last_at DESC, subject DESC LIMIT ${block}`
  )
  const tagged = history.prepare(
    `SELECT * FROM applicant WHERE tags IS NOT NULL AND (last_at, subject) < (?, ?) ORDER BY last_at DESC, subject DESC LIMIT ${block}`
  )
  const activity = (row: ApplicantRow): number => row.last_at
  return {
    newest: (from, states = all) =>
      merged(
        states.map((state) => blocks(({ at, ref }) => down.all(state, at, ref) as ApplicantRow[], from, activity)),
        (a, b) => b.last_at - a.last_at || b.subject - a.subject
      ),
    tagged: (from) => blocks(({ at, ref }) => tagged.all(at, ref) as ApplicantRow[], from, activity)
  }
}
