/** Verifies events of another installation: order, chain, place, values, key and signature. Pure. */
import { failure, type Failure, type FailureDetails } from '#contract/failures/failures.ts'
import { sha256 } from '#kit/bytes.ts'
import { limits } from '#team/database/schema.ts'
import { bodyKey, openBody } from './body.ts'
import { hashedBytesOf, readContent, type SharedEvent } from '#team/log/content.ts'
import type { ShownEvent } from '#team/log/database.ts'
import type { ContentKeys, Members, TeamPlace } from '#team/thread/ports.ts'
import { isSignedBy } from '#team/log/signature.ts'

/** The last verified event of an installation. */
export interface ChainPoint {
  readonly seq: number
  readonly hash: Buffer
  /** Of its key; a later event has the same or a newer one. */
  readonly epoch: number
}
export const chainStart: ChainPoint = { seq: 0, hash: Buffer.alloc(32), epoch: 0 }

export interface VerifiedEvent extends ChainPoint {
  readonly sig: Buffer | null
  readonly content: Buffer
  readonly event: SharedEvent
  /** What its hash covers. */
  readonly hashed: Buffer
}

export interface Verified {
  /** Up to the last signature that holds. */
  readonly events: readonly VerifiedEvent[]
  /** Why the next event was not accepted. */
  readonly failure?: Failure
}

export interface Verifying extends TeamPlace {
  readonly keys: Pick<ContentKeys, 'of'>
  readonly members: Members
}

type Reason = Extract<FailureDetails<'team-events-refused'>, { readonly reason: string }>['reason']

/** An event whose body, form, values and hash hold, or what of it does not. */
function opened(
  key: ReturnType<typeof bodyKey>,
  place: TeamPlace,
  { seq, epoch, hash, sig, body }: ShownEvent,
  before: Buffer
): VerifiedEvent | 'newer' | Reason {
  const content = openBody(key, { ...place, seq, epoch, hash }, body)
  if (!content) return 'body'
  const event = readContent(content)
  if (event === 'newer') return 'newer'
  if (!event) return 'form'
  const hashed = hashedBytesOf(event, seq, before)
  if (!hashed) return 'values'
  return sha256(hashed).equals(hash) ? { seq, hash, epoch, sig, content, event, hashed } : 'hash'
}

const openFault = (why: 'newer' | Reason, installation: string, event: number): Failure =>
  why === 'newer'
    ? failure('team-form-newer', { installation, event })
    : failure('team-events-refused', { installation, event, reason: why })

/** Why a segment does not count that begins with an event: its installation was removed, or did not sign its end. */
function signerFault(
  member: Exclude<ReturnType<Verifying['members']['at']>, { readonly refused: unknown }>,
  place: TeamPlace,
  { seq, hash }: ShownEvent,
  sig: Buffer,
  first: number
): Failure | undefined {
  const { installation } = place
  if (member.last?.seq === seq && member.last.hash !== hash.toString('hex'))
    return failure('team-installation-refused', { installation, event: first, reason: 'removed' })
  return isSignedBy(member.publicKey, { ...place, seq, hash }, sig)
    ? undefined
    : failure('team-events-refused', { installation, event: first, reason: 'signature' })
}

/** The keys of bodies by epoch, each derived once. */
function bodyKeysOf(
  keys: Verifying['keys'],
  place: TeamPlace
): (epoch: number) => ReturnType<typeof bodyKey> | undefined {
  const known = new Map<number, ReturnType<typeof bodyKey>>()
  return (epoch) => {
    const content = known.has(epoch) ? undefined : keys.of(epoch)
    if (content) known.set(epoch, bodyKey(content, place))
    return known.get(epoch)
  }
}

/**
 * Verifies events that follow a verified one. Nothing of a segment counts before its signature does.
 *
 * Failures: `team-events-refused`, `team-installation-refused`, `team-key-awaited`, `team-form-newer`; what was accepted
 * before stays accepted.
 */
export function verifyEvents(
  from: ChainPoint,
  rows: readonly ShownEvent[],
  { team, installation, keys, members }: Verifying
): Verified {
  const accepted: VerifiedEvent[] = []
  let pending: VerifiedEvent[] = []
  let last = from
  const keyOf = bodyKeysOf(keys, { team, installation })
  const stop = (why: Failure): Verified => ({ events: accepted, failure: why })
  const refuse = (event: number, reason: Reason): Verified =>
    stop(failure('team-events-refused', { installation, event, reason }))
  for (const row of rows) {
    const { seq, epoch, sig } = row
    if (seq !== last.seq + 1) return refuse(last.seq + 1, seq > last.seq ? 'gap' : 'order')
    const first = pending[0]?.seq ?? seq
    const member = pending.length === 0 || sig ? members.at(installation, { seq }) : undefined
    if (member && 'refused' in member)
      return stop(failure('team-installation-refused', { installation, event: first, reason: member.refused }))
    if (epoch < last.epoch) return refuse(seq, 'epoch')
    const key = keyOf(epoch)
    if (!key) return stop(failure('team-key-awaited', { installation, event: seq, number: epoch }))
    const verified = opened(key, { team, installation }, row, last.hash)
    if (typeof verified === 'string') return stop(openFault(verified, installation, seq))
    pending.push(verified)
    last = verified
    if (sig && member) {
      const fault = signerFault(member, { team, installation }, row, sig, first)
      if (fault) return stop(fault)
      accepted.push(...pending)
      pending = []
    } else if (pending.length >= limits.segmentEvents) return refuse(first, 'unsigned')
  }
  // The first segment of a page is whole, so a page without a signature is no page of an honest database.
  return accepted.length === 0 && pending[0] ? refuse(pending[0].seq, 'unsigned') : { events: accepted }
}
