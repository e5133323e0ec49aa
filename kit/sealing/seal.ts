/** Sealed payloads: personal data encrypted with its subject's key, beside the salt of the digests of its values. */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { keyMemory } from './key-memory.ts'
import { randomBytes, sha256 } from '../bytes.ts'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const saltLength = 16

export interface Sealed {
  /** Nonce, ciphertext of (salt, payload), tag. */
  readonly sealed: Buffer
  /** The salt, hex: secret until the payload is opened. */
  readonly salt: string
}

// For Node, a key object is several times faster than the same key as bytes, even if created for one call.

/** A new key of 256 bits. */
export const newKey = (): Buffer => randomBytes(32)

/** Seals a payload. `purpose` is authenticated, so that sealed payloads cannot be swapped. */
export function seal(key: Buffer, purpose: string, payload: string): Sealed {
  const plain = Buffer.concat([randomBytes(saltLength), Buffer.from(payload, 'utf8')])
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, createSecretKey(key), nonce)
  cipher.setAAD(Buffer.from(purpose, 'utf8'))
  const body = cipher.update(plain)
  cipher.final()
  return {
    sealed: Buffer.concat([nonce, body, cipher.getAuthTag()]),
    salt: plain.toString('hex', 0, saltLength)
  }
}

const purposes = new Map<string, Buffer>()

/** A sealed payload, opened: its salt in hex and its text. */
export interface Unsealed {
  readonly salt: string
  readonly payload: string
}

/** Opens a sealed payload. Undefined if key, purpose or bytes do not match. */
export function unseal(key: Buffer | KeyObject, purpose: string, sealed: Buffer): Unsealed | undefined {
  if (sealed.length < nonceLength + saltLength + tagLength) return undefined
  let bound = purposes.get(purpose)
  if (!bound) purposes.set(purpose, (bound = Buffer.from(purpose, 'utf8')))
  try {
    const opener = Buffer.isBuffer(key) ? createSecretKey(key) : key
    const decipher = createDecipheriv(algorithm, opener, sealed.subarray(0, nonceLength))
    decipher.setAAD(bound)
    decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
    // In this mode the first call returns everything; the second checks the tag.
    const plain = decipher.update(sealed.subarray(nonceLength, sealed.length - tagLength))
    decipher.final()
    return { salt: plain.toString('hex', 0, saltLength), payload: plain.toString('utf8', saltLength) }
  } catch {
    return undefined
  }
}

/** The key of a history: 32 bytes, or as 64 hex digits. As bytes it can be removed from memory. */
export type MasterKey = string | Uint8Array

/** Throws for anything else: SQLite would treat an empty or odd key as none. */
export function masterBytes(key: MasterKey): Buffer {
  const valid = typeof key === 'string' ? /^[0-9a-f]{64}$/i.test(key) : key.length === 32
  if (!valid) throw new Error('the key of a history has exactly 32 bytes')
  const bytes = keyMemory(32)
  if (typeof key === 'string') bytes.write(key, 'hex')
  else bytes.set(key)
  return bytes
}

/** A key for one purpose, derived from the master key (HKDF, RFC 5869, SHA-256). */
export function derivedKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, Buffer.alloc(0), `veridesk/history/${purpose}`, 32))
}

/** A key for one purpose, derived from that of a subject: destroyed with it, and does not reveal it. */
export const subjectKey = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `veridesk/subject/${purpose}`, 32))

/** A keyed digest of 16 bytes: finds equal inputs, which cannot be guessed without the key. */
export function keyedDigest(key: Buffer, text: string): Buffer {
  return createHmac('sha256', createSecretKey(key)).update(text).digest().subarray(0, 16)
}

/** Represents a destroyed key in the list of erasures. A digest of 256 random bits reveals nothing about anybody. */
export const keyDigest = (key: Buffer): string =>
  sha256(Buffer.concat([Buffer.from('veridesk/erased-key\0'), key])).toString('hex')
