/** Sealing with a shared key: AES-256-GCM under a random nonce, in a form with a version. */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16
/** How much longer a sealed text is: version, nonce, tag. */
export const sealingBytes = 1 + nonceBytes + tagBytes

/** The key for one purpose, so that no key is used for two. One block of HKDF-Expand (RFC 5869) with SHA-256. */
export function purposeKey(key: Uint8Array, purpose: string): KeyObject {
  const bytes = createHmac('sha256', key)
    .update(`veridesk/team/${purpose}`, 'utf8')
    .update(Buffer.from([1]))
    .digest()
  const made = createSecretKey(bytes)
  bytes.fill(0)
  return made
}

/**
 * Seals a text.
 *
 * @param key Of `purposeKey`. Nonces are random, so it must not seal more than 2^32 texts (NIST SP 800-38D, 8.3).
 * @param bound What it belongs to; authenticated, not stored.
 */
export function sealWith(key: KeyObject, bound: Uint8Array, text: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.concat([Buffer.from([version]), bound]))
  return Buffer.concat([Buffer.from([version]), nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealWith` sealed. Undefined if key, binding, version or a byte is another. */
export function openWith(key: KeyObject, bound: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < sealingBytes || sealed[0] !== version) return undefined
  const end = sealed.length - tagBytes
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + nonceBytes), {
      authTagLength: tagBytes
    })
    decipher.setAAD(Buffer.concat([Buffer.from([version]), bound]))
    decipher.setAuthTag(sealed.subarray(end))
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, end)), decipher.final()])
  } catch {
    return undefined
  }
}

/**
 * Seals a text under a key of 32 bytes.
 *
 * @param purpose Names the use; the key of another use does not open it.
 */
export const sealUnder = (key: Uint8Array, purpose: string, bound: Uint8Array, text: Uint8Array): Buffer =>
  sealWith(purposeKey(key, purpose), bound, text)

/** Opens what `sealUnder` sealed. Undefined if key, use, binding, version or a byte is another. */
export const openUnder = (
  key: Uint8Array,
  purpose: string,
  bound: Uint8Array,
  sealed: Uint8Array
): Buffer | undefined => openWith(purposeKey(key, purpose), bound, sealed)
