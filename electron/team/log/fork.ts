/**
 * Proof that an installation has signed two different events with one number: what the hashes cover, from the first
 * difference to a signature on each side. It contains no value but kinds, times and numbers. Anybody can check it without the team's keys.
 */
import { z } from 'zod'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import { isWorthless } from '#wire/evidence/keys.ts'
import { jsonOf } from '#kit/hashing/json.ts'
import { sha256 } from '#kit/bytes.ts'
import { isSignedBy } from './signature.ts'

const hex = (bytes: number): z.ZodString => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`))
const sideSchema = z.strictObject({
  /** Bytes that are hashed, base64, in order. */
  events: z.array(z.string()).min(1),
  /** Ed25519 over the last of them, hex. */
  signature: hex(64)
})
const proofSchema = z.strictObject({
  format: z.literal('veridesk-fork'),
  version: z.literal(1),
  team: z.string(),
  installation: hex(16),
  /** Ed25519, of the installation. */
  publicKey: hex(32),
  /** The last event that both sides have. */
  after: z.strictObject({ seq: z.int().min(0), hash: hex(32) }),
  sides: z.tuple([sideSchema, sideSchema])
})
export type ForkProof = z.output<typeof proofSchema>

/** An event of one side: what is hashed, and the signature if it is the last of a segment. */
export interface SideEvent {
  readonly hashed: Buffer
  readonly sig: Buffer | null
}

/** One side, up to its first signature; undefined if there is none. */
function sideOf(events: readonly SideEvent[]): ForkProof['sides'][0] | undefined {
  const end = events.findIndex(({ sig }) => sig !== null)
  const signature = events[end]?.sig?.toString('hex')
  return signature === undefined
    ? undefined
    : { events: events.slice(0, end + 1).map(({ hashed }) => hashed.toString('base64')), signature }
}

export interface ForkParts {
  readonly team: string
  readonly installation: string
  readonly publicKey: string
  readonly after: { readonly seq: number; readonly hash: Buffer }
  readonly ours: readonly SideEvent[]
  readonly theirs: readonly SideEvent[]
}

/** The proof; undefined if one of the sides has no signature, or they do not differ. */
export function forkProof({ team, installation, publicKey, after, ours, theirs }: ForkParts): ForkProof | undefined {
  const sides = [sideOf(ours), sideOf(theirs)] as const
  if (!sides[0] || !sides[1]) return undefined
  const proof: ForkProof = {
    format: 'veridesk-fork',
    version: 1,
    team,
    installation,
    publicKey,
    after: { seq: after.seq, hash: after.hash.toString('hex') },
    sides: [sides[0], sides[1]]
  }
  return isForkProof(proof) ? proof : undefined
}

/**
 * Whether a proof holds: two signatures of one key over two histories that differ from their first event on. Whose key it
 * is, the team’s list of members says. Never throws.
 */
export function isForkProof(given: unknown): boolean {
  const read = proofSchema.safeParse(given)
  if (!read.success) return false
  const { team, installation, publicKey, after, sides } = read.data
  if (isWorthless(publicKey)) return false
  const firsts = sides.map(({ events, signature }) => {
    let first: Buffer | undefined
    let seq = after.seq
    let hash: Buffer = Buffer.from(after.hash, 'hex')
    for (const event of events) {
      const bytes = Buffer.from(event, 'base64')
      // The same bytes in another writing would be another event.
      if (bytes.toString('base64') !== event || !follows(bytes, seq + 1, hash)) return undefined
      seq += 1
      hash = sha256(bytes)
      first ??= hash
    }
    return isSignedBy(publicKey, { team, installation, seq, hash }, Buffer.from(signature, 'hex')) ? first : undefined
  })
  return firsts[0] !== undefined && firsts[1] !== undefined && !firsts[0].equals(firsts[1])
}

/** Whether hashed bytes are those of an event with this number, after the event with this hash. */
function follows(bytes: Buffer, seq: number, previous: Buffer): boolean {
  try {
    const said: unknown = JSON.parse(bytes.toString('utf8'))
    return (
      typeof said === 'object' &&
      said !== null &&
      (said as { seq?: unknown }).seq === seq &&
      (said as { previous?: unknown }).previous === previous.toString('hex')
    )
  } catch {
    return false
  }
}

/** What a proof shows, without who it is: the team’s list of members names whose key it is. */
export interface ProvenFork {
  readonly team: string
  readonly installation: string
  /** Ed25519, hex. */
  readonly publicKey: string
  /** The number of the first event that differs. */
  readonly event: number
}

/** Verifies the text of a proof’s file. Failure: `team-proof-refused`. Needs nothing but the text. */
export function verifyForkFile(text: string): Result<ProvenFork, Failure> {
  const given = jsonOf(text)
  const read = proofSchema.safeParse(given)
  if (!read.success) return failed('team-proof-refused', { reason: 'form' })
  if (!isForkProof(given)) return failed('team-proof-refused', { reason: 'signature' })
  const { team, installation, publicKey, after } = read.data
  return ok({ team, installation, publicKey, event: after.seq + 1 })
}
