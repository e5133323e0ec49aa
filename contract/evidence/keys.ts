/** The keys that this user's packs are signed with, and their revocation. All times are Unix milliseconds. */
import { z } from 'zod'

/** In the order of the alphabet. */
export const revocationReasons = ['left', 'lost', 'replaced'] as const
export type RevocationReason = (typeof revocationReasons)[number]
const fingerprint = z.string().regex(/^[0-9a-f]{64}$/)

export const revokeSchema = z.strictObject({
  /** Fingerprint; absent for the current key. */
  key: fingerprint.optional(),
  reason: z.enum(revocationReasons),
  /** From when on the key is not valid; now if absent. */
  since: z.number().int().nonnegative().max(8.64e15).optional(),
  note: z.string().trim().max(1000).default('')
})
/** The fingerprint of the current key, so that no other one is replaced. */
export const replaceKeySchema = z.strictObject({ key: fingerprint })

export interface OwnKey {
  /** SHA-256 of the raw public key, hex. */
  readonly fingerprint: string
  /** The raw public key, hex. */
  readonly publicKey: string
  readonly current: boolean
  /** When it was replaced by the next one. */
  readonly replacedAt?: number
  /** A revocation that was signed here with the key itself. */
  readonly revoked?: { readonly since: number; readonly reason: RevocationReason }
}
