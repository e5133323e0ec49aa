/**
 * HPKE (RFC 9180): base mode, single-shot, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM. Why it is not a
 * package: docs/decisions/0017-team-keys.md. Anybody who knows a public key can seal for it: what is opened says nothing about its
 * sender.
 */
import { createCipheriv, createDecipheriv, createHmac, type KeyObject } from 'node:crypto'
import { agree, keyBytes, newPrivateKey, publicKeyOf } from './x25519.ts'

const tagBytes = 16
/** How much longer a sealed text is: the ephemeral public key and the tag. */
export const sealedExtra = keyBytes + tagBytes

const kemSuite = Buffer.concat([Buffer.from('KEM'), Buffer.from('0020', 'hex')])
const suite = Buffer.concat([Buffer.from('HPKE'), Buffer.from('002000010002', 'hex')])
const nothing = Buffer.alloc(0)

const hmac = (key: Uint8Array, parts: readonly Uint8Array[]): Buffer =>
  createHmac('sha256', key).update(Buffer.concat(parts)).digest()

/** LabeledExtract and LabeledExpand of section 4. No length here exceeds one block of HKDF, 32 bytes. */
const extract = (salt: Uint8Array, suiteId: Buffer, label: string, secret: Uint8Array): Buffer =>
  hmac(salt, [Buffer.from('HPKE-v1'), suiteId, Buffer.from(label), secret])
const expand = (key: Buffer, suiteId: Buffer, label: string, info: Uint8Array, length: number): Buffer =>
  hmac(key, [
    Buffer.from([0, length]),
    Buffer.from('HPKE-v1'),
    suiteId,
    Buffer.from(label),
    info,
    Buffer.from([1])
  ]).subarray(0, length)

/** ExtractAndExpand of section 4.1. */
function sharedSecret(agreed: Buffer, ephemeral: Uint8Array, recipient: Uint8Array): Buffer {
  return expand(
    extract(nothing, kemSuite, 'eae_prk', agreed),
    kemSuite,
    'shared_secret',
    Buffer.concat([ephemeral, recipient]),
    32
  )
}

/** KeySchedule of section 5.1 for base mode; the nonce of the first and only message. */
function schedule(shared: Buffer, info: Uint8Array): { readonly key: Buffer; readonly nonce: Buffer } {
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(nothing, suite, 'psk_id_hash', nothing),
    extract(nothing, suite, 'info_hash', info)
  ])
  const secret = extract(shared, suite, 'secret', nothing)
  return { key: expand(secret, suite, 'key', context, 32), nonce: expand(secret, suite, 'base_nonce', context, 12) }
}

/** What a sealed text belongs to: both are needed to open it. */
export interface SealedFor {
  /** The use. */
  readonly info: Uint8Array
  /** The case. */
  readonly bound: Uint8Array
}

/**
 * Seals a text for the owner of a public key: the ephemeral public key, the encrypted text, the tag. Undefined for a
 * public key of small order.
 *
 * @param ephemeral Of test vectors only. Never the same twice.
 */
export function sealFor(
  recipient: Uint8Array,
  { info, bound }: SealedFor,
  text: Uint8Array,
  ephemeral: KeyObject = newPrivateKey()
): Buffer | undefined {
  const agreed = agree(ephemeral, recipient)
  if (!agreed) return undefined
  const sent = publicKeyOf(ephemeral)
  const { key, nonce } = schedule(sharedSecret(agreed, sent, recipient), info)
  agreed.fill(0)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  key.fill(0)
  cipher.setAAD(bound)
  return Buffer.concat([sent, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealFor` sealed. Undefined if the key, the use, the case or a byte is another. */
export function openSealed(key: KeyObject, { info, bound }: SealedFor, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < sealedExtra) return undefined
  const sent = sealed.subarray(0, keyBytes)
  const agreed = agree(key, sent)
  if (!agreed) return undefined
  const { key: opener, nonce } = schedule(sharedSecret(agreed, sent, publicKeyOf(key)), info)
  agreed.fill(0)
  const decipher = createDecipheriv('aes-256-gcm', opener, nonce, { authTagLength: tagBytes })
  opener.fill(0)
  decipher.setAAD(bound)
  decipher.setAuthTag(sealed.subarray(sealed.length - tagBytes))
  // Nothing but the caller's copy is left in memory: in this mode the first call returns everything, the second verifies it.
  const opened = decipher.update(sealed.subarray(keyBytes, sealed.length - tagBytes))
  try {
    decipher.final()
    return opened
  } catch {
    opened.fill(0)
    return undefined
  }
}
