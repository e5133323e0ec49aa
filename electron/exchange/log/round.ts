/** One round of the exchange: look at the heads, share, receive, anchor. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { orderClaims } from '#team/claims/order.ts'
import { exchangeKeys, keyFaults, type KeysRound } from '../subjects/exchange-keys.ts'
import { acknowledge, renewKeys, type ErasureParts } from '../erasures/acknowledge.ts'
import { noteExchange } from '../erasures/expiry.ts'
import type { SubjectParts } from '../subjects/ports.ts'
import { findMissing } from '../subjects/publishing.ts'
import { isAnchorDue } from './anchors.ts'
import { followFormer } from './former.ts'
import { pull, type InboxParts, type Pulled } from './inbox.ts'
import type { ShownHead } from '#team/log/database.ts'
import { giveAgain, sendAgain } from './lost.ts'
import { nothingShared, publishShared, push, type OutboxParts, type Pushed } from './outbox.ts'
import type { OwnHistory, TeamKeys } from '#team/thread/ports.ts'
import { onReceived } from '#team/storage/on-received.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface RoundParts
  extends
    Omit<OutboxParts, 'history' | 'keys' | 'subjects' | 'store' | 'now'>,
    Omit<InboxParts, 'history' | 'tables'>,
    Pick<ErasureParts, 'renewing'> {
  readonly keys: TeamKeys
  readonly history: OwnHistory
  /** Nothing of this installation is shared before its user has chosen what. */
  readonly isSharing: boolean
}

export interface Round {
  /** Events that left and that arrived. */
  readonly sent: number
  readonly received: number
  /** Keys of colleagues' subjects that arrived: what they recorded can be read here now. */
  readonly keys: number
  /** Claims that the database has numbered since. */
  readonly claims: number
  /** Why nothing was shared; others' events were received nevertheless. */
  readonly unshared?: Failure
  /** What is wrong and was not known before. */
  readonly found: readonly Failure[]
  readonly anchored: boolean
  /** Events of members that the database has and that have not arrived. */
  readonly awaited: number
  /** Something is left that needs another round at once. */
  readonly more: boolean
  /** The database has keys that are newer than those here: the list of members has to be read again. */
  readonly outdated: boolean
}

/** Times of a round: the wall clock for display, and for how long events of others have been waiting for an anchor. */
export interface RoundTime {
  readonly now: number
  readonly waiting: number
  /** The database is asked whether it still has all that this installation has given it. */
  readonly isThorough?: boolean
}

/** Failures of which the line, the local file or the history is the reason: the round has ended with them. */
export async function exchangeOnce(parts: RoundParts, time: RoundTime): Answer<Round> {
  const heads = await parts.tables.heads()
  if (!heads.ok) return heads
  const first = await receiveFirst(parts, heads.value, time.now)
  if (!first.ok) return first
  if (!first.value) return exchange(parts, heads.value, time)
  const { events, found, more } = first.value
  // What arrived may name events that the database did not have before.
  const shown = events > 0 ? await parts.tables.heads() : heads
  if (!shown.ok) return shown
  const done = await exchange({ ...parts, isSharing: !more }, shown.value, time)
  return done.ok
    ? ok({
        ...done.value,
        received: events + done.value.received,
        found: [...found, ...done.value.found],
        more: more || done.value.more
      })
    : done
}

/**
 * Before anything is shared under a number of this installation, and whenever nothing is known of the team, everything is
 * received: under a former number, something of its history may have been erased for the team. Undefined if it is not due.
 */
async function receiveFirst(parts: RoundParts, heads: readonly ShownHead[], now: number): Answer<Pulled | undefined> {
  const { store, installation, isSharing } = parts
  const isFirst = onReceived(
    () =>
      isSharing &&
      (store.erasures.exchangedAt === undefined || !heads.some((head) => head.installation === installation))
  )
  if (!isFirst.ok) return isFirst
  return isFirst.value ? pull(parts, heads, now) : ok(undefined)
}

/** Shares what is new, without what was erased under a former number. */
async function share(
  parts: OutboxParts & Pick<RoundParts, 'store' | 'history'>,
  own: ShownHead | undefined
): Answer<Pushed> {
  const followed = await followFormer(parts)
  return followed.ok ? push(parts, own) : followed
}

/** Receives events. What is wrong with those of this installation is known once all are here, too. */
async function receive(parts: RoundParts, heads: readonly ShownHead[], now: number): ReturnType<typeof pull> {
  const pulled = await pull(parts, heads, now)
  if (!pulled.ok) return pulled
  const complete = onReceived(() => (pulled.value.more ? undefined : parts.store.onComplete(parts.installation, now)))
  return complete.ok ? pulled : complete
}

type Erased = Extract<Awaited<ReturnType<typeof erasuresOf>>, { readonly ok: true }>['value']

