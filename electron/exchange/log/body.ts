/** Sealed events: bound to their place, and padded. */
import type { KeyObject } from 'node:crypto'
import { openWith, purposeKey, sealingBytes, sealWith } from '#team/keys/sealing.ts'
import type { TeamPlace } from '#team/thread/ports.ts'
import { limits } from '#team/database/schema.ts'

/** Most events are smaller, with their sealed parts: their sizes tell nothing. */
const smallest = 1024

/**
 * The size that a sealed event of so many bytes gets: a power of two from 1 KiB to the limit of the database, 13 sizes in
 * all. Undefined if it is larger. Finer steps (Padmé: at most 12 % more) would save space and tell most events apart.
 */
export function paddedSize(bytes: number): number | undefined {
  const size = Math.max(smallest, 2 ** Math.ceil(Math.log2(Math.max(1, bytes))))
  return size <= limits.bodyBytes ? size : undefined
}

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

/** The key of one installation's bodies in an epoch: how many it may seal is then a limit for an installation instead of for the team. */
export const bodyKey = (contentKey: Buffer, { team, installation }: TeamPlace): KeyObject =>
  purposeKey(contentKey, `body/${JSON.stringify([team, installation])}`)

/** Sealed: length, content, padding. Undefined if it is larger than the database takes. */
export function sealBody(key: KeyObject, place: BodyPlace, content: Buffer): Buffer | undefined {
  const size = paddedSize(sealingBytes + lengthLength + content.length)
  if (size === undefined) return undefined
  const plain = Buffer.alloc(size - sealingBytes)
  plain.writeUInt32BE(content.length, 0)
  content.copy(plain, lengthLength)
  return sealWith(key, boundTo(place), plain)
}

/** The content; undefined if key, place or a byte is another, or the padding is not zeros. */
export function openBody(key: KeyObject, place: BodyPlace, body: Buffer): Buffer | undefined {
  const plain = paddedSize(body.length) === body.length ? openWith(key, boundTo(place), body) : undefined
  if (!plain) return undefined
  const end = lengthLength + plain.readUInt32BE(0)
  return end <= plain.length &&
    paddedSize(sealingBytes + end) === body.length &&
    plain.subarray(end).every((byte) => byte === 0)
    ? plain.subarray(lengthLength, end)
    : undefined
}
