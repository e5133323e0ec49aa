/**
 * Who belongs to a team, and with which role: what a chain of signed entries says. Whoever stores the entries is not
 * trusted with any of it. The rules: rules.ts; why: docs/decisions/0017-team-keys.md.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { parseEntry, type Entry, type ReadEntry } from './entry.ts'
import { changed } from './rules.ts'
import type { EntryRefusal, RosterState } from './state.ts'

/** The last entry that was verified. */
export interface RosterHead {
  readonly height: number
  readonly hash: string
}

export interface Roster extends RosterState {
  readonly head: RosterHead
}

const refused = (reason: EntryRefusal, number: number): Result<never, Failure> =>
  failed('team-roster-refused', { reason, number })

/**
 * Verifies a list of members from its first entry. Failure: `team-roster-refused` with the number of the entry; nothing
 * of such a list counts.
 *
 * @param texts All entries in their order, from a source that nobody trusts.
 * @param team Fingerprint of the team, compared by people.
 * @param seen The last entry that this installation ever verified, which it remembers; undefined the first time.
 */
export function readRoster(
  texts: readonly string[],
  team: string,
  seen: RosterHead | undefined
): Result<Roster, Failure> {
  let state: RosterState | undefined
  let head: RosterHead = { height: 0, hash: '' }
  let atSeen: string | undefined
  for (const text of texts) {
    const number = head.height + 1
    const read = parseEntry(text)
    if (!read) return refused('form', number)
    const misplaced = placeFault(read, head, team)
    if (misplaced) return refused(misplaced, number)
    const next = changed(state, read)
    if (!next.ok) return refused(next.failure, number)
    state = next.value
    head = { height: number, hash: read.hash }
    if (number === seen?.height) atSeen = read.hash
  }
  if (!state) return refused('empty', 1)
  if (seen && head.height < seen.height) return refused('older', head.height)
  if (seen && atSeen !== seen.hash) return refused('other', seen.height)
  return ok({ ...state, head })
}

/** Why an entry cannot stand here. */
function placeFault({ entry, hash }: ReadEntry, head: RosterHead, team: string): EntryRefusal | undefined {
  if (entry.height > head.height + 1) return 'gap'
  if (entry.height <= head.height) return 'repeated'
  if (head.height === 0)
    return hash === team && entry.kind === 'genesis' && entry.previous === null ? undefined : 'genesis'
  return entry.previous === head.hash ? undefined : 'fork'
}

/** What an author gives; the rest follows from the list. */
export type Draft = Entry extends infer Each
  ? Each extends { readonly kind: 'genesis' }
    ? never
    : Each extends Entry
      ? Omit<Each, 'version' | 'height' | 'previous'>
      : never
  : never

/** The next entry of a list, not signed yet. */
export const following = ({ head }: Pick<Roster, 'head'>, draft: Draft): Entry => ({
  ...draft,
  version: 1,
  height: head.height + 1,
  previous: head.hash
})

/** Adds an entry that is not stored yet, as everybody else will. Failure: `team-roster-refused`, so that nobody stores what others refuse. */
export function extended(roster: Roster, text: string): Result<Roster, Failure> {
  const number = roster.head.height + 1
  const read = parseEntry(text)
  if (!read) return refused('form', number)
  const misplaced = placeFault(read, roster.head, roster.team)
  if (misplaced) return refused(misplaced, number)
  const next = changed(roster, read)
  return next.ok ? ok({ ...next.value, head: { height: number, hash: read.hash } }) : refused(next.failure, number)
}
