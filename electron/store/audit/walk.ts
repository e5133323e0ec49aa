/** Verifies the audit trail step by step: chain, anchored heads, sealed data, and what lists contain of it. */
import { createSecretKey, type KeyObject } from 'node:crypto'
import { addLeaf } from '#kit/hashing/merkle.ts'
import type { Break, WalkState, WalkStep, WalkTask } from '#wire/history/audit-walk.ts'
import type { AuditBreak } from '#contract/failures/failures.ts'
import { SeriesCheck } from './series-check.ts'
import { uuidText } from '#kit/bytes.ts'
import { recordedValues, type Values } from '#kit/hashing/values.ts'
import { eventHashHex, partDigests, plainValues } from '#wire/history/chain.ts'
import type { ChainedEvent } from '#wire/history/events.ts'
import { codeOfState } from '../projections/columns.ts'
import { ErasedSubjects } from '../erasure/erased-subjects.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import { bodyPurpose, type BegunPlain, type EndedPlain } from '#wire/history/record-payloads.ts'
import type { Subjects } from '../storage/subjects.ts'

interface Row extends Omit<ChainedEvent, 'plain'> {
  /** Of its plain part; undefined if they are not those of their digest. */
  readonly values: Values | undefined
  readonly sealed: Buffer | null
  /** In hex. */
  readonly hash: string
  /** Of a finished verification: its sealed reply. */
  readonly body: Buffer | null
}
/** An event with its binary columns combined: creating each buffer of a row costs as much as hashing its event. */
type RawRow = readonly [
  seq: number,
  at: number,
  kind: ChainedEvent['kind'],
  subject: number | null,
  record: number | null,
  plain: string,
  links: string,
  hash: number,
  digests: number,
  sealed: number | null,
  bytes: Buffer,
  body: Buffer | null
]
const rowsBetween = `
  SELECT e.seq, at, kind, subject, e.record, plain, links,
    octet_length(hash), octet_length(digests), octet_length(e.sealed),
    CAST(hash || digests || coalesce(e.sealed, '') AS BLOB), b.sealed
  FROM event e LEFT JOIN reply_body b ON e.kind = 'record.ended' AND b.record = e.record
  WHERE e.seq > ? AND e.seq <= ? ORDER BY e.seq`

function rowOf([seq, at, kind, subject, record, plain, links, hash, digests, sealed, bytes, body]: RawRow): Row {
  const sealedAt = hash + digests
  const ofParts = bytes.subarray(hash, sealedAt)
  return {
    seq,
    at,
    kind,
    subject,
    record,
    values: plainValues({ plain, digests: ofParts }),
    links,
    hash: bytes.toString('hex', 0, hash),
    digests: ofParts,
    sealed: sealed === null ? null : bytes.subarray(sealedAt),
    body
  }
}
interface RecordRow {
  readonly id: Buffer
  readonly subject: number
  readonly operation: string
  readonly connection: number
  readonly state: number
  readonly status: number | null
  readonly started_at: number
  readonly took: number | null
  readonly begun: number
  readonly ended: number | null
  readonly resolved: number | null
  readonly batch: string | null
  readonly rerun_of: Buffer | null
  /** Who sent it; null if the list names nobody that is known. */
  readonly by: string | null
}

/** Contradictions between a list's record and an event; they name both. */
type RecordBreakCode =
  | 'record-missing'
  | 'record-of-another'
  | 'record-changed'
  | 'record-outcome'
  | 'record-resolution'

/** Events between two readings of the clock. */
const stride = 64
/** Maximum keys and rows cached per step. */
const maxCached = 4096

export const walkStart: WalkState = {
  seq: 0,
  hash: '00'.repeat(32),
  opened: 0,
  erased: 0,
  records: 0,
  awaited: [],
  series: 0,
  ended: 0,
  tree: []
}

/** Whether a list's record has what its start event says; without an end it has no outcome. */
function isAsBegun(record: RecordRow, row: Row, plain: BegunPlain): boolean {
  const hasOutcomeByEnd =
    record.ended !== null || (record.state === 0 && record.status === null && record.took === null)
  return (
    hasOutcomeByEnd &&
    record.begun === row.seq &&
    record.started_at === row.at &&
    uuidText(record.id) === plain.id &&
    record.operation === plain.operation &&
    record.connection === plain.connection &&
    record.by === plain.operator &&
    (record.batch ?? undefined) === plain.batchId &&
    (record.rerun_of ? uuidText(record.rerun_of) : undefined) === plain.rerunOf
  )
}

