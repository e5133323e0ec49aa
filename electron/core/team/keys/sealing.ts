/** Sealing with a shared key: AES-256-GCM under a random nonce, in a form with a version. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16
/** How much longer a sealed text is: version, nonce, tag. */
export const sealingBytes = 1 + nonceBytes + tagBytes

/** The key for one purpose, so that no key is used for two. One block of HKDF-Expand (RFC 5869) with SHA-256. */
const keyFor = (key: Uint8Array, purpose: string): Buffer =>
  createHmac('sha256', key).update(`veridesk/team/${purpose}`, 'utf8').update(Buffer.from([1])).digest()

/**
 * Seals a text under a key of 32 bytes.
 *
 * @param purpose Names the use; the key of another use does not open it.
 * @param bound What it belongs to; authenticated, not stored.
 */
export function sealUnder(key: Uint8Array, purpose: string, bound: Uint8Array, text: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', keyFor(key, purpose), nonce)
  cipher.setAAD(Buffer.concat([Buffer.from([version]), bound]))
  return Buffer.concat([Buffer.from([version]), nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealUnder` sealed. Undefined if key, use, binding, version or a byte is another. */
export function openUnder(key: Uint8Array, purpose: string, bound: Uint8Array, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < sealingBytes || sealed[0] !== version) return undefined
  const end = sealed.length - tagBytes
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyFor(key, purpose), sealed.subarray(1, 1 + nonceBytes), { authTagLength: tagBytes })
    decipher.setAAD(Buffer.concat([Buffer.from([version]), bound]))
    decipher.setAuthTag(sealed.subarray(end))
    return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes, end)), decipher.final()])
  } catch {
    return undefined
  }
}
