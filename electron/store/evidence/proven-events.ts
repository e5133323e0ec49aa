/** Events with everything that proves them: their parts are opened and compared with what was recorded. */
import { recordedValues, saltedValues, type EventLinks } from '#kit/hashing/values.ts'
import type { ChainedEvent } from '#wire/history/events.ts'
import type { ProvenBody, ProvenEvent, ProvenPart } from '#wire/history/evidence.ts'
import { eventHash, partDigests } from '#wire/history/chain.ts'
import { bodyPurpose, type EndedPlain } from '#wire/history/record-payloads.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import { unseal, type Unsealed } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'

interface EventRow extends ChainedEvent {
  readonly sealed: Buffer | null
  readonly hash: Buffer
}
export interface Proven {
  readonly event: ProvenEvent
  /** Of a `record.ended` with a response. */
  readonly body?: ProvenBody
}

type Reply = NonNullable<EndedPlain['reply']>

export class ProvenEvents {
  private readonly subjects: Subjects
  private readonly bySeq
  private readonly hashOf
  private readonly bodyOf

  constructor(history: Db, subjects: Subjects) {
    this.subjects = subjects
    this.bySeq = history.prepare(
      'SELECT seq, at, kind, subject, record, plain, sealed, hash, links, digests FROM event WHERE seq = ?'
    )
    this.hashOf = history.prepare('SELECT hash FROM event WHERE seq = ?').pluck()
    this.bodyOf = history.prepare('SELECT sealed FROM reply_body WHERE record = ?').pluck()
  }

  private hash(seq: number): Buffer {
    const hash = this.hashOf.get(seq) as Buffer | undefined
    if (!hash) throw new DamageError({ reason: 'event-missing', number: seq })
    return hash
  }

  private row(seq: number): EventRow {
    const row = this.bySeq.get(seq) as EventRow | undefined
    if (!row) throw new DamageError({ reason: 'event-missing', number: seq })
    return row
  }

  /** The text of an event's plain part. */
  plain(seq: number): string {
    return this.row(seq).plain
  }

  /**
   * @param path Its inclusion proof.
   * @throws {DamageError} if it is not what was recorded.
   */
  proven(seq: number, path: readonly string[]): Proven {
    const row = this.row(seq)
    const previous = seq === 1 ? Buffer.alloc(32) : this.hash(seq - 1)
    if (!eventHash(previous, row).equals(row.hash)) throw new DamageError({ reason: 'event-changed', number: seq })
    const opened = this.open(row.subject, row.kind, row.sealed)
    const proof = { previous: previous.toString('hex'), hash: row.hash.toString('hex'), path }
    const event = eventOf(row, opened, proof)
    const reply = row.kind === 'record.ended' ? (JSON.parse(row.plain) as EndedPlain).reply : null
    return { event, ...(reply && { body: this.body(row, reply) }) }
  }

  /** Without its key a response was erased. With it, it must exist and be the recorded one, or no pack would verify. */
  private body({ subject, record }: EventRow, { values }: Reply): ProvenBody {
    const number = record ?? 0
    const sealed = this.bodyOf.get(record) as Buffer | undefined
    const opened = this.open(subject, bodyPurpose, sealed ?? null)
    const erased = subject === null || !this.subjects.key(subject)
    if (!erased && !opened) throw new DamageError({ reason: 'reply-changed', number })
    const part = partOf(values, opened)
    if (!part) throw new DamageError({ reason: 'reply-changed', number })
    return { version: 1, record: number, part }
  }

  private open(subject: number | null, purpose: string, sealed: Buffer | null): Unsealed | undefined {
    const key = sealed && subject !== null ? this.subjects.key(subject) : undefined
    if (!key || !sealed) return undefined
    const opened = unseal(key, purpose, sealed)
    if (!opened) throw new DamageError({ reason: 'sealed', part: purpose })
    return opened
  }
}

type Proof = Pick<ProvenEvent, 'previous' | 'hash' | 'path'>

function eventOf(row: EventRow, opened: Unsealed | undefined, proof: Proof): ProvenEvent {
  const { seq, at, kind, subject, record, links, digests } = row
  const values = partDigests(row)
  const plain = partOf(values.plain, { salt: digests.toString('hex', 0, 16), payload: row.plain })
  if (!plain) throw new DamageError({ reason: 'event-changed', number: seq })
  const sealed = values.sealed === null ? null : partOf(values.sealed, opened)
  // The bytes of a sealed part stay when its key is destroyed.
  if (sealed === undefined || (sealed === null) !== (row.sealed === null))
    throw new DamageError({ reason: 'event-sealed', number: seq })
  return { version: 1, seq, at, kind, subject, record, links: JSON.parse(links) as EventLinks, plain, sealed, ...proof }
}

/** A part with its values; undefined if they are not those whose digest was recorded. */
function partOf(values: string, opened: Unsealed | undefined): ProvenPart | undefined {
  if (!opened) return { values, entries: null }
  const recorded = recordedValues(opened.salt, opened.payload, values)
  return recorded && { values, entries: saltedValues(opened.salt, recorded) }
}
