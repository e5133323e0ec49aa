/** Makes segments of this installation's events: sealed, signed, and each within the limits of the database. */
import type { KeyObject } from 'node:crypto'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OutgoingEvent } from '#wire/history/exchange.ts'
import { sha256 } from '#kit/bytes.ts'
import { limits } from '#team/database/schema.ts'
import { bodyKey, sealBody } from './body.ts'
import { contentOf, hashedBytesOf, readContent } from '#team/log/content.ts'
import type { Segment } from '#team/log/database.ts'
import type { ContentKeys, TeamPlace } from '#team/thread/ports.ts'
import { signHead } from '#team/log/signature.ts'

/** Of one segment, sealed. A page of a reader holds at least one, and a slow line sends it within a minute. */
export const segmentLimits = { events: limits.segmentEvents, bytes: 4 * 1024 * 1024 } as const

export interface Sealing extends TeamPlace {
  readonly keys: Pick<ContentKeys, 'current'>
  /** Ed25519. */
  readonly signingKey: KeyObject
}

/** A response that is too large stays here, and if that does not suffice, all sealed parts: the hash covers them anyway. */
const omissions = [undefined, 'reply', 'sealed'] as const

/**
 * Seals events that follow each other into one segment, and signs the last: as many of the first ones as its limits allow,
 * at least one.
 *
 * Failures: `team-key-missing`; `team-event-too-large`; `history-damaged` for an event that does not have its hash, which
 * nobody would accept.
 *
 * @param previous The hash of the event before.
 */
export function segmentOf(
  events: readonly [OutgoingEvent, ...OutgoingEvent[]],
  previous: Buffer,
  { keys, signingKey, ...place }: Sealing
): Result<Segment, Failure> {
  const current = keys.current()
  if (!current) return failed('team-key-missing')
  const key = bodyKey(current.key, place)
  const [hashes, bodies]: [Buffer[], Buffer[]] = [[], []]
  let size = 0
  for (const event of events) {
    const hash = Buffer.from(event.hash, 'hex')
    const shared = readContent(contentOf(event))
    const hashed =
      shared && shared !== 'newer' ? hashedBytesOf(shared, event.seq, hashes.at(-1) ?? previous) : undefined
    if (!hashed || !sha256(hashed).equals(hash))
      return failed('history-damaged', { reason: 'event-changed', number: event.seq, file: 'history.db' })
    const body = bodyOf(event, (content) =>
      sealBody(key, { ...place, seq: event.seq, epoch: current.epoch, hash }, content)
    )
    size += body?.length ?? 0
    // What is before an event that cannot be sent is sent nevertheless.
    if (hashes.length > 0 && (!body || size > segmentLimits.bytes)) break
    if (!body) return failed('team-event-too-large', { event: event.seq, limitBytes: limits.bodyBytes })
    hashes.push(hash)
    bodies.push(body)
  }
  const [first] = events
  const hash = hashes.at(-1) ?? previous
  const sig = signHead(signingKey, { ...place, seq: first.seq + hashes.length - 1, hash })
  return ok({ first: first.seq, previous, epoch: current.epoch, hashes, bodies, sig })
}

function bodyOf(event: OutgoingEvent, seal: (content: Buffer) => Buffer | undefined): Buffer | undefined {
  for (const without of omissions) {
    const body = seal(contentOf(event, without))
    if (body) return body
  }
  return undefined
}