/** Says what was received, and carries out what was erased. */
async function conclude(
  parts: RoundParts,
  stand: Parameters<typeof erasuresOf>[1],
  { now, waiting }: RoundTime
): Answer<{ readonly anchored: boolean; readonly erased: Erased }> {
  const anchored = parts.isSharing ? await anchor(parts, waiting) : ok(false)
  if (!anchored.ok) return anchored
  const erased = await erasuresOf(parts, stand, now)
  return erased.ok ? ok({ anchored: anchored.value, erased: erased.value }) : erased
}

/** Before events are received: those of the claims that have a number are in the database, unless it withholds them. */
const order = ({ installation, tables, store, history }: RoundParts, shared: number): ReturnType<typeof orderClaims> =>
  orderClaims({ installation, tables: tables.claims, store: store.claims, history }, shared)

async function exchange(
  parts: RoundParts,
  heads: readonly ShownHead[],
  { now, waiting, isThorough = false }: RoundTime
): Answer<Round> {
  const subjects = subjectParts(parts)
  const own = await shareOwn(parts, subjects, heads, { now, waiting, isThorough })
  if (!own.ok) return own
  const { pushed, noted } = own.value
  const ordered = await order(parts, pushed?.shared.seq ?? 0)
  if (!ordered.ok) return ordered
  // What somebody else has shared before this installation did has arrived at the end of the round: docs/decisions/0020-shared-batches.md.
  const shown = pushed && pushed.events > 0 ? await parts.tables.heads() : ok(heads)
  if (!shown.ok) return shown
  const pulled = await receive(parts, shown.value, now)
  if (!pulled.ok) return pulled
  const keys = await keysOf(parts, subjects, { pushed, complete: !pulled.value.more }, now)
  if (!keys.ok) return keys
  const said = await conclude(
    parts,
    { isWhole: !pulled.value.more && !keys.value.more, maySay: parts.isSharing && pushed !== undefined },
    { now, waiting }
  )
  if (!said.ok) return said
  const { anchored, erased } = said.value
  const awaited = onReceived(() => awaitedOf(parts, shown.value))
  if (!awaited.ok) return awaited
  return ok({
    sent: pushed?.events ?? 0,
    received: pulled.value.events,
    keys: keys.value.keys,
    claims: ordered.value.claims,
    ...(own.value.unshared && { unshared: own.value.unshared }),
    found: [...noted, ...pulled.value.found, ...keys.value.found],
    anchored,
    awaited: awaited.value,
    more: anchored || [pushed, pulled.value, keys.value, ordered.value, erased].some((part) => part?.more),
    outdated: erased.renewed || [pushed, keys.value].some((part) => part?.outdated)
  })
}

interface OwnShared {
  /** Undefined where nothing could be shared. */
  readonly pushed?: Pushed
  readonly unshared?: Failure
  /** What is wrong with what the database has of this installation, and was not known before. */
  readonly noted: readonly Failure[]
}

/** Shares what is new here, and notes what the database has lost. */
async function shareOwn(
  parts: RoundParts,
  subjects: SubjectParts,
  heads: readonly ShownHead[],
  { now, isThorough }: RoundTime
): Answer<OwnShared> {
  const own = heads.find(({ installation }) => installation === parts.installation)
  const shared = onReceived(() => parts.store.shared?.seq ?? 0)
  if (!shared.ok) return shared
  const lost = onReceived(() => ((own?.seq ?? 0) < shared.value ? parts.store.subjects.startAgain() : undefined))
  if (!lost.ok) return lost
  const pushed = parts.isSharing
    ? await share({ ...parts, subjects, now }, own)
    : ok({ shared: nothingShared, events: 0, more: false, outdated: false })
  const again =
    isThorough && parts.isSharing && pushed.ok ? await lookForLost(parts, subjects, pushed.value) : ok(nothingLost)
  if (!again.ok) return again
  const noted = onReceived(() =>
    noteOwn(parts, pushed, { found: own?.seq ?? 0, expected: shared.value, again: again.value }, now)
  )
  if (!noted.ok) return noted
  if (pushed.ok) return ok({ pushed: pushed.value, noted: noted.value })
  return isOwnAffair(pushed.failure) ? ok({ unshared: pushed.failure, noted: noted.value }) : pushed
}

interface Lost {
  readonly events: number
  /** Of applicants, and of the team for its members. */
  readonly keys: number
}
const nothingLost: Lost = { events: 0, keys: 0 }

/** What the database no longer has of this installation is given again, the keys of applicants later in this round. */
async function lookForLost(parts: RoundParts, subjects: SubjectParts, { shared }: Pushed): Answer<Lost> {
  const events = await sendAgain(parts, shared)
  if (!events.ok) return events
  const boxes = await giveAgain(parts)
  if (!boxes.ok) return boxes
  const keys = await findMissing(subjects)
  return keys.ok ? ok({ events: events.value, keys: keys.value + boxes.value }) : keys
}

