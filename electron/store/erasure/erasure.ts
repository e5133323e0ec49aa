/** Erases subjects: their keys, their texts in the index, and what was sealed for them. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { ErasureReceipt } from '#contract/data-management/data-management.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type {
  ClearedCopies,
  ErasedPlain,
  ErasedSealed,
  ErasureIntent,
  ErasureOrder,
  ErasureScope,
  TakenPlain,
  UnclearedErasure
} from '#wire/history/erasure.ts'
import { listBegun, type BegunErasure } from '#wire/files/erased-list.ts'
import { codeOfState } from '../projections/columns.ts'
import { uuid7, uuidText } from '#kit/bytes.ts'
import { keyDigest } from '#kit/sealing/seal.ts'
import { ErasedSubjects } from './erased-subjects.ts'
import { ErasureIntents, type ClearedPlain, type Destroyed } from './intents.ts'
import { inAuditTrail } from '../events/event-index.ts'
import { DamageError, guarded, type Db, type FileName } from '#wire/sqlite/files.ts'
import type { DocumentCopies } from '../records/document-copies.ts'
import { ForgottenTexts } from './forgotten-texts.ts'
import { Holds } from './holds.ts'
import type { Indexer } from '../search/indexer.ts'
import type { NoteTexts } from '../search/note-texts.ts'
import type { Reader } from '../records/reader.ts'
import { forgetSentSince } from '../records/restored.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'

/** Newest first. `pending`: ids of erasures whose copies are still to be cleared. */
function receiptsIn(history: Db, pending: ReadonlySet<string>): ErasureReceipt[] {
  const copies = new Map(events<ClearedPlain>(history, 'copies.cleared').map(({ plain }) => [plain.id, plain]))
  return events<ErasedPlain>(history, 'subject.erased').map(({ seq, at, hash, plain: { operator, ...plain } }) => {
    const { backupsRewritten = 0, copiesNotReached = [], documentsNotDeleted } = copies.get(plain.id) ?? {}
    const still = pending.has(plain.id) && { copiesPending: true }
    return {
      backupsRewritten,
      copiesNotReached,
      ...(documentsNotDeleted !== undefined && { documentsNotDeleted }),
      ...plain,
      ...still,
      at: Math.trunc(at),
      by: operator,
      event: seq,
      head: hash.toString('hex')
    }
  })
}

interface ErasureEvent<Plain> {
  readonly seq: number
  readonly at: number
  readonly hash: Buffer
  readonly plain: Plain
}

/** Newest first. What a restore took out again is no erasure of its own: the receipt of that one outlives its audit trail. */
function events<Plain>(history: Db, kind: 'subject.erased' | 'copies.cleared'): ErasureEvent<Plain>[] {
  const rows = history
    .prepare(`SELECT seq, at, plain, hash FROM event WHERE kind = ? AND ${inAuditTrail}
         AND plain ->> 'cause' IS NOT 'restore' ORDER BY seq DESC LIMIT 1000`)
    .all(kind) as ErasureEvent<string>[]
  return rows.map(({ plain, ...row }) => ({ ...row, plain: JSON.parse(plain) as Plain }))
}

export interface ErasureParts {
  readonly dbs: Readonly<Record<FileName, Db>>
  /** Runs a write in its own transaction. */
  readonly commit: <T>(write: (writer: Writer) => Result<T, Failure>) => Result<T, Failure>
  readonly subjects: Subjects
  readonly reader: Reader
  readonly indexer: Indexer
  readonly notes: NoteTexts
  readonly copies: DocumentCopies
}

/** SQLite cannot bind a list as a value; a JSON array works. */
const among = 'IN (SELECT value FROM json_each(?))'

export class Erasure {
  readonly holds: Holds
  private readonly parts: ErasureParts
  private readonly db: Db
  private readonly intents: ErasureIntents
  private readonly texts: ForgottenTexts

  constructor(parts: ErasureParts) {
    this.parts = parts
    this.db = parts.dbs.history
    this.holds = new Holds({ history: parts.dbs.history, subjects: parts.subjects })
    this.intents = new ErasureIntents(parts.dbs.subjects)
    this.texts = new ForgottenTexts({ ...parts, ...parts.dbs })
  }

  /** The subjects of an applicant: its own, and those of verifications that name none and were linked to it. */
  private subjectsOf(applicantId: string): number[] {
    const own = this.parts.subjects.ofApplicant(applicantId)
    return own === undefined ? [] : [own, ...this.linkedTo(own)]
  }

