/** Receives what other installations have shared, and names what is wrong with what the database shows. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { ShownHead, TeamTables } from '#team/log/database.ts'
import type { OwnHistory, TeamPlace } from '#team/thread/ports.ts'
import { receive } from './receive.ts'
import { onReceived } from '#team/storage/on-received.ts'
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

/**
 * Receives what is new of every other installation. Failures: those of the line; `team-store-unusable`. What is wrong with
 * an installation's events is a finding and does not keep others waiting.
 *
 * @param shown What the database says about every installation, asked just before.
 */
export async function pull(parts: InboxParts, shown: readonly ShownHead[], now: number): Answer<Pulled> {
  const { store, installation: self } = parts
  const heads = new Map(shown.map((head) => [head.installation, head]))
  const before = onReceived(() => ({
    withheld: withheldOf(parts, heads),
    known: store.heads().map(({ id }) => id),
    wrong: store.findings.all().map(({ installation }) => installation)
  }))
  if (!before.ok) return before
  const { withheld, known, wrong } = before.value
  const found: Failure[] = []
  let [events, more] = [0, false]
  for (const installation of new Set([...heads.keys(), ...known, ...withheld.keys(), ...wrong])) {
    if (installation === self) continue
    const done = await follow(parts, installation, heads.get(installation), now)
    if (!done.ok) return done
    events += done.value.events
    more ||= done.value.more
    const missing = withheld.get(installation)
    const noted = onReceived(() =>
      store.findings.find(installation, missing ? [...done.value.failures, missing] : done.value.failures, now)
    )
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
async function follow(
  parts: InboxParts,
  installation: string,
  shown: ShownHead | undefined,
  now: number
): Answer<Followed> {
  const { store, members } = parts
  const state = onReceived(() => {
    const head = store.head(installation)
    return { head, isFrozen: store.isFrozen(installation), hash: shown && store.hashAt(installation, shown.seq) }
  })
  if (!state.ok) return state
  const { head } = state.value
  const failures: Failure[] = []
  const nothing = (why: readonly Failure[] = []): Result<Followed, Failure> =>
    ok({ events: 0, failures: [...failures, ...why], more: false })
  // Of a removed installation, the list of members names the last event.
  const listed = members.at(installation, { seq: 1 })
  const expected = Math.max(head.seq, 'publicKey' in listed ? (listed.last?.seq ?? 0) : 0)
  if ((shown?.seq ?? 0) < expected)
    failures.push(failure('team-events-rolled-back', { installation, found: shown?.seq ?? 0, expected }))
  if (!shown || state.value.isFrozen) return nothing()
  if (shown.seq <= head.seq) {
    if (state.value.hash?.equals(shown.hash)) return nothing()
    const refused = failure('team-events-refused', { installation, event: shown.seq, reason: 'hash' })
    const why = await otherPast(parts, installation, shown.seq, now, refused)
    return why.ok ? nothing(why.value) : why
  }
  // The database can invent installations: it is not asked about them.
  const member = members.at(installation, { seq: head.seq + 1 })
  if ('refused' in member)
    return nothing([
      failure('team-installation-refused', { installation, event: head.seq + 1, reason: member.refused })
    ])
  const received = await receivePages(parts, installation, head, shown.seq, now)
  return received.ok ? ok({ ...received.value, failures: [...failures, ...received.value.failures] }) : received
}

/** Receives the pages after a head, up to a number; what the first event that does not follow means ends it. */
async function receivePages(
  parts: InboxParts,
  installation: string,
  from: ReturnType<Received['head']>,
  until: number,
  now: number
): Answer<Followed> {
  const { store, tables, team, keys, members } = parts
  let head = from
  let events = 0
  let ahead: { readonly after: number; readonly page: ReturnType<typeof tables.events> } | undefined
  for (let page = 0; head.seq < until; page += 1) {
    if (page === pagesAtOnce) return ok({ events, failures: [], more: true })
    const rows = await (ahead?.after === head.seq ? ahead.page : tables.events(installation, head.seq))
    if (!rows.ok) return rows
    // The database prepares the next page while this one is verified, if this one ends with a segment and is accepted.
    const after = rows.value.findLast(({ sig }) => sig !== null)?.seq ?? head.seq
    ahead =
      after > head.seq && after < until && page + 1 < pagesAtOnce
        ? { after, page: tables.events(installation, after) }
        : undefined
    const taken = onReceived(() => ({
      ...receive(rows.value, { store, team, installation, keys, members }, now),
      head: store.head(installation)
    }))
    if (!taken.ok) return taken
    events += taken.value.events
    const why =
      taken.value.failure ??
      (taken.value.events === 0
        ? failure('team-events-refused', { installation, event: head.seq + 1, reason: 'hidden' })
        : undefined)
    head = taken.value.head
    if (!why) continue
    // The first event that does not follow may belong to another past of its installation.
    const mayBeOther = head.seq > 0 && why.code === 'team-events-refused'
    const failures = mayBeOther ? await otherPast(parts, installation, head.seq, now, why) : ok([why])
    return failures.ok ? ok({ events, failures: failures.value, more: false }) : failures
  }
  return ok({ events, failures: [], more: false })
}

/** What events that differ from those received before mean; `otherwise` if none does. */
async function otherPast(
  parts: InboxParts,
  installation: string,
  until: number,
  now: number,
  otherwise: Failure
): Answer<readonly Failure[]> {
  const found = await compare(parts, installation, until, now)
  return found.ok && found.value.length === 0 ? ok([otherwise]) : found
}

/**
 * Compares the events up to a number with those that were received before. If they differ, the first ones that do are
 * looked at: signed, they prove a fork. @returns What that means; nothing if they are the same.
 *
 * A hash covers everything before it, so the first that differs is found by halves: in at most as many questions as the
 * number has binary digits, whatever the answers are.
 */
async function compare(
  { tables, store, team, keys, members }: InboxParts,
  installation: string,
  until: number,
  now: number
): Answer<readonly Failure[]> {
  let [same, differs] = [0, until + 1]
  for (let seq = until; same + 1 < differs; seq = Math.floor((same + differs) / 2)) {
    const hashes = await tables.hashes(installation, seq, 1)
    if (!hashes.ok) return hashes
    const [shown] = hashes.value
    if (shown?.seq !== seq) return ok([failure('team-events-refused', { installation, event: seq, reason: 'hidden' })])
    const known = onReceived(() => store.hashAt(installation, seq))
    if (!known.ok) return known
    if (known.value?.equals(shown.hash)) same = seq
    else differs = seq
  }
  if (differs > until) return ok([])
  const rows = await tables.events(installation, differs - 1)
  if (!rows.ok) return rows
  const taken = onReceived(() => receive(rows.value, { store, team, installation, keys, members }, now))
  if (!taken.ok) return taken
  return ok([taken.value.failure ?? failure('team-events-refused', { installation, event: differs, reason: 'hash' })])
}

/**
 * Events that another installation has received and the database does not show here. Of what was anchored before it was
 * asked; events that would not count are none.
 */
function withheldOf(
  { store, members, installation: self }: InboxParts,
  shown: ReadonlyMap<string, ShownHead>
): ReadonlyMap<string, Failure> {
  const withheld = new Map<string, Failure>()
  for (const { by, of, seq } of store.ahead()) {
    const found = shown.get(of)?.seq ?? 0
    // What was here already is rolled back rather than withheld.
    if (of === self || found >= seq || store.head(of).seq > found || 'refused' in members.at(of, { seq })) continue
    withheld.set(of, failure('team-events-withheld', { installation: of, other: by, expected: seq, found }))
  }
  return withheld
}

/** Compares what others have anchored with what is here, as far as it is here. */
async function compareAnchors(
  { store, history, installation: self }: InboxParts,
  now: number
): Answer<readonly Failure[]> {
  const unchecked = onReceived(() => store.unchecked(self))
  if (!unchecked.ok) return unchecked
  const found: Failure[] = []
  for (const head of unchecked.value) {
    const own = head.of === self ? await history.read({ after: head.seq, events: 0, bytes: 0 }) : undefined
    if (own && !own.ok) return own
    const noted = onReceived(() => {
      const here = own ? own.value.before : store.hashAt(head.of, head.seq)?.toString('hex')
      const isSame = here === head.hash
      store.noteChecked(head, isSame)
      if (isSame) return
      found.push(
        ...store.findings.note(
          head.of,
          [failure('team-views-differ', { installation: head.of, other: head.by, event: head.seq })],
          now
        )
      )
    })
    if (!noted.ok) return noted
  }
  return ok(found)
}
