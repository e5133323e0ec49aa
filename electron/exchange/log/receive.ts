/** Takes events of another installation, however often and in whatever pieces they arrive. */
import { failure, type Failure } from '#contract/failures/failures.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import type { KnownHead } from '#wire/history/audit-walk.ts'
import { sha256 } from '#kit/bytes.ts'
import { hashedBytesOf, readContent } from '#team/log/content.ts'
import type { ShownEvent } from '#team/log/database.ts'
import { forkProof, type ForkProof, type SideEvent } from '#team/log/fork.ts'
import type { Received } from './received.ts'
import { chainStart, verifyEvents, type ChainPoint, type Verified, type Verifying } from './verification.ts'

export interface Receiving extends Verifying {
  readonly store: Received
}

export interface Taken {
  /** How many are new. */
  readonly events: number
  readonly failure?: Failure
}

/**
 * Verifies events and adds those that are new; what is known already changes nothing. Events that differ from known ones
 * are a fork if their signature holds: its proof is kept, and nothing more is accepted from the installation.
 *
 * Failures: those of `verifyEvents`, `team-events-forked`.
 *
 * @param rows Consecutive events. Throws SQLite's errors.
 */
export function receive(rows: readonly ShownEvent[], receiving: Receiving, now: number): Taken {
  const { store, installation } = receiving
  if (store.isFrozen(installation)) return { events: 0 }
  const head = store.head(installation)
  const other = rows.find(({ seq, hash }) => seq <= head.seq && store.hashAt(installation, seq)?.equals(hash) === false)
  if (other)
    return {
      events: 0,
      failure: differing(
        rows.filter(({ seq }) => seq >= other.seq),
        receiving
      )
    }
  const verified = verifyEvents(
    head,
    rows.filter(({ seq }) => seq > head.seq),
    receiving
  )
  store.add(installation, verified.events, now)
  return { events: verified.events.length, failure: verified.failure }
}

/** What it means that events differ from those that were received before: a fork if they are signed, else nothing but other bytes. */
function differing(rows: readonly ShownEvent[], receiving: Receiving): Failure | undefined {
  const { store, installation } = receiving
  const seq = rows[0]?.seq ?? 0
  const after: ChainPoint = {
    ...chainStart,
    seq: seq - 1,
    hash: store.hashAt(installation, seq - 1) ?? chainStart.hash
  }
  const theirs = verifyEvents(after, rows, receiving)
  const proof = theirs.events.length > 0 ? proofOf(after, theirs, receiving) : undefined
  if (!proof) return theirs.failure
  store.keepFork(installation, proof)
  return failure('team-events-forked', { installation, event: seq })
}

function proofOf(
  after: ChainPoint,
  theirs: Verified,
  { store, team, installation, members }: Receiving
): ForkProof | undefined {
  const ours: SideEvent[] = []
  let previous = after.hash
  for (const { seq, hash, sig, content } of store.events(installation, after.seq, 256)) {
    const event = readContent(content)
    const hashed = event && event !== 'newer' ? hashedBytesOf(event, seq, previous) : undefined
    if (!hashed) return undefined
    ours.push({ hashed, sig })
    previous = hash
  }
  const signed = theirs.events.find(({ sig }) => sig !== null)
  const member = signed && members.at(installation, signed)
  return member && 'publicKey' in member
    ? forkProof({ team, installation, publicKey: member.publicKey, after, ours, theirs: theirs.events })
    : undefined
}

/**
 * What an installation holds of its team, in one hash: the last event of each installation, its own among them. The hash
 * of an event covers all before it, so two installations with one state hash have the same events, in whatever order and
 * however often they arrived.
 */
export function stateHash(team: string, heads: readonly (readonly [installation: string, head: KnownHead])[]): string {
  const sorted = heads
    .filter(([, { seq }]) => seq > 0)
    .map(([installation, { seq, hash }]) => [installation, seq, hash] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256(canonical(['veridesk/team/state', 1, team, sorted])).toString('hex')
}