/** An event that is not the one that was written, or not the one that was anchored. */
function chainFault(
  { seq, hash, values }: Row,
  computed: string,
  anchored: string | undefined
): AuditBreak | undefined {
  if (hash !== computed || !values) return { why: 'hash', code: 'event-changed', details: { event: seq } }
  return anchored !== undefined && anchored !== computed
    ? { why: 'anchor', code: 'event-replaced', details: { event: seq } }
    : undefined
}

export class Walk {
  private readonly subjects: Subjects
  /** Values that neighbouring events need again; dropped after each step, since both may change in between. */
  private readonly keys = new Map<number, KeyObject | undefined>()
  private readonly begun = new Map<number, RecordRow>()
  private readonly rows
  private readonly recordOf
  private readonly connectionOf
  private readonly extraRecord
  private readonly before
  private readonly last
  private readonly decisionRow
  private readonly erased
  private readonly series: SeriesCheck

  /** @param subjects On the second of the files. */
  constructor(dbs: { readonly history: Db; readonly subjects: Db }, subjects: Subjects) {
    const { history } = dbs
    this.subjects = subjects
    this.rows = history.prepare(rowsBetween).raw()
    this.recordOf = history.prepare(
      `SELECT r.*, r.resolved, o.id AS operation, p.name AS by
       FROM record r JOIN operation o ON o.ref = r.operation LEFT JOIN operator p ON p.ref = r.operator WHERE r.seq = ?`
    )
    this.connectionOf = history.prepare('SELECT snapshot FROM connection WHERE ref = ?').pluck()
    this.extraRecord = history
      .prepare('SELECT seq FROM record WHERE (seq > ? OR seq < 1) AND begun <= ? LIMIT 1')
      .pluck()
    this.before = history.prepare('SELECT count(*) FROM event WHERE seq < 1').pluck()
    this.last = history.prepare('SELECT coalesce(max(seq), 0) FROM event').pluck()
    this.erased = new ErasedSubjects(dbs)
    this.series = new SeriesCheck(history)
    this.decisionRow = history.prepare('SELECT decision, evidence FROM applicant WHERE subject = ?')
  }

  /** The last event. */
  get size(): number {
    return this.last.get() as number
  }

  /** Verifies from a state until the time is up, the end is reached or something does not match. */
  step({ from = walkStart, until, known, slice }: WalkTask): WalkStep {
    this.keys.clear()
    this.begun.clear()
    this.erased.renew()
    this.series.renew()
    const end = performance.now() + slice
    const broken = (at: number, how: AuditBreak, verified: number): { kind: 'broken'; broken: Break } => ({
      kind: 'broken',
      broken: { at, verified, ...how }
    })
    if (from.seq === 0 && (this.before.get() as number) > 0)
      return broken(0, { why: 'gap', code: 'event-before-first' }, 0)
    const heads = new Map(known.map(({ seq, hash }) => [seq, hash]))
    let { seq, opened, erased, records, series, ended } = from
    let { hash } = from
    // Hashes are compared as hex strings: creating a buffer for each takes three times as long.
    const previous = Buffer.from(hash, 'hex')
    const awaited = new Map(from.awaited)
    const tree = [...from.tree]
    const subjects = this.subjects.last
    const state = (): WalkState => ({
      seq,
      hash,
      opened,
      erased,
      records,
      awaited: [...awaited],
      series,
      ended,
      tree: [...tree]
    })
    for (const raw of this.rows.iterate(seq, until) as IterableIterator<RawRow>) {
      const row = rowOf(raw)
      if (row.seq !== seq + 1) return broken(seq + 1, gap(seq + 1, row.seq - 1), seq)
      const computed = eventHashHex(previous, row)
      const changed = chainFault(row, computed, heads.get(row.seq))
      if (changed) return broken(row.seq, changed, seq)
      if (row.kind === 'record.begun') records += 1
      const key = row.subject === null ? undefined : this.key(row.subject)
      const fault =
        this.keyFault(row, subjects, key) ??
        this.sealedFault(row, key) ??
        this.projectionFault(row, records, awaited, key)
      if (fault) return broken(row.seq, fault, seq)
      if (row.sealed) {
        if (key) opened += 1
        else erased += 1
      }
      const ends = this.endsSeries(row)
      if (ends === undefined) series ||= row.seq
      else ended += ends
      previous.write(computed, 'hex')
      addLeaf(tree, seq, previous)
      seq = row.seq
      hash = computed
      if (seq % stride === 0 && performance.now() > end && seq < until) return { kind: 'more', state: state() }
    }
    const fault = this.endFault(state(), until, known)
    return fault ? broken(seq, fault, seq) : { kind: 'whole', state: state() }
  }

