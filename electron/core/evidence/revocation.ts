/** Revocations: signed statements from when on a key is not valid. The format: docs/evidence-format.md. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { revocationReasons, type RevocationReason } from '#contract/evidence/keys.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { envelopeFits, envelopeForm, sealEnvelope, type Envelope } from '#wire/evidence/dsse.ts'
import { fingerprintOf, isWorthless, keyOfSigner } from '#wire/evidence/keys.ts'
import { jsonOf } from '#kit/hashing/json.ts'

const revocationType = 'application/vnd.veridesk.revocation+json'
const maxCharacters = 64 * 1024

export interface RevocationStatement {
  /** When it was made. */
  readonly at: number
  /** Fingerprint of the revoked key. */
  readonly key: string
  readonly note: string
  readonly reason: RevocationReason
  /** From when on the key is not valid. */
  readonly since: number
}
export interface Revocation extends RevocationStatement {
  /** Fingerprint of the key that signed it. */
  readonly revokedBy: string
}

/** The text of a revocation's file, signed. */
export function revocationText(statement: RevocationStatement, key: KeyObject): string {
  return `${canonical(sealEnvelope(revocationType, canonical({ ...statement, revokedBy: keyOfSigner(key) }), key))}\n`
}

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const date = z.number().int().min(-8.64e15).max(8.64e15)
const envelopeSchema = envelopeForm(revocationType)
const statementSchema = z.strictObject({
  at: date,
  key: hex,
  note: z.string(),
  reason: z.enum(revocationReasons),
  revokedBy: hex,
  since: date
})

/** Reads a revocation; undefined if it is not one in its canonical form, or if its signature is not valid. */
export function readRevocation(text: string): Revocation | undefined {
  if (text.length > maxCharacters) return undefined
  const envelope = envelopeSchema.safeParse(jsonOf(text))
  if (!envelope.success || `${canonical(envelope.data)}\n` !== text) return undefined
  const bytes = Buffer.from(envelope.data.payload, 'base64')
  const statement = statementSchema.safeParse(jsonOf(bytes.toString('utf8')))
  if (
    !statement.success ||
    bytes.toString('base64') !== envelope.data.payload ||
    !Buffer.from(canonical(statement.data)).equals(bytes)
  )
    return undefined
  const { revokedBy, ...rest } = statement.data
  const fingerprint = fingerprintOf(revokedBy)
  const fits =
    envelope.data.signatures[0].keyid === fingerprint &&
    !isWorthless(revokedBy) &&
    envelopeFits(envelope.data as Envelope, revokedBy)
  return fits ? { ...rest, revokedBy: fingerprint } : undefined
}
/**
 * The revocation because of which a signature does not count: one of its key, signed by that key or by one that the
 * reader names, unless a time-stamp proves that what was signed existed before.
 *
 * @param stamped The latest moment of each valid time-stamp.
 */
export function revokedFor(
  revocations: readonly Revocation[],
  fingerprint: string,
  trusted: readonly string[],
  stamped: readonly number[]
): Revocation | undefined {
  return revocations.find(
    ({ key, revokedBy, since }) =>
      key === fingerprint &&
      (revokedBy === key || trusted.includes(revokedBy)) &&
      !stamped.some((latest) => latest < since)
  )
}
