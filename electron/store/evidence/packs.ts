/**
 * What evidence packs contain: the event that records a pack, and everything up to it. Whatever is appended between the
 * two steps is not part of the pack.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { CompleteSeries, Evidence, PackPlain, PackRequest } from '#wire/history/evidence.ts'
import type { Proofs } from '../audit/proofs.ts'
import { inAuditTrail } from '../events/event-index.ts'
import { linkAfter } from '../events/series.ts'
import { isCreated } from '../batches/codes.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'
import { uuidBytes, uuidText } from '#kit/bytes.ts'
import { ProvenEvents, type Proven } from './proven-events.ts'
import { SeriesReader } from './series-reader.ts'

/** Maximum records of one pack: it is one text, read and verified as a whole. */
const maxRecords = 10_000

interface RecordRow {
  readonly seq: number
  readonly id: Buffer
  readonly subject: number
}
/** What a pack is about, before it is recorded. */
interface Subject {
  readonly subject: number | null
  readonly record: number | null
  readonly batch?: string
  /** As in the history, for a record or batch. */
  readonly id?: string
  readonly applicantId?: string
  readonly records: number
}

export const nothing = (reason: 'record' | 'batch' | 'applicant' | 'erased'): Result<never, Failure> =>
  failed('evidence-nothing', { reason })

export class Packs {
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly proofs: Proofs
  private readonly events: ProvenEvents
  private readonly series: SeriesReader
  private readonly linksOf
  /** The copies of a record's documents: they are no part of its series, which follows from its row. */
  private readonly copiesOf
  /** Subject and event. */
  private readonly erasuresOf

  constructor({
    history,
    subjects,
    proofs
  }: {
    readonly history: Db
    readonly subjects: Subjects
    readonly proofs: Proofs
  }) {
    this.db = history
    this.subjects = subjects
    this.proofs = proofs
    this.events = new ProvenEvents(history, subjects)
    this.series = new SeriesReader(history)
    this.linksOf = history.prepare(
      `SELECT e.kind, e.record FROM applicant_event a JOIN event e ON e.seq = a.event
         WHERE a.subject = ? AND e.kind IN ('link.made', 'link.removed') ORDER BY a.event`
    )
    this.copiesOf = history
      .prepare(`SELECT seq FROM event WHERE kind = 'document.kept' AND record = ? AND seq < ? ORDER BY seq`)
      .pluck()
    this.erasuresOf = history
      .prepare(
        `SELECT s.value, e.seq FROM event e, json_each(e.plain, '$.subjects') s
           WHERE e.kind = 'subject.erased' AND e.${inAuditTrail} ORDER BY e.seq`
      )
      .raw()
  }

  /** Records that a pack is made; returns the number of the event. Within a transaction. */
  begin(request: PackRequest, writer: Writer): Result<number, Failure> {
    const found = this.subject(request)
    if (!found.ok) return found
    const { subject, record, batch, id, applicantId, records } = found.value
    const linked = applicantId === undefined || subject === null ? [] : this.linked(subject)
    if (records + linked.length > maxRecords)
      return failed('evidence-nothing', { reason: 'too-many', limit: maxRecords })
    const seq = writer.head.seq + 1
    const series: CompleteSeries[] = []
    if (applicantId !== undefined && subject !== null)
      series.push(['subject', subject, writer.series.countOfSubject(subject) + 1, seq])
    if (batch !== undefined) series.push(['batch', batch, writer.series.countOfBatch(batch) + 1, seq])
    for (const each of record === null ? linked : [record]) series.push(this.recordSeries(each))
    const { profile, operator, about } = request
    const plain: PackPlain = { operator, about: about.kind, id, profile, series }
    const key = applicantId === undefined || subject === null ? undefined : this.subjects.key(subject)
    writer.append(
      { at: Math.trunc(request.at), kind: 'pack.made', subject, record, plain, batch },
      key && { key, payload: { applicantId } }
    )
    return ok(seq)
  }

  private subject({ about }: PackRequest): Result<Subject, Failure> {
    if (about.kind === 'record') {
      const bytes = uuidBytes(about.id)
      const found =
        bytes &&
        (this.db.prepare('SELECT seq, id, subject FROM record WHERE id = ?').get(bytes) as RecordRow | undefined)
      return found
        ? ok({ subject: found.subject, record: found.seq, id: uuidText(found.id), records: 1 })
        : nothing('record')
    }
    if (about.kind === 'batch') {
      const known = this.db.prepare(`SELECT 1 FROM batch WHERE id = ? AND ${isCreated}`).get(about.id) !== undefined
      return known
        ? ok({ subject: null, record: null, batch: about.id, id: about.id, records: this.count('batch', about.id) })
        : nothing('batch')
    }
    const subject = this.subjects.ofApplicant(about.id)
    if (subject === undefined) return nothing('applicant')
    return ok({ subject, record: null, applicantId: about.id, records: this.count('subject', subject) })
  }

  private count(column: 'batch' | 'subject', value: string | number): number {
    return this.db
      .prepare(`SELECT count(*) FROM (SELECT 1 FROM record WHERE ${column} = ? LIMIT ?)`)
      .pluck()
      .get(value, maxRecords + 1) as number
  }

