/** Shares the events of this installation: from the last one that the database has, in segments. */
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import type { OutgoingEvent } from '#wire/history/exchange.ts'
import { refusals } from '#team/database/schema.ts'
import type { SubjectParts } from '../subjects/ports.ts'
import { publishSubjects, type Published } from '../subjects/publishing.ts'
import type { ShownHead, TeamTables } from '#team/log/database.ts'
import type { OwnHistory } from '#team/thread/ports.ts'
import type { Received } from './received.ts'
import { onReceived } from '#team/storage/on-received.ts'
import { segmentLimits, segmentOf, type Sealing } from './segments.ts'
import { sharesSealed, sharesValues } from '#team/log/shared-kinds.ts'
import { isSignedBy } from '#team/log/signature.ts'

type Answer<T> = Promise<Result<T, Failure>>

export interface OutboxParts extends Sealing {
  readonly tables: TeamTables
  readonly history: Pick<OwnHistory, 'read'>
  /** The public half of the signing key, hex. */
  readonly publicKey: string
  readonly subjects: SubjectParts
  readonly store: Pick<Received, 'erasures'>
  readonly now: number
}

/** Segments that are sent before the caller looks at what others shared. */
const segmentsAtOnce = 16
export const nothingShared: KnownHead = { seq: 0, hash: '00'.repeat(32) }

export interface Pushed {
  /** The last event of this installation that the database has. */
  readonly shared: KnownHead
  readonly events: number
  readonly more: boolean
  /** The database has keys that are newer than those here. */
  readonly outdated: boolean
}

/**
 * Sends what the database does not have yet. Repeating it after an answer that was lost changes nothing: it starts from
 * what the database says, and only if that is part of the history here.
 *
 * Failures: those of the line; `team-installation-restored` if the database has events that this installation signed and
 * no longer has (it needs a new ID; nothing is ever renumbered); `team-events-refused` if it has events in the name of this
 * installation that it did not sign; those of `segmentOf` and `publishSubjects`; `team-segment-refused`.
 *
 * @param shown What the database says about this installation.
 */
export async function push(parts: OutboxParts, shown: ShownHead | undefined): Answer<Pushed> {
  let head = shown ? { seq: shown.seq, hash: shown.hash.toString('hex') } : nothingShared
  let [events, outdated] = [0, false]
  for (let segment = 0; ; segment += 1) {
    const read = await parts.history.read({ after: head.seq, ...segmentLimits })
    if (!read.ok) return read
    const {
      before,
      last,
      events: [first, ...rest]
    } = read.value
    if (before !== head.hash) return strange(parts, head)
    const done = (more: boolean): Result<Pushed, Failure> => ok({ shared: head, events, more, outdated })
    if (!first) return done(false)
    if (segment === segmentsAtOnce) return done(true)
    const sent = await send(parts, [first, ...rest], head)
    if (!sent.ok) return sent
    events += sent.value.head.seq - head.seq
    head = sent.value.head
    outdated ||= sent.value.outdated
    if (head.seq >= last.seq) return done(false)
  }
}

async function send(
  parts: OutboxParts,
  events: readonly [OutgoingEvent, ...OutgoingEvent[]],
  head: KnownHead
): Answer<{ readonly head: KnownHead; readonly outdated: boolean }> {
  const { tables, keys, signingKey, team, installation } = parts
  const segment = segmentOf(events, Buffer.from(head.hash, 'hex'), { keys, signingKey, team, installation })
  if (!segment.ok) return segment
  const { hashes } = segment.value
  // Before the events: whoever receives them finds the keys.
  const published = await publish(parts, events.slice(0, hashes.length), segment.value.epoch)
  if (!published.ok) return refused(published.failure, head.seq + 1)
  const appended = await tables.append(segment.value)
  if (!appended.ok) return refused(appended.failure, head.seq + 1)
  return ok({
    head: { seq: head.seq + hashes.length, hash: hashes.at(-1)?.toString('hex') ?? head.hash },
    outdated: published.value.outdated
  })
}

/** Publishes the keys that events of this installation need: none for those that share no values. Notes what erases. */
async function publish(
  { subjects, store, now }: Pick<OutboxParts, 'subjects' | 'store' | 'now'>,
  events: readonly OutgoingEvent[],
  epoch: number
): Answer<Published> {
  const published = await publishSubjects(
    subjects,
    events.map((event) => ({ ...event, sealed: sharesSealed(event) ? event.sealed : null }))
  )
  if (!published.ok) return published
  const noted = onReceived(() =>
    store.erasures.noteOwn(
      events.filter(sharesValues).map((event) => ({ ...event, epoch })),
      now
    )
  )
  return noted.ok ? published : noted
}

/**
 * Publishes the keys for events that the database has already, a page at a time: the file that says which keys it was
 * given may be younger than they are. @returns Whether there is more to do. Failures: as `push`.
 *
 * @param shared The last event that the database has.
 */
export async function publishShared(
  parts: Pick<OutboxParts, 'history' | 'subjects' | 'store' | 'now'>,
  shared: KnownHead
): Answer<boolean> {
  const { history, subjects } = parts
  const until = onReceived(() => subjects.store.publishedUntil)
  if (!until.ok) return until
  if (until.value >= shared.seq) return ok(false)
  const read = await history.read({ after: until.value, ...segmentLimits })
  if (!read.ok) return read
  // The epoch that they were sealed in is not known any more: other installations know it.
  const published = await publish(parts, read.value.events, 0)
  return published.ok
    ? ok(read.value.events.length > 0 && (read.value.events.at(-1)?.seq ?? 0) < shared.seq)
    : published
}

const reasons = { [refusals.fork]: 'fork', [refusals.gap]: 'gap', [refusals.tooLarge]: 'too-large' } as const

function refused(why: Failure, event: number): Result<never, Failure> {
  const reason = (reasons as Readonly<Record<string, (typeof reasons)[keyof typeof reasons]>>)[
    String(why.details?.['sqlState'])
  ]
  return reason ? failed('team-segment-refused', { event, reason }) : { ok: false, failure: why }
}

/** The database has an event of this installation that its history does not have. Who signed it decides what that means. */
async function strange(
  { tables, team, installation, publicKey }: OutboxParts,
  { seq, hash }: KnownHead
): Answer<never> {
  const rows = await tables.events(installation, seq - 1)
  if (!rows.ok) return rows
  const row = rows.value.find((each) => each.seq === seq)
  const isOwn =
    row?.sig?.length === 64 &&
    row.hash.toString('hex') === hash &&
    isSignedBy(publicKey, { team, installation, seq, hash: row.hash }, row.sig)
  return {
    ok: false,
    failure: isOwn
      ? failure('team-installation-restored', { event: seq })
      : failure('team-events-refused', { installation, event: seq, reason: 'signature' })
  }
}