const subjectParts = ({ team, installation, keys, tables, store, history }: RoundParts): SubjectParts => ({
  team,
  installation,
  keys,
  tables: tables.keys,
  store: store.subjects,
  history,
  sealedAt: (of, seq) => store.sealedAt(of, seq)
})

/** Keys of subjects: published for events that were shared before, received, wrapped anew, erased. */
async function keysOf(
  { history, store, isSharing }: RoundParts,
  subjects: SubjectParts,
  { pushed, complete }: { readonly pushed: Pushed | undefined; readonly complete: boolean },
  now: number
): Answer<KeysRound & { readonly found: readonly Failure[] }> {
  const published = pushed ? await publishShared({ history, subjects, store, now }, pushed.shared) : ok(false)
  if (!published.ok) return published
  // Another history numbers its subjects anew: what is given under those numbers would be the key of somebody else.
  const done = await exchangeKeys(subjects, { now, complete, isSharing: isSharing && pushed !== undefined })
  if (!done.ok) return done
  const found = onReceived(() => store.findings.findKeys(keyFaults(subjects), now))
  return found.ok ? ok({ ...done.value, found: found.value, more: done.value.more || published.value }) : found
}

/** Once everything has arrived: notes when, acknowledges what others erased, and begins an epoch if one is due. */
async function erasuresOf(
  parts: RoundParts,
  { isWhole, maySay }: { readonly isWhole: boolean; readonly maySay: boolean },
  now: number
): Answer<{ readonly more: boolean; readonly renewed: boolean }> {
  if (!isWhole) return ok({ more: false, renewed: false })
  const noted = onReceived(() => noteExchange(parts.store, now))
  if (!noted.ok) return noted
  const said = maySay ? await acknowledge(parts) : ok(false)
  if (!said.ok) return said
  const renewed = await renewKeys(parts, now)
  return renewed.ok ? ok({ more: said.value || renewed.value, renewed: renewed.value }) : renewed
}

/** How many events of members are still to come, without those that are refused. */
const awaitedOf = ({ store, members, installation: self }: RoundParts, shown: readonly ShownHead[]): number =>
  shown.reduce((sum, { installation, seq }) => {
    const here = store.head(installation).seq
    const isRefused =
      installation === self ||
      'refused' in members.at(installation, { seq: here + 1 }) ||
      store.isFrozen(installation) ||
      store.findings.of(installation).some(({ failure: { code } }) => code === 'team-events-refused')
    return seq <= here || isRefused ? sum : sum + seq - here
  }, 0)

/** Of the events of this installation: what keeps them from being shared is no reason not to receive others. */
const isOwnAffair = ({ code }: Failure): boolean =>
  [
    'team-key-missing',
    'team-event-too-large',
    'team-installation-restored',
    'team-events-refused',
    'team-segment-refused',
    'history-damaged'
  ].includes(code)

/** Notes what is wrong with the events of this installation: the database lost some, or they cannot be sent. @returns What is new. */
function noteOwn(
  { store, installation, isSharing }: RoundParts,
  pushed: Result<Pushed, Failure>,
  shown: { readonly found: number; readonly expected: number; readonly again: Lost },
  now: number
): readonly Failure[] {
  const { events, keys } = shown.again
  if (pushed.ok && isSharing) store.noteShared(pushed.value.shared)
  const expected = Math.max(shown.expected, events > 0 ? shown.found : 0)
  const found = Math.min(shown.found, expected) - events
  // They are sent again, so the next round would not notice any more that they were lost.
  const lost = [
    ...(found < expected
      ? [failure('team-events-rolled-back', { installation, found: Math.max(0, found), expected })]
      : []),
    ...(events + keys > 0 ? [failure('team-given-again', { number: events, count: keys })] : [])
  ]
  if (pushed.ok) return store.findings.find(installation, lost, now)
  // A line that was lost says nothing about what stood before.
  return isOwnAffair(pushed.failure)
    ? store.findings.find(installation, [pushed.failure, ...lost], now)
    : store.findings.note(installation, lost, now)
}

/** Says in the history here which events of others have arrived, if that is due. */
async function anchor({ store, history }: RoundParts, waiting: number): Answer<boolean> {
  const news = onReceived(() => ({ ...store.unanchored(), isAwaited: store.losses.isUntold }))
  if (!news.ok) return news
  const { events, heads, isAwaited } = news.value
  if (!(isAwaited && events > 0) && !isAnchorDue(events, waiting)) return ok(false)
  const written = await history.anchor(heads)
  if (!written.ok) return written
  // After a crash in between they are anchored a second time, which changes nothing.
  const noted = onReceived(() => store.noteAnchored(heads))
  return noted.ok ? ok(true) : noted
}
