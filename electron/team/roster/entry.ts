/** Entries of the list of members: canonical JSON in a signed envelope, each naming the one before it. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { teamRoles } from '#contract/team/team.ts'
import { digestOfEnvelope, envelopeFits, envelopeForm, sealEnvelope, type Envelope } from '#wire/evidence/dsse.ts'
import { fingerprintOf } from '#wire/evidence/keys.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { sealedForRecovery } from '../keys/recovery.ts'
import { applicationSchema, installationSchema, keySchema, signatureSchema } from './request.ts'
import { jsonOf } from '#kit/hashing/json.ts'

const entryType = 'application/vnd.veridesk.team-member+json'
/** An entry has a few hundred characters. */
const maxCharacters = 16 * 1024

/** What stands in each entry. */
const common = {
  version: z.literal(1),
  /** From 1, without gaps. */
  height: z.number().int().min(1).max(1_000_000),
  /** Hash of the entry before; null in the first. */
  previous: keySchema.nullable(),
  /** When it was made, by its author's clock: nothing depends on it. */
  at: z.number().int().min(0).max(8.64e15),
  /** The installation that signed it. */
  by: installationSchema
}
/** A sealed key of 32 bytes: version, nonce, key, tag. */
const sealedKey = z.string().regex(/^[0-9a-f]{122}$/)
const epochSchema = z.strictObject({
  number: z.number().int().min(1),
  content: keySchema,
  vault: keySchema,
  previous: sealedKey.nullable(),
  recovery: z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${sealedForRecovery}}$`))
    .optional()
})

const lastSchema = z.strictObject({ seq: z.int().min(1), hash: keySchema })

const entrySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('genesis'),
    member: applicationSchema,
    epoch: epochSchema,
    recovery: z.strictObject({ identity: keySchema, mailbox: keySchema }).optional()
  }),
  z.strictObject({
    ...common,
    kind: z.literal('admit'),
    member: applicationSchema,
    role: z.enum(teamRoles),
    request: signatureSchema
  }),
  // The member's last event before: what they approved with the role that they had goes on counting, and nothing after it does.
  z.strictObject({
    ...common,
    kind: z.literal('role'),
    installation: installationSchema,
    role: z.enum(teamRoles),
    last: lastSchema.nullable()
  }),
  // An installation replaces its own mailbox key.
  z.strictObject({ ...common, kind: z.literal('mailbox'), mailbox: keySchema }),
  // The last event of the removed one that counts; null if it has shared none. Without it, whoever was removed could go
  // on in the name of its past.
  z.strictObject({
    ...common,
    kind: z.literal('remove'),
    installation: installationSchema,
    last: lastSchema.nullable(),
    epoch: epochSchema
  }),
  // Signed with the recovery key: an installation becomes a supervisor although no supervisor is there. It comes with new
  // keys, since who signs it knows only content keys.
  z.strictObject({
    ...common,
    kind: z.literal('recover'),
    member: applicationSchema,
    request: signatureSchema,
    epoch: epochSchema
  }),
  // New keys without a removal: after an erasure.
  z.strictObject({ ...common, kind: z.literal('epoch'), epoch: epochSchema }),
  // Two-person admission, on or off.
  z.strictObject({ ...common, kind: z.literal('rule'), twoPerson: z.boolean() }),
  // A second supervisor confirms an entry that waits, by its hash. For a role, with the member's last event by now: what
  // they did while it waited does not approve. Otherwise null.
  z.strictObject({ ...common, kind: z.literal('second'), entry: keySchema, last: lastSchema.nullable() }),
  // An entry that waits is given up.
  z.strictObject({ ...common, kind: z.literal('withdraw'), entry: keySchema })
])
export type Entry = z.output<typeof entrySchema>

export interface ReadEntry {
  readonly entry: Entry
  /** Identifies the entry: SHA-256 over what is signed and the signature, hex. */
  readonly hash: string
  /** Whether it is signed with a public key (64 hex digits). */
  signedBy(identity: string): boolean
}

/** The text of an entry, signed. */
export const entryText = (entry: Entry, key: KeyObject): string =>
  canonical(sealEnvelope(entryType, canonical(entry), key))

const envelopeSchema = envelopeForm(entryType)

/** Reads an entry; undefined if it is not one in its only form. Says nothing yet about its signature. */
export function parseEntry(text: string): ReadEntry | undefined {
  if (text.length > maxCharacters) return undefined
  const read = envelopeSchema.safeParse(jsonOf(text))
  if (!read.success || canonical(read.data) !== text) return undefined
  const envelope: Envelope = read.data
  const bytes = Buffer.from(envelope.payload, 'base64')
  const entry = entrySchema.safeParse(jsonOf(bytes.toString('utf8')))
  if (
    !entry.success ||
    bytes.toString('base64') !== envelope.payload ||
    !Buffer.from(canonical(entry.data)).equals(bytes)
  )
    return undefined
  return {
    entry: entry.data,
    hash: digestOfEnvelope(envelope),
    signedBy: (identity) =>
      envelope.signatures[0]?.keyid === fingerprintOf(identity) && envelopeFits(envelope, identity)
  }
}