  private linkedTo(subject: number): number[] {
    return this.links().flatMap((link) => (link.applicant === subject ? [link.subject] : []))
  }

  /** Verifications that name no applicant, by their own subject, with the applicant that each was linked to. */
  links(): { readonly subject: number; readonly applicant: number }[] {
    const rows = this.db
      .prepare(
        'SELECT DISTINCT r.subject, l.subject AS applicant FROM applicant_link l JOIN record r ON r.seq = l.record'
      )
      .all() as { subject: number; applicant: number }[]
    return rows.filter(
      ({ subject, applicant }) => subject !== applicant && this.parts.subjects.applicantOf(subject) === undefined
    )
  }

  /** Catalogue messages that no other existing subject received: they may contain a name. */
  private ownMessages(subjects: readonly number[]): number[] {
    const list = JSON.stringify(subjects)
    const lone = new Set(
      this.db
        .prepare(`SELECT DISTINCT message FROM record WHERE message IS NOT NULL AND subject ${among}`)
        .pluck()
        .all(list) as number[]
    )
    if (lone.size === 0) return []
    const going = new Set(subjects)
    // Newest first: common messages are found again at once.
    const others = this.db.prepare(`SELECT message, subject FROM record WHERE message ${among} ORDER BY seq DESC`)
    for (const { message, subject } of others.iterate(JSON.stringify([...lone])) as IterableIterator<{
      message: number
      subject: number
    }>) {
      if (!going.has(subject) && lone.has(message) && this.parts.subjects.key(subject)) lone.delete(message)
      if (lone.size === 0) break
    }
    return [...lone]
  }

  scope(applicantId: string): Result<ErasureScope, Failure> {
    const subjects = this.subjectsOf(applicantId)
    return subjects.length === 0 ? failed('applicant-missing') : ok(this.scopeOf(subjects))
  }

  scopeOf(people: readonly number[]): ErasureScope {
    const subjects = [...people, ...this.ownMessages(people)]
    const list = JSON.stringify(subjects)
    const records = this.db
      .prepare(
        `SELECT count(*) AS records, coalesce(min(started_at), 0) AS oldest, coalesce(max(started_at), 0) AS newest,
           coalesce(sum(state = ${codeOfState('open')}), 0) AS open, coalesce(sum(subject <> ?), 0) AS linked
             FROM record WHERE subject ${among}`
      )
      .get(people[0] ?? 0, list) as { records: number; oldest: number; newest: number; open: number; linked: number }
    const batchRows = this.count('batch_row', list)
    const digests = subjects.flatMap((ref) => this.parts.subjects.key(ref) ?? []).map(keyDigest)
    const hold = this.holds.all().find(({ subject }) => subjects.includes(subject))?.hold
    const applicants = people.flatMap((ref) => this.parts.subjects.applicantOf(ref) ?? [])
    return {
      ...records,
      people,
      applicants,
      subjects,
      digests,
      batchRows,
      open: records.open > 0,
      ...(hold && { hold })
    }
  }

  private count(table: 'record' | 'batch_row', list: string): number {
    return this.db.prepare(`SELECT count(*) FROM ${table} WHERE subject ${among}`).pluck().get(list) as number
  }

  /** Records an intended erasure on disk before anything is changed. Refused for the same reasons as `erase`. */
  intend(intent: Omit<ErasureIntent, 'id'>): Result<string, Failure> {
    const scope = this.scopeOf(intent.subjects)
    if (scope.hold) return failed('erasure-held')
    if (scope.open) return failed('erasure-open-check')
    const id = uuidText(uuid7(intent.at))
    const noted = this.parts.commit(() => {
      this.intents.intend(id, intent)
      return ok(null)
    })
    return noted.ok ? ok(id) : noted
  }

  /** Intents that were neither carried out nor abandoned, because of a crash. */
  intended(): ErasureIntent[] {
    return this.intents.intended()
  }

  /** Withdraws an intent; possible until the keys are destroyed. */
  abandon(id: string): Result<null, Failure> {
    const refused = this.parts.commit(() => {
      this.intents.refuse(id)
      return ok(null)
    })
    return refused.ok ? this.putBackRefused() : refused
  }

  /** Refused erasures: makes their records searchable again, and only then deletes the intents. */
  private putBackRefused(): Result<null, Failure> {
    const refused = this.intents.refused()
    if (refused.length === 0) return ok(null)
    const back = this.putBack(refused)
    if (!back.ok) return back
    return this.parts.commit(() => {
      for (const { id } of refused) this.intents.abandon(id)
      return ok(null)
    })
  }

