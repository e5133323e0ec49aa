/** One round of the exchange: look at the heads, share, receive, anchor. */
import { failure, type Failure } from '#contract/failures.ts'
import { ok, type Result } from '#contract/result.ts'
import { isAnchorDue } from './anchors.ts'
import { pull, type InboxParts } from './inbox.ts'
import { push, type OutboxParts, type Pushed } from './outbox.ts'
import type { OwnHistory } from './ports.ts'
import { onReceived } from './received-schema.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface RoundParts extends Omit<OutboxParts, 'history' | 'keys'>, Omit<InboxParts, 'history' | 'tables'> {
  readonly keys: OutboxParts['keys'] & InboxParts['keys']
  readonly history: OwnHistory
}

export interface Round {
  /** Events that left and that arrived. */
  readonly sent: number
  readonly received: number
  /** Why nothing was shared; others' events were received nevertheless. */
  readonly unshared?: Failure
  /** What is wrong and was not known before. */
  readonly found: readonly Failure[]
  readonly anchored: boolean
  /** Something is left that needs another round at once. */
  readonly more: boolean
}

/** Times of a round: the wall clock for display, and for how long events of others have been waiting for an anchor. */
export interface RoundTime {
  readonly now: number
  readonly waiting: number
}

/** Failures of which the line, the local file or the history is the reason: the round has ended with them. */
export async function exchangeOnce(parts: RoundParts, { now, waiting }: RoundTime): Answer<Round> {
  const heads = await parts.tables.heads()
  if (!heads.ok) return heads
  const own = heads.value.find(({ installation }) => installation === parts.installation)
  const shared = onReceived(() => parts.store.shared?.seq ?? 0)
  if (!shared.ok) return shared
  const pushed = await push(parts, own)
  const noted = onReceived(() => noteOwn(parts, pushed, { found: own?.seq ?? 0, expected: shared.value }, now))
  if (!noted.ok) return noted
  if (!pushed.ok && !isOwnAffair(pushed.failure)) return pushed
  const unshared = pushed.ok ? undefined : pushed.failure
  const pulled = await pull(parts, heads.value, now)
  if (!pulled.ok) return pulled
  const anchored = await anchor(parts, waiting)
  if (!anchored.ok) return anchored
  return ok({
    sent: pushed.ok ? pushed.value.events : 0, received: pulled.value.events, ...(unshared && { unshared }),
    found: [...noted.value, ...pulled.value.found], anchored: anchored.value, more: (pushed.ok && pushed.value.more) || pulled.value.more || anchored.value
  })
}

/** Of the events of this installation: what keeps them from being shared is no reason not to receive others. */
const isOwnAffair = ({ code }: Failure): boolean =>
  ['team-key-missing', 'team-event-too-large', 'team-installation-restored', 'team-events-refused', 'team-segment-refused', 'history-damaged'].includes(code)

/** Notes what is wrong with the events of this installation: the database lost some, or they cannot be sent. @returns What is new. */
function noteOwn({ store, installation }: RoundParts, pushed: Result<Pushed, Failure>, { found, expected }: { readonly found: number; readonly expected: number }, now: number): readonly Failure[] {
  if (pushed.ok) store.noteShared(pushed.value.shared)
  // They are sent again, so the next round would not notice any more that they were lost.
  const lost = found < expected ? [failure('team-events-rolled-back', { installation, found, expected })] : []
  if (pushed.ok) return store.find(installation, lost, now)
  // A line that was lost says nothing about what stood before.
  const others = isOwnAffair(pushed.failure) ? [pushed.failure] : store.findingsOf(installation).map((each) => each.failure)
  return store.find(installation, [...others, ...lost], now)
}

/** Says in the history here which events of others have arrived, if that is due. */
async function anchor({ store, history }: RoundParts, waiting: number): Answer<boolean> {
  const news = onReceived(() => store.unanchored())
  if (!news.ok) return news
  const { events, heads } = news.value
  if (!isAnchorDue(events, waiting)) return ok(false)
  const written = await history.anchor(heads)
  if (!written.ok) return written
  // After a crash in between they are anchored a second time, which changes nothing.
  const noted = onReceived(() => store.noteAnchored(heads))
  return noted.ok ? ok(true) : noted
}
