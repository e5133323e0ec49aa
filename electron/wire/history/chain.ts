/**
 * The hash chain: each event's hash covers the previous one, so that no event can be changed, moved or removed
 * unnoticed.
 */
import { hash } from 'node:crypto'
import type { ChainedEvent, Head } from './events.ts'
import type { Db } from '../sqlite/files.ts'

/** The head before the first event. */
export const genesis: Head = { seq: 0, hash: Buffer.alloc(32) }

// Verification computes many thousands of hashes, so their input is assembled in a shared buffer.
const saltLength = 16
const valuesEnd = saltLength + 32
let hashed = Buffer.alloc(4096)

/**
 * SHA-256 of `hashedEventText`. It covers the commitment instead of the sealed bytes, so that the chain still verifies
 * after a key is destroyed.
 */
export const eventHash = (previous: Buffer, event: ChainedEvent): Buffer =>
  Buffer.from(eventHashHex(previous, event), 'hex')

/** Like `eventHash`, in hex: a third of the time when verifying many. */
export const eventHashHex = (previous: Buffer, event: ChainedEvent): string =>
  hash('sha256', hashedBytes(previous, event), 'hex')

/** Returns a shared buffer: hash it at once. */
const hashedBytes = (previous: Buffer, event: ChainedEvent): Buffer =>
  written(textOf(previous, event, event.links, event.digests), 0)

/** Writes a text into the shared buffer. @returns Everything before it and the text. */
function written(text: string, from: number): Buffer {
  const longest = from + 3 * text.length
  if (hashed.length < longest) {
    const longer = Buffer.alloc(2 * longest)
    hashed.copy(longer, 0, 0, from)
    hashed = longer
  }
  return hashed.subarray(0, from + hashed.write(text, from, 'utf8'))
}

/** SHA-256 of salt and text of the plain part, in hex. */
export function plainCommitment(digests: Buffer, plain: string): string {
  digests.copy(hashed, 0, 0, saltLength)
  return hash('sha256', written(plain, saltLength), 'hex')
}

/**
 * What the hash of an event covers: `hashedEventText` of it, in a fifth of the time. Each entry but
 * `links` has a form that cannot be mistaken for another, so no other links give the same text.
 */
const textOf = (previous: Buffer, event: ChainedEvent, links: string, digests: Buffer): string =>
  hashedText(previous, event, links, {
    text: plainCommitment(digests, event.plain),
    values: digests.toString('hex', saltLength, valuesEnd),
    sealed: digests.toString('hex', valuesEnd)
  })

/** What stands for the values of an event in its hash, hex. */
export interface PartDigests {
  /** SHA-256 of salt and text of the plain part. */
  readonly text: string
  /** The digest of the values of the plain part, and of the sealed one or empty. */
  readonly values: string
  readonly sealed: string
}

/** The text that the hash of an event covers, without knowing its values. */
export function hashedText(
  previous: Buffer,
  event: Omit<ChainedEvent, 'plain' | 'links' | 'digests'>,
  links: string,
  digests: PartDigests
): string {
  const { seq, at, kind, subject, record, commitment } = event
  const sealed =
    commitment === null && digests.sealed === ''
      ? 'null'
      : `["${commitment?.toString('hex') ?? ''}","${digests.sealed}"]`
  const words = `["${digests.text}","${digests.values}"]`
  return `{"at":${at},"kind":${JSON.stringify(kind)},"links":${links},"plain":${words},"previous":"${previous.toString('hex')}","record":${record},"sealed":${sealed},"seq":${seq},"subject":${subject},"version":1}`
}

export type ChainVerdict =
  | { readonly intact: true; readonly events: number; readonly head: string }
  | { readonly intact: false; readonly at: number; readonly why: 'gap' | 'hash' | 'tail' }

interface Row extends ChainedEvent {
  readonly hash: Buffer
}

/**
 * Verifies the chain after an event. `anchor` is a head known from elsewhere: a chain that does not contain it was
 * truncated or replaced.
 */
export function verifyChain(db: Db, anchor?: Head, from: Head = genesis): ChainVerdict {
  let head = from
  let anchored = !anchor || anchor.seq <= from.seq
  const rows = db
    .prepare(
      `SELECT seq, at, kind, subject, record, plain, commitment, hash, links, digests FROM event WHERE seq > ? ORDER BY seq`
    )
    .iterate(from.seq) as IterableIterator<Row>
  for (const row of rows) {
    if (row.seq !== head.seq + 1) return { intact: false, at: head.seq + 1, why: 'gap' }
    const hash = eventHash(head.hash, row)
    if (!hash.equals(row.hash)) return { intact: false, at: row.seq, why: 'hash' }
    if (anchor?.seq === row.seq) {
      if (!anchor.hash.equals(hash)) return { intact: false, at: row.seq, why: 'hash' }
      anchored = true
    }
    head = { seq: row.seq, hash }
  }
  if (!anchored) return { intact: false, at: head.seq, why: 'tail' }
  return { intact: true, events: head.seq, head: head.hash.toString('hex') }
}