  private putBack(intents: readonly ErasureIntent[]): Result<null, Failure> {
    const done = guarded('search.db', () =>
      this.texts.putBack(intents.flatMap(({ subjects }) => [...this.scopeOf(subjects).subjects]))
    )
    return done.ok ? ok(null) : done
  }

  /**
   * Runs between requests and not within a group of writes, because it has its own transactions. A hold either exists
   * before it, and nothing is changed, or comes too late.
   */
  erase(order: ErasureOrder): Result<ErasureReceipt, Failure> {
    const { dbs, subjects } = this.parts
    const scope = this.scopeOf(order.subjects)
    if (scope.hold) return failed('erasure-held')
    if (scope.open) return failed('erasure-open-check')
    const id = order.intent ?? uuidText(uuid7(order.at))
    const listed = this.listed(order.list, { id, digests: scope.digests })
    if (!listed.ok) return listed
    const list = JSON.stringify(scope.subjects)
    // The index comes first, while the keys can decrypt what must be removed. A crash after it leaves a record that
    // is not found by its text; a crash before it changes nothing. There is never a text without its record.
    this.texts.forget(scope.subjects)
    const files = this.parts.copies.filesOf(scope.subjects)
    const plain: ErasedPlain = {
      id,
      cause: order.cause,
      subjects: scope.subjects,
      records: scope.records,
      batchRows: scope.batchRows,
      ...(files.length > 0 && { documents: files.length }),
      operator: order.operator
    }
    const own = subjects.forCheck(undefined).ref
    const destroyed: Destroyed = { plain, at: order.at, reason: order.reason, own, digests: scope.digests, files }
    const done = this.parts.commit((writer) => {
      for (const table of ['subject WHERE ref', 'message WHERE subject'])
        dbs.subjects.prepare(`DELETE FROM ${table} ${among}`).run(list)
      forgetSentSince(dbs.subjects, true)
      this.intents.destroy(destroyed)
      return this.record(destroyed, writer)
    })
    if (!done.ok) {
      // A disk too full for one file may be too full for this one; then it is done with the intent or at the next
      // opening.
      guarded('search.db', () => this.texts.putBack(scope.subjects))
      return done
    }
    subjects.forget(scope.subjects)
    const recorded = this.recorded(destroyed)
    return recorded.ok ? this.receipt(plain.id) : recorded
  }

  /** From here on no restore brings the keys back, whatever happens to this history. */
  private listed(path: string | undefined, begun: BegunErasure): Result<null, Failure> {
    const done = path === undefined ? ok(undefined) : guarded(path, () => listBegun(path, begun))
    if (done.ok) return ok(null)
    return done.failure.code === 'disk-full' ? done : failed('erasure-copies', { cause: done.failure })
  }

  /** Erasures whose copies have to be cleared. */
  uncleared(): UnclearedErasure[] {
    return this.intents.uncleared()
  }

  /** Records the copies that hold an erasure's keys before they are rewritten. */
  clearing(id: string, held: readonly string[]): Result<null, Failure> {
    const noted = this.parts.commit(() => {
      this.intents.clearing(id, held)
      return ok(null)
    })
    this.emptyLogs()
    return noted
  }

  /** Records that an erasure's copies were cleared. If there were none, no event is written. */
  cleared(
    id: string,
    { at, operator, backupsRewritten, copiesNotReached, documentsNotDeleted }: ClearedCopies
  ): Result<ErasureReceipt, Failure> {
    const plain: ClearedPlain = {
      ...{ id, operator, backupsRewritten, copiesNotReached },
      ...(documentsNotDeleted > 0 && { documentsNotDeleted })
    }
    const needless =
      (backupsRewritten === 0 && copiesNotReached.length === 0 && documentsNotDeleted === 0) ||
      this.holdsEvent('copies.cleared', id)
    // The event first: its file must be on disk before the other file, which holds the row.
    const noted = needless
      ? ok(null)
      : this.parts.commit((writer) => {
          writer.append({ at: Math.trunc(at), kind: 'copies.cleared', subject: null, record: null, plain })
          return ok(null)
        })
    if (!noted.ok) return noted
    const done = this.parts.commit(() => {
      this.intents.cleared(id)
      return ok(null)
    })
    return done.ok ? this.receipt(id) : done
  }