  /**
   * The records that are linked to an applicant manually, by its events: an erasure of a record's own subject removes
   * the link from the list, but not from the audit trail.
   */
  private linked(subject: number): number[] {
    const linked = new Set<number>()
    for (const { kind, record } of this.linksOf.all(subject) as { kind: string; record: number }[]) {
      if (kind === 'link.made') linked.add(record)
      else linked.delete(record)
    }
    return [...linked].sort((a, b) => a - b)
  }

  private recordSeries(record: number): CompleteSeries {
    const [next, last] = linkAfter(this.series.ofRecord(record))
    return ['record', record, next - 1, last]
  }

  /**
   * The content of the pack whose `pack.made` has this number. Failure: `evidence-nothing` if somebody whom it shows was erased
   * since.
   *
   * @throws {DamageError} if the events are not those that were recorded, or a series has a gap.
   */
  collect(seq: number): Result<Evidence, Failure> {
    const { about, series } = JSON.parse(this.events.plain(seq)) as PackPlain
    const own = [seq, ...series.flatMap((each) => this.series.events(each))]
    if (about === 'record') own.push(...series.flatMap(([, record]) => this.copiesOf.all(record, seq) as number[]))
    const seqs = [...new Set([...own, ...this.connections(own), ...this.checklists(own)])].sort((a, b) => a - b)
    const [proof, first] = [this.proofs.inclusion(seq, seq), this.proofs.inclusion(1, seq)]
    if (!proof.ok) return proof
    if (!first.ok) return first
    const shown = this.proven(seqs, seq)
    if (!shown.ok) return shown
    const erasures = this.erasures(shown.value, seq)
    const added = erasures.ok ? this.proven(erasures.value, seq) : erasures
    if (!added.ok) return added
    const all = [...shown.value, ...added.value].sort((a, b) => a.event.seq - b.event.seq)
    const events = all.map(({ event }) => event)
    return ok({
      origin: { leaf: first.value.leaf, path: first.value.path },
      head: { seq, hash: proof.value.leaf, root: proof.value.root },
      records: events.filter(({ kind }) => kind === 'record.begun').length,
      events,
      bodies: all.flatMap(({ body }) => body ?? []),
      earlier: this.earlier(seq)
    })
  }

  /** @param size The tree that proves them has as many events. */
  private proven(seqs: readonly number[], size: number): Result<Proven[], Failure> {
    const found: Proven[] = []
    for (const each of seqs) {
      const path = this.proofs.inclusion(each, size)
      if (!path.ok) return path
      found.push(this.events.proven(each, path.value.path))
    }
    return ok(found)
  }

  /** The events that recorded the erasure of what is erased in a pack, without which no verifier accepts that it is missing. */
  private erasures(shown: readonly Proven[], made: number): Result<number[], Failure> {
    const gone = new Set(
      shown.flatMap(({ event, body }) =>
        event.sealed?.entries === null || body?.part.entries === null ? [event.subject] : []
      )
    )
    if (gone.size === 0) return ok([])
    const recorded = new Map(this.erasuresOf.all() as [number, number][])
    const found = new Set<number>()
    for (const subject of gone) {
      const erasure = recorded.get(subject ?? 0)
      if (erasure === undefined) throw new DamageError({ reason: 'erasure-event' })
      if (erasure > made) return nothing('erased')
      found.add(erasure)
    }
    return ok([...found])
  }

  /** The events that recorded the connections of the records that are shown. */
  private connections(seqs: readonly number[]): number[] {
    return this.db
      .prepare(
        `SELECT seq FROM event WHERE kind = 'connection.noted' AND ${inAuditTrail} AND json_extract(plain, '$.ref') IN
           (SELECT r.connection FROM json_each(?) s JOIN event e ON e.seq = s.value
             JOIN record r ON r.seq = e.record WHERE e.kind = 'record.begun')`
      )
      .pluck()
      .all(JSON.stringify(seqs)) as number[]
  }

  /** The events that recorded the checklists of the decisions and reviews that are shown. */
  private checklists(seqs: readonly number[]): number[] {
    return this.db
      .prepare(
        `SELECT seq FROM event WHERE kind = 'checklist.noted' AND ${inAuditTrail} AND json_extract(plain, '$.ref') IN
           (SELECT json_extract(e.plain, '$.checklist.ref') FROM json_each(?) s JOIN event e ON e.seq = s.value
             WHERE e.kind IN ('decision.made', 'review.recorded'))`
      )
      .pluck()
      .all(JSON.stringify(seqs)) as number[]
  }

  /** The tree of the pack before. */
  private earlier(seq: number): Evidence['earlier'] {
    const before = this.db
      .prepare(`SELECT max(seq) FROM event WHERE kind = 'pack.made' AND ${inAuditTrail} AND seq < ?`)
      .pluck()
      .get(seq) as number | null
    if (before === null) return null
    const proof = this.proofs.consistency(before, seq)
    if (!proof.ok) throw new DamageError({ reason: 'event-missing', number: before })
    return { size: before, root: proof.value.fromRoot, path: proof.value.path }
  }
}
