/** Signatures with the keys of installations (Ed25519). */
import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto'
import type { EvidenceKey } from '#contract/evidence/evidence.ts'

/** The prefix of the 32 bytes of an Ed25519 public key in SPKI (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** The raw 32 bytes of the public key, hex. */
export function keyOfSigner(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(spkiPrefix.length).toString('hex')
}
export const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex')

export function evidenceKey(key: KeyObject): EvidenceKey {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  return { publicKey, fingerprint: fingerprintOf(keyOfSigner(key)) }
}

export const signBytes = (key: KeyObject, bytes: Uint8Array): Buffer => sign(null, bytes, key)
export const signWith = (key: KeyObject, text: string): string =>
  signBytes(key, Buffer.from(text, 'utf8')).toString('hex')

/** Whether a signature of bytes is valid for a public key (64 hex digits). Never throws. */
export function bytesFit(publicKey: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  try {
    const key = createPublicKey({
      key: Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'hex')]),
      type: 'spki',
      format: 'der'
    })
    return verify(null, bytes, key, signature)
  } catch {
    return false
  }
}

/**
 * Public keys of small order, without their sign bit: by the rules of RFC 8032, signatures of anything are valid for
 * them. Some implementations reject them and some do not, and a pack must not depend on which.
 */
const worthless = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'
])
export const isWorthless = (publicKey: string): boolean =>
  worthless.has(
    publicKey.slice(0, 62) + (Number.parseInt(publicKey.slice(62), 16) & 0x7f).toString(16).padStart(2, '0')
  )