  private holdsEvent(kind: 'subject.erased' | 'copies.cleared', id: string): boolean {
    return (
      this.db.prepare(`SELECT 1 FROM event WHERE kind = ? AND ${inAuditTrail} AND plain ->> 'id' = ?`).get(kind, id) !==
      undefined
    )
  }

  /**
   * At opening: completes erasures whose keys are destroyed. Idempotent: an existing event is not written again.
   * Restores index entries of erasures that destroyed nothing. Records whose keys a restored copy lacks.
   */
  finish(now: number): Result<null, Failure> {
    for (const destroyed of this.intents.destroyed()) {
      const done = this.holdsEvent('subject.erased', destroyed.plain.id)
        ? ok(null)
        : this.parts.commit((writer) => this.record(destroyed, writer))
      if (!done.ok) return done
      const recorded = this.recorded(destroyed)
      if (!recorded.ok) return recorded
    }
    const taken = this.recordTaken(now)
    if (!taken.ok) return taken
    // The index is derived: failing to write it must not block access to the evidence.
    this.putBack(this.intents.intended())
    this.putBackRefused()
    return ok(null)
  }

  /** The part of an erasure in history.db: removes the subject from lists and appends the event. */
  private record({ plain, at, reason, own }: Destroyed, writer: Writer): Result<Writer['head'], Failure> {
    this.clearLists(JSON.stringify(plain.subjects))
    const key = this.parts.subjects.key(own)
    if (!key) throw new DamageError({ reason: 'erasure-key' })
    writer.append(
      { at: Math.trunc(at), kind: 'subject.erased', subject: own, record: null, plain },
      { key, payload: { reason } satisfies ErasedSealed }
    )
    return ok(writer.head)
  }

  /** Both files are complete: removes what was stored for finishing, including from the log. */
  private recorded(destroyed: Destroyed): Result<null, Failure> {
    const done = this.parts.commit(() => {
      this.intents.recorded(destroyed)
      return ok(null)
    })
    this.emptyLogs()
    return done
  }

  /**
   * An erasure removes only the keys from copies older than itself: their lists would count applicants that nothing can show, and
   * their audit trails would not say why. The numbers are those of this file, which gives none twice.
   */
  private recordTaken(now: number): Result<null, Failure> {
    const subjects = new ErasedSubjects(this.parts.dbs).unrecorded()
    if (subjects.length === 0) return ok(null)
    const list = JSON.stringify(subjects)
    const [records, batchRows] = [this.count('record', list), this.count('batch_row', list)]
    const plain: TakenPlain = { id: uuidText(uuid7(now)), cause: 'restore', subjects, records, batchRows }
    return this.parts.commit((writer) => {
      this.clearLists(list)
      writer.append({ at: Math.trunc(now), kind: 'subject.erased', subject: null, record: null, plain })
      return ok(null)
    })
  }

  /** Deletes data of a subject outside the events: sealed copies, and rows that would refer to nobody. */
  private clearLists(list: string): void {
    const records = `IN (SELECT seq FROM record WHERE subject ${among})`
    const rows = `(batch, row) IN (SELECT batch, row FROM batch_row WHERE subject ${among})`
    for (const change of [
      `DELETE FROM reply_body WHERE record ${records}`,
      `UPDATE batch_cells SET sealed = x'' WHERE ${rows}`,
      `DELETE FROM document_file WHERE subject ${among}`,
      `DELETE FROM document_wanted WHERE record ${records}`,
      `DELETE FROM record_due WHERE record ${records}`,
      `DELETE FROM applicant_link WHERE record ${records}`,
      `DELETE FROM applicant_link WHERE subject ${among}`,
      `DELETE FROM applicant_event WHERE subject ${among}`,
      `DELETE FROM applicant_name WHERE subject ${among}`,
      `DELETE FROM applicant WHERE subject ${among}`
    ]) {
      this.db.prepare(change).run(list)
    }
  }

  /** Removes earlier versions of pages from the logs. */
  private emptyLogs(): void {
    for (const db of Object.values(this.parts.dbs)) db.pragma('wal_checkpoint(TRUNCATE)')
  }

  /** Newest first. */
  receipts(): ErasureReceipt[] {
    return receiptsIn(this.db, new Set(this.uncleared().map(({ id }) => id)))
  }

  private receipt(id: string): Result<ErasureReceipt, Failure> {
    const found = this.receipts().find((one) => one.id === id)
    if (!found) throw new DamageError({ reason: 'erasure-event' })
    return ok(found)
  }
}
