/** The recovery key sealed for an organisation: it stands in `recovery.sealed`, and so in each backup (decision 37). */
import { constants, createHash, createPublicKey, privateDecrypt, publicEncrypt, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { keyBytes, newPrivateKey, agree } from '#kit/sealing/x25519.ts'
import { openSealed, sealFor } from '#kit/sealing/hpke.ts'
import { publicKeyIn } from '#core/files/pem.ts'

const suites = { x25519: 'HPKE-X25519', rsa: 'RSA-OAEP-SHA256' } as const
const leastRsaBits = 2048

export const escrowSchema = z.strictObject({
  format: z.literal('veridesk-recovery-escrow'),
  version: z.literal(1),
  /** When the recovery key was created. */
  createdAt: z.int().nonnegative(),
  /** SHA-256 (hex) of the organisation's public key as SPKI. */
  key: z.string().regex(/^[0-9a-f]{64}$/),
  suite: z.enum([suites.x25519, suites.rsa]),
  /** The recovery key's code, base64. */
  sealed: z
    .string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/)
    .max(4096)
})
export type Escrow = z.output<typeof escrowSchema>

const spki = (key: KeyObject): Buffer =>
  (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' })
const rawOf = (key: KeyObject): Buffer => spki(key).subarray(-keyBytes)
const fingerprint = (key: KeyObject): string => createHash('sha256').update(spki(key)).digest('hex')
const boundTo = (createdAt: number) => ({
  info: Buffer.from('veridesk/recovery/escrow'),
  bound: Buffer.from(String(createdAt))
})
const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const

function keyFor(pem: string): KeyObject | undefined {
  const key = publicKeyIn(pem)
  if (key?.asymmetricKeyType === 'x25519') return agree(newPrivateKey(), rawOf(key)) ? key : undefined
  const bits = key?.asymmetricKeyType === 'rsa' ? key.asymmetricKeyDetails?.modulusLength : undefined
  return bits !== undefined && bits >= leastRsaBits ? key : undefined
}

/** The fingerprint of a public key (X25519, or RSA of at least 2048 bits) to which a recovery key can be sealed; undefined if it is none. */
export function escrowKey(pem: string): string | undefined {
  const key = keyFor(pem)
  return key && fingerprint(key)
}

/** Seals the code of a recovery key. Throws for a key that `escrowKey` refuses: such a policy is never in force. */
export function sealEscrow(pem: string, createdAt: number, code: string): Escrow {
  const key = keyFor(pem)
  const text = Buffer.from(code, 'utf8')
  const isX25519 = key?.asymmetricKeyType === 'x25519'
  const sealed =
    key && (isX25519 ? sealFor(rawOf(key), boundTo(createdAt), text) : publicEncrypt({ key, ...padding }, text))
  if (!sealed) throw new Error('not a key for sealing')
  return {
    format: 'veridesk-recovery-escrow',
    version: 1,
    createdAt,
    key: fingerprint(key),
    suite: isX25519 ? suites.x25519 : suites.rsa,
    sealed: sealed.toString('base64')
  }
}

/** The escrow in a text: as the command prints it, or in the file of a history or of a backup. */
export function escrowIn(text: string): Escrow | undefined {
  try {
    const parsed = JSON.parse(text) as { readonly escrow?: unknown }
    return escrowSchema.safeParse(parsed.escrow ?? parsed).data
  } catch {
    return undefined
  }
}

/** The code that was sealed. Undefined if the private key is not that of the organisation, or the text was changed. */
export function openEscrow({ key, suite, createdAt, sealed }: Escrow, privateKey: KeyObject): string | undefined {
  if (fingerprint(privateKey) !== key) return undefined
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const opened =
      suite === suites.x25519
        ? openSealed(privateKey, boundTo(createdAt), bytes)
        : privateDecrypt({ key: privateKey, ...padding }, bytes)
    return opened?.toString('utf8')
  } catch {
    return undefined
  }
}
