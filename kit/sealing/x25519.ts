/** X25519 (RFC 7748) with raw keys of 32 bytes. Keys enter as DER, which OpenSSL and Electron's BoringSSL read alike. */
import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** What stands before the 32 bytes in PKCS #8 and in SPKI (RFC 8410). */
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')

export const keyBytes = 32

/** A new private key. */
export const newPrivateKey = (): KeyObject => generateKeyPairSync('x25519').privateKey

/** The private key of its 32 bytes. Throws if there are not 32. */
export function privateKeyOf(raw: Uint8Array): KeyObject {
  if (raw.length !== keyBytes) throw new Error('an X25519 key has 32 bytes')
  return createPrivateKey({ key: Buffer.concat([privatePrefix, raw]), type: 'pkcs8', format: 'der' })
}

/** The 32 bytes of a private key. */
export const rawPrivateKey = (key: KeyObject): Buffer =>
  Buffer.from(key.export({ type: 'pkcs8', format: 'der' }).subarray(privatePrefix.length))

/** The 32 bytes of a private key's public half. */
export const publicKeyOf = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(publicPrefix.length))

/**
 * The shared secret; undefined if it would be zero, as with a public key of small order: anybody would know it
 * (RFC 9180, 7.1.4). Some libraries throw in this case and others do not.
 */
export function agree(key: KeyObject, publicKey: Uint8Array): Buffer | undefined {
  if (publicKey.length !== keyBytes) return undefined
  try {
    const secret = diffieHellman({
      privateKey: key,
      publicKey: createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), type: 'spki', format: 'der' })
    })
    return secret.some((byte) => byte !== 0) ? secret : undefined
  } catch {
    return undefined
  }
}