  /** What is wrong once every event was looked at: the end, and what lists have that no event says. */
  private endFault(
    { seq, awaited, records, series, ended }: WalkState,
    until: number,
    known: WalkTask['known']
  ): AuditBreak | undefined {
    const missing = Math.max(until, ...known.map((head) => head.seq)) - seq
    if (missing > 0)
      return seq === 0
        ? { why: 'tail', code: 'all-missing' }
        : { why: 'tail', code: 'end-missing', details: { event: seq, missing } }
    const forged = awaited.find(([event]) => event <= until)
    if (forged)
      return { why: 'projection', code: 'record-unconfirmed', details: { record: forged[1], event: forged[0] } }
    const extra = this.extraRecord.get(records, until) as number | undefined
    if (extra !== undefined) return { why: 'projection', code: 'record-extra', details: { record: extra } }
    const unfit = series || this.series.wrong(ended, until)
    return unfit ? { why: 'projection', code: 'series-differs', details: { event: unfit } } : undefined
  }

  /** The key of an event's subject must be there, unless it was erased. */
  private keyFault({ seq, subject }: Row, last: number, key: KeyObject | undefined): AuditBreak | undefined {
    if (subject === null) return undefined
    if (subject > last) return { why: 'projection', code: 'keys-older', details: { known: last, event: seq, subject } }
    return key || this.erased.has(subject)
      ? undefined
      : { why: 'payload', code: 'key-missing', details: { subject, event: seq } }
  }

  private key(subject: number): KeyObject | undefined {
    if (this.keys.has(subject)) return this.keys.get(subject)
    const bytes = this.subjects.key(subject)
    const key = bytes && createSecretKey(bytes)
    if (this.keys.size >= maxCached) this.keys.clear()
    this.keys.set(subject, key)
    return key
  }

  /** A record's row. That of a start event is cached for its result, which usually follows soon. */
  private record(seq: number, kind: string): RecordRow | undefined {
    const row = this.begun.get(seq) ?? (this.recordOf.get(seq) as RecordRow | undefined)
    if (kind !== 'record.begun') this.begun.delete(seq)
    else if (row && this.begun.size < maxCached) this.begun.set(seq, row)
    return row
  }

  private sealedFault({ seq, kind, sealed, digests }: Row, key: KeyObject | undefined): AuditBreak | undefined {
    const { sealed: digest } = partDigests({ digests })
    if ((sealed === null) !== (digest === null))
      return { why: 'payload', code: sealed ? 'sealed-added' : 'sealed-removed', details: { event: seq } }
    const fits = !sealed || digest === null || !key || isSealedAs(digest, sealed, key, kind)
    return fits ? undefined : { why: 'payload', code: 'sealed-changed', details: { event: seq } }
  }

  /** The number of series that an event ends; undefined if it does not fit the list. */
  private endsSeries(row: Row): number | undefined {
    const { kind, record } = row
    const batchId = (): string | undefined =>
      kind.startsWith('record.') && record !== null
        ? (this.record(record, kind)?.batch ?? undefined)
        : plainOf<{ readonly id?: string }>(row)?.id
    return this.series.ends(row, batchId)
  }

