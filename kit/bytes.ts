/** Binary helpers: random bytes, digests and version 7 UUIDs. */
import { hash as digest, randomFillSync } from 'node:crypto'

// One system call for hundreds of nonces: at several thousand records per second, the calls would be noticeable.
const pool = Buffer.alloc(16_384)
let used = pool.length

/** Cryptographically strong random bytes. */
export function randomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return bytes
}

export const sha256 = (bytes: Buffer | string): Buffer => digest('sha256', bytes, 'buffer')

/** A version 7 UUID (RFC 9562): 48 bits of Unix milliseconds, then random. */
export function uuid7(at: number): Buffer {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(Math.max(0, Math.floor(at)), 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return bytes
}

export function uuidText(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** The 16 bytes of a UUID, or undefined if the text is not one. */
export function uuidBytes(text: string): Buffer | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
    ? Buffer.from(text.replaceAll('-', ''), 'hex')
    : undefined
}
