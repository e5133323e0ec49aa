/** Receives what other installations have shared, and names what is wrong with what the database shows. */
import { failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import type { ShownHead, TeamTables } from './database.ts'
import type { OwnHistory, TeamPlace } from './ports.ts'
import { receive } from './receive.ts'
import { onReceived } from './received-schema.ts'
import type { Received } from './received.ts'
import type { Verifying } from './verification.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface InboxParts extends TeamPlace, Pick<Verifying, 'keys' | 'members'> {
  readonly tables: TeamTables
  readonly store: Received
  readonly history: Pick<OwnHistory, 'read'>
}

export interface Pulled {
  readonly events: number
  /** What is wrong and was not known before. */
  readonly found: readonly Failure[]
  readonly more: boolean
}

/** Pages of one installation before the next one has its turn. */
const pagesAtOnce = 4
const hashesAtOnce = 4096

/**
 * Receives what is new of every other installation. Failures: those of the line; `team-store-unusable`. What is wrong with
 * an installation's events is a finding and does not keep others waiting.
 *
 * @param shown What the database says about every installation, asked just before.
 */
export async function pull(parts: InboxParts, shown: readonly ShownHead[], now: number): Answer<Pulled> {
  const { store, installation: self } = parts
  const found: Failure[] = []
  let [events, more] = [0, false]
  const withheld = onReceived(() => withheldOf(store, shown, self))
  if (!withheld.ok) return withheld
  const known = onReceived(() => store.heads().map(({ id }) => id))
  if (!known.ok) return known
  for (const installation of new Set([...shown.map((head) => head.installation), ...known.value])) {
    if (installation === self) continue
    const done = await follow(parts, installation, shown.find((head) => head.installation === installation), now)
    if (!done.ok) return done
    events += done.value.events
    more ||= done.value.more
    const noted = onReceived(() => store.find(installation, [...done.value.failures, ...(withheld.value.get(installation) ?? [])], now))
    if (!noted.ok) return noted
    found.push(...noted.value)
  }
  const differing = await compareAnchors(parts, now)
  return differing.ok ? ok({ events, found: [...found, ...differing.value], more }) : differing
}

interface Followed {
  readonly events: number
  readonly failures: readonly Failure[]
  readonly more: boolean
}

/** Receives what is new of one installation. */
async function follow(parts: InboxParts, installation: string, shown: ShownHead | undefined, now: number): Answer<Followed> {
  const { store, tables, team, keys, members } = parts
  const receiving = { store, team, installation, keys, members }
  const state = onReceived(() => ({ head: store.head(installation), isFrozen: store.isFrozen(installation) }))
  if (!state.ok) return state
  let { head } = state.value
  const failures: Failure[] = []
  if ((shown?.seq ?? 0) < head.seq) failures.push(failure('team-events-rolled-back', { installation, found: shown?.seq ?? 0, expected: head.seq }))
  if (!shown || state.value.isFrozen) return ok({ events: 0, failures, more: false })
  const known = onReceived(() => (shown.seq <= head.seq ? store.hashAt(installation, shown.seq) : undefined))
  if (!known.ok) return known
  if (shown.seq <= head.seq) {
    if (known.value?.equals(shown.hash)) return ok({ events: 0, failures, more: false })
    const other = await compare(parts, installation, shown.seq, now)
    return other.ok ? ok({ events: 0, failures: [...failures, ...other.value], more: false }) : other
  }
  let events = 0
  for (let page = 0; head.seq < shown.seq; page += 1) {
    if (page === pagesAtOnce) return ok({ events, failures, more: true })
    const rows = await tables.events(installation, head.seq)
    if (!rows.ok) return rows
    const taken = onReceived(() => receive(rows.value, receiving, now))
    if (!taken.ok) return taken
    events += taken.value.events
    const why = taken.value.failure ?? (taken.value.events === 0 ? failure('team-events-refused', { installation, event: head.seq + 1, reason: 'hidden' }) : undefined)
    const next = onReceived(() => store.head(installation))
    if (!next.ok) return next
    head = next.value
    if (!why) continue
    // The first event that does not follow may belong to another past of its installation.
    const other = head.seq > 0 && why.code === 'team-events-refused' ? await compare(parts, installation, head.seq, now) : ok([])
    return other.ok ? ok({ events, failures: [...failures, ...(other.value.length > 0 ? other.value : [why])], more: false }) : other
  }
  return ok({ events, failures, more: false })
}

/**
 * Compares the events up to a number with those that were received before. If they differ, the first ones that do are
 * looked at: signed, they prove a fork. @returns What that means; nothing if they are the same.
 */
async function compare(parts: InboxParts, installation: string, until: number, now: number): Answer<readonly Failure[]> {
  const { tables, store, team, keys, members } = parts
  let differs = 0
  for (let from = until; from > 0; ) {
    const hashes = await tables.hashes(installation, from, hashesAtOnce)
    if (!hashes.ok) return hashes
    const same = onReceived(() => hashes.value.findIndex(({ seq, hash }) => store.hashAt(installation, seq)?.equals(hash)))
    if (!same.ok) return same
    const others = same.value < 0 ? hashes.value : hashes.value.slice(0, same.value)
    differs = others.at(-1)?.seq ?? differs
    // An answer that does not go on towards the first event is none.
    if (same.value >= 0 || others.length === 0 || differs >= from + 1) break
    from = differs - 1
  }
  if (differs === 0) return ok([])
  const rows = await tables.events(installation, differs - 1)
  if (!rows.ok) return rows
  const taken = onReceived(() => receive(rows.value, { store, team, installation, keys, members }, now))
  if (!taken.ok) return taken
  return ok([taken.value.failure ?? failure('team-events-refused', { installation, event: differs, reason: 'hash' })])
}

/** Events that another installation has received and the database does not show here. Of what was anchored before it was asked. */
function withheldOf(store: Received, shown: readonly ShownHead[], self: string): ReadonlyMap<string, readonly Failure[]> {
  const seqs = new Map(shown.map(({ installation, seq }) => [installation, seq]))
  const withheld = new Map<string, Failure[]>()
  for (const { by, of, seq } of store.anchored()) {
    const found = seqs.get(of) ?? 0
    // What was here already is rolled back rather than withheld.
    if (of === self || found >= seq || store.head(of).seq > found) continue
    withheld.set(of, [failure('team-events-withheld', { installation: of, other: by, expected: seq, found })])
  }
  return withheld
}

/** Compares what others have anchored with what is here, as far as it is here. */
async function compareAnchors({ store, history, installation: self }: InboxParts, now: number): Answer<readonly Failure[]> {
  const unchecked = onReceived(() => store.unchecked())
  if (!unchecked.ok) return unchecked
  const found: Failure[] = []
  for (const head of unchecked.value) {
    const own = head.of === self ? await history.read({ after: head.seq, events: 0, bytes: 0 }) : undefined
    if (own && !own.ok) return own
    const noted = onReceived(() => {
      const here = own ? own.value.before : store.hashAt(head.of, head.seq)?.toString('hex')
      if (here === undefined) return
      store.noteChecked(head, here === head.hash)
      if (here === head.hash) return
      const known = store.findings().filter(({ installation }) => installation === head.of).map((each) => each.failure)
      found.push(...store.find(head.of, [...known, failure('team-views-differ', { installation: head.of, other: head.by, event: head.seq })], now))
    })
    if (!noted.ok) return noted
  }
  return ok(found)
}