  private projectionFault(
    row: Row,
    records: number,
    awaited: Map<number, number>,
    key: KeyObject | undefined
  ): AuditBreak | undefined {
    switch (row.kind) {
      case 'connection.noted': {
        const noted = plainOf<{ ref: number; snapshot: string }>(row)
        if (!noted || typeof noted.ref !== 'number') return unreadable(row)
        const { ref, snapshot } = noted
        return this.connectionOf.get(ref) === snapshot
          ? undefined
          : { why: 'projection', code: 'connection-differs', details: { connection: ref, event: row.seq } }
      }
      case 'record.begun':
      case 'record.ended':
      case 'record.resolved':
        return this.recordFault(row, records, awaited, key)
      case 'decision.made':
        return this.decisionFault(row)
      case 'subject.erased':
        return this.erasureFault(row)
      default:
        return undefined
    }
  }

  private recordFault(
    row: Row,
    records: number,
    awaited: Map<number, number>,
    key: KeyObject | undefined
  ): AuditBreak | undefined {
    const record = row.record === null ? undefined : this.record(row.record, row.kind)
    const differs = (code: RecordBreakCode): AuditBreak => ({
      why: 'projection',
      code,
      details: { record: row.record ?? 0, event: row.seq }
    })
    if (!record) return differs('record-missing')
    if (record.subject !== row.subject) return differs('record-of-another')
    if (row.kind === 'record.begun') {
      const plain = plainOf<BegunPlain>(row)
      if (!plain) return unreadable(row)
      if (row.record !== records || !isAsBegun(record, row, plain)) return differs('record-changed')
      for (const event of [record.ended, record.resolved]) if (event !== null) awaited.set(event, row.record)
      return undefined
    }
    awaited.delete(row.seq)
    if (row.kind === 'record.resolved') return record.resolved === row.seq ? undefined : differs('record-resolution')
    return this.endedFault(row, record, key)
  }

  private endedFault(row: Row, record: RecordRow, key: KeyObject | undefined): AuditBreak | undefined {
    const plain = plainOf<EndedPlain>(row)
    if (!plain) return unreadable(row)
    const fits =
      record.ended === row.seq &&
      record.state === codeOfState(plain.outcome) &&
      (record.status ?? undefined) === plain.reply?.status &&
      (record.took ?? undefined) === plain.took
    if (!fits)
      return {
        why: 'projection',
        code: 'record-outcome',
        details: { record: row.record ?? 0, event: row.seq }
      }
    return plain.reply && key ? this.bodyFault(row, plain.reply.values, key) : undefined
  }

  private bodyFault({ seq, record, body }: Row, digest: string, key: KeyObject): AuditBreak | undefined {
    return body && isSealedAs(digest, body, key, bodyPurpose)
      ? undefined
      : { why: 'body', code: 'body-changed', details: { record: record ?? 0, event: seq } }
  }

  /** An older key file brings back what an erasure destroyed. */
  private erasureFault(row: Row): AuditBreak | undefined {
    const subjects = plainOf<{ readonly subjects: readonly number[] }>(row)?.subjects
    if (!Array.isArray(subjects)) return unreadable(row)
    const back = subjects.find((subject) => this.subjects.key(subject))
    return back === undefined
      ? undefined
      : { why: 'projection', code: 'key-restored', details: { event: row.seq, subject: back } }
  }

  /** The applicant's row refers to its latest decision; an erased applicant has none. */
  private decisionFault({ seq, subject }: Row): AuditBreak | undefined {
    const row = this.decisionRow.get(subject) as { readonly decision: number | null } | undefined
    return !row || (row.decision !== null && row.decision >= seq)
      ? undefined
      : { why: 'projection', code: 'decision-differs', details: { event: seq } }
  }
}

/** The content of an event. A forged one can have any values. */
const plainOf = <T>({ values }: Row): T | undefined => values as T | undefined

/** Whether a sealed part has the values of a digest. */
function isSealedAs(digest: string, sealed: Buffer, key: KeyObject, purpose: string): boolean {
  const opened = unseal(key, purpose, sealed)
  return opened !== undefined && recordedValues(opened.salt, opened.payload, digest) !== undefined
}

const unreadable = ({ seq }: Row): AuditBreak => ({
  why: 'projection',
  code: 'event-unreadable',
  details: { event: seq }
})

const gap = (first: number, last: number): AuditBreak =>
  first === last
    ? { why: 'gap', code: 'event-missing', details: { event: first } }
    : { why: 'gap', code: 'events-missing', details: { first, last } }
