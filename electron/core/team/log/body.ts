/** Sealed events: AES-256-GCM, bound to their place, padded. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { randomBytes } from '#core/history/storage/bytes.ts'
import type { TeamPlace } from './ports.ts'
import { paddedSize } from './sizes.ts'

const algorithm = 'aes-256-gcm'
const nonceLength = 12
const tagLength = 16
const lengthLength = 4

/** Where an event stands; a body opens nowhere else. */
export interface BodyPlace extends TeamPlace {
  readonly seq: number
  readonly epoch: number
  readonly hash: Buffer
}

/** JSON has one reading, so no two places give the same bytes. */
const boundTo = ({ team, installation, seq, epoch, hash }: BodyPlace): Buffer =>
  Buffer.from(JSON.stringify(['veridesk/team/body', 1, team, installation, seq, epoch, hash.toString('hex')]), 'utf8')

/**
 * The key of one installation's bodies in an epoch. Nonces are random, so one key must not seal more than 2^32 bodies
 * (NIST SP 800-38D, 8.3): that is a limit for an installation instead of for the team.
 */
export function bodyKey(contentKey: Buffer, { team, installation }: TeamPlace): KeyObject {
  const bytes = Buffer.from(hkdfSync('sha256', contentKey, Buffer.alloc(0), JSON.stringify(['veridesk/team/body-key', 1, team, installation]), 32))
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return key
}

/** Nonce, sealed length, content and padding, tag. Undefined if it is larger than the database takes. */
export function sealBody(key: KeyObject, place: BodyPlace, content: Buffer): Buffer | undefined {
  const size = paddedSize(nonceLength + lengthLength + content.length + tagLength)
  if (size === undefined) return undefined
  const plain = Buffer.alloc(size - nonceLength - tagLength)
  plain.writeUInt32BE(content.length, 0)
  content.copy(plain, lengthLength)
  // Never from the place: a restored installation would seal two contents with one nonce.
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv(algorithm, key, nonce)
  cipher.setAAD(boundTo(place))
  const sealed = cipher.update(plain)
  cipher.final()
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
}

/** The content; undefined if key, place or a byte is another, or the padding is not zeros. */
export function openBody(key: KeyObject, place: BodyPlace, body: Buffer): Buffer | undefined {
  if (body.length < nonceLength + lengthLength + tagLength || paddedSize(body.length) !== body.length) return undefined
  try {
    const decipher = createDecipheriv(algorithm, key, body.subarray(0, nonceLength), { authTagLength: tagLength })
    decipher.setAAD(boundTo(place))
    decipher.setAuthTag(body.subarray(body.length - tagLength))
    const plain = decipher.update(body.subarray(nonceLength, body.length - tagLength))
    decipher.final()
    const end = lengthLength + plain.readUInt32BE(0)
    return end <= plain.length && paddedSize(nonceLength + end + tagLength) === body.length && plain.subarray(end).every((byte) => byte === 0) ? plain.subarray(lengthLength, end) : undefined
  } catch {
    return undefined
  }
}
