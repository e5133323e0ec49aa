/**
 * Secrets on a line between two processes. The memory that a line used is freed, not zeroed, in both of them; what stays there is
 * sealed for the receiver, whose private key OpenSSL zeroes when it is collected.
 */
import { openSealed, sealFor, type SealedFor } from './hpke.ts'
import { newPrivateKey, publicKeyOf } from './x25519.ts'

/**
 * Memory of its own: small buffers are slices of a pool that they share, and a line sends the whole pool with each of them,
 * whatever else is in it.
 */
const apart = (bytes: Uint8Array): Uint8Array => Uint8Array.from(bytes)

const use: SealedFor = { info: Buffer.from('veridesk/line/1'), bound: Buffer.alloc(0) }

/** The receiver's end. */
export interface LineKey {
  /** 32 bytes, for the sender. */
  readonly publicKey: Uint8Array
  /** What was sealed for this end; the caller zeroes it. Throws for anything else, which only a bug would send. */
  open(sealed: Uint8Array): Buffer
}

export function newLineKey(): LineKey {
  const key = newPrivateKey()
  return {
    publicKey: apart(publicKeyOf(key)),
    open(sealed) {
      const opened = openSealed(key, use, sealed)
      if (!opened) throw new Error('sealed for another end of the line')
      return opened
    }
  }
}

/** Seals bytes for the end with this public key. They stay the caller's. */
export function sealForLine(publicKey: Uint8Array, bytes: Uint8Array): Uint8Array {
  const sealed = sealFor(publicKey, use, bytes)
  if (!sealed) throw new Error('not the public key of a line')
  return apart(sealed)
}
