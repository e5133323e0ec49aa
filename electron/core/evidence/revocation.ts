/** Revocations: signed statements that a key is not valid. The format: docs/evidence-format.md. */
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'
import { revocationReasons, type RevocationReason } from '#contract/evidence/keys.ts'
import { canonical } from '#kit/hashing/canonical-json.ts'
import { base64, envelopeFits, envelopeForm, sealEnvelope, type Envelope } from '#wire/evidence/dsse.ts'
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
  /** From when on the key is not valid, as its signer says. */
  readonly since: number
}
export interface Revocation extends RevocationStatement {
  /** Fingerprint of the key that signed it. */
  readonly revokedBy: string
  readonly file: RevocationFile
}
/** The file; time-stamps as in a pack. */
export interface RevocationFile {
  readonly envelope: Envelope
  readonly format: 'veridesk-revocation'
  readonly timestamps: readonly string[]
  readonly version: 1
}

/** A statement, signed, without a time-stamp. */
export const sealedRevocation = (statement: RevocationStatement, key: KeyObject): RevocationFile => ({
  envelope: sealEnvelope(revocationType, canonical({ ...statement, revokedBy: keyOfSigner(key) }), key),
  format: 'veridesk-revocation',
  timestamps: [],
  version: 1
})
/** The text of a revocation's file. */
export const revocationText = (file: RevocationFile): string => `${canonical(file)}\n`

const hex = z.string().regex(/^[0-9a-f]{64}$/)
const date = z.number().int().min(-8.64e15).max(8.64e15)
const fileSchema = z.strictObject({
  envelope: envelopeForm(revocationType),
  format: z.literal('veridesk-revocation'),
  timestamps: z.array(base64),
  version: z.literal(1)
})
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
  const file = fileSchema.safeParse(jsonOf(text))
  if (!file.success || `${canonical(file.data)}\n` !== text) return undefined
  const { envelope } = file.data
  const bytes = Buffer.from(envelope.payload, 'base64')
  const statement = statementSchema.safeParse(jsonOf(bytes.toString('utf8')))
  if (
    !statement.success ||
    bytes.toString('base64') !== envelope.payload ||
    !Buffer.from(canonical(statement.data)).equals(bytes)
  )
    return undefined
  const { revokedBy, ...rest } = statement.data
  const fingerprint = fingerprintOf(revokedBy)
  const fits =
    envelope.signatures[0].keyid === fingerprint && !isWorthless(revokedBy) && envelopeFits(envelope, revokedBy)
  return fits ? { ...rest, revokedBy: fingerprint, file: file.data } : undefined
}

/** A revocation whose time-stamps were checked. */
export interface DatedRevocation extends Revocation {
  /** The time of its earliest valid time-stamp, if it has one. */
  readonly proven: number | undefined
}

/** The revocations of a key that count: signed by that key, or by one that the reader names. */
export const countingFor = <Of extends Revocation>(
  revocations: readonly Of[],
  fingerprint: string,
  trusted: readonly string[]
): readonly Of[] =>
  revocations.filter(({ key, revokedBy }) => key === fingerprint && (revokedBy === key || trusted.includes(revokedBy)))

/**
 * Whether a pack may be as new as a revocation: it has no time-stamp, or none that is before the time that is proved of
 * the revocation. Whoever has the key can date a revocation back, but not a pack.
 *
 * @param stamped The latest moment of each valid time-stamp of the pack.
 */
export const mayBeSince = ({ proven }: DatedRevocation, stamped: readonly number[]): boolean =>
  stamped.length === 0 || (proven !== undefined && !stamped.some((latest) => latest < proven))
