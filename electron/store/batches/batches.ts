/** Writes of batches and their rows. Each runs within the group's transaction, together with the writes of records. */
import {
  againKinds,
  type AgainKind,
  type BatchAgain,
  type BatchResolution,
  type BatchState,
  type BatchSummary
} from '#contract/batches/batches.ts'
import { failed, failure, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { RecordEnding } from '#contract/history/records.ts'
import { firstOperation, type OperationId } from '#contract/verification/operations.ts'
import { stopsCheck } from '#contract/verification/recipes.ts'
import type { VerificationInput } from '#contract/verification/verification.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { CopiedDocuments } from '#wire/history/copies.ts'
import type { BatchDraft, BatchStep, NewRow, StepDone, StateChange } from '#wire/history/batches.ts'
import { batchStateOf, codeOfBatch, codeOfRow, resolvedCode } from './codes.ts'
import { BatchReader, cellsPurpose, type CellsSealed, type StoredBatch } from './reader.ts'
import { leftOf, rowOf, type EndedCall } from './calls.ts'
import { createRelease } from './release.ts'
import { WantedRows } from './wanted.ts'
import { uuid7, uuidText } from '#kit/bytes.ts'
import { codeOfState } from '../projections/columns.ts'
import type { Db } from '#wire/sqlite/files.ts'
import type { SpendGuard } from '../search/spend-guard.ts'
import { canonicalCheck } from '#wire/history/record-payloads.ts'
import type { Reader } from '../records/reader.ts'
import type { Restored } from '../records/restored.ts'
import { keyDigest, seal } from '#kit/sealing/seal.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'

export interface BatchParts {
  readonly history: Db
  readonly subjects: Subjects
  readonly reader: Reader
  readonly guard: SpendGuard
  readonly restored: Restored
}

const inCreation = codeOfBatch('in-creation')
const waiting = codeOfRow('waiting')
const open = codeOfRow('open')
const unknown = codeOfRow('unknown')
const recentDuplicates = codeOfRow('recently-answered')
const cancelled = codeOfRow('cancelled')
const again = resolvedCode('again')

/** Where a row goes that is not sent: its state, the record that it is resolved with, or the earlier answer. */
interface LeftOut {
  readonly code: number
  readonly record?: number
  readonly earlier?: number
}

/** Why a person may want to send a row again (`AgainKind`); null if there is no reason to. */
const againKind = `CASE
  WHEN r.state = ${codeOfRow('invalid-response')} THEN 'invalid-response'
  WHEN r.state = ${codeOfRow('not-sent')} THEN 'not-sent'
  WHEN r.state = ${again} THEN 'unknown'
  WHEN r.state = ${codeOfRow('answered')} AND h.status NOT BETWEEN 200 AND 299 THEN
    CASE WHEN h.status >= 500 THEN 'status-5xx' WHEN h.status >= 400 THEN 'status-4xx' ELSE 'status-3xx' END
  END`

/** Whether copies were sealed under a key. */
const isUnder = (key: Buffer, copies: CopiedDocuments | undefined): boolean =>
  copies === undefined || keyDigest(key) === copies.under

const stops = ({ outcome, reply }: RecordEnding): boolean => stopsCheck({ state: outcome, status: reply?.status })

export class Batches {
  readonly read: BatchReader
  private readonly parts: BatchParts
  private readonly db: Db
  private readonly insertRow
  private readonly insertCells
  private readonly rowOf
  private readonly beginRow
  private readonly endRow
  private readonly setReason
  private readonly move
  private readonly release
  private readonly wanted
  private readonly leaveRow
  private readonly goOn
  private readonly standRow
  private readonly underway

  private readonly chains = new Map<string, readonly [string, ...string[]]>()

  constructor(parts: BatchParts) {
    const { history: db, subjects, reader } = parts
    this.parts = parts
    this.db = db
    this.read = new BatchReader(db, subjects, reader)
    this.insertRow = db.prepare(
      'INSERT INTO batch_row (batch, row, state, tries, subject, record) VALUES (?, ?, ?, 0, ?, ?)'
    )
    this.insertCells = db.prepare('INSERT INTO batch_cells VALUES (?, ?, ?)')
    this.rowOf = db.prepare('SELECT state, subject, record FROM batch_row WHERE batch = ? AND row = ?')
    this.beginRow = db.prepare(
      'UPDATE batch_row SET state = ?, tries = tries + 1, record = ? WHERE batch = ? AND row = ?'
    )
    this.endRow = db.prepare('UPDATE batch_row SET state = ? WHERE batch = ? AND row = ?')
    this.leaveRow = db.prepare(
      'UPDATE batch_row SET state = ?, record = coalesce(?, record) WHERE batch = ? AND row = ?'
    )
    this.goOn = db.prepare(`UPDATE batch_row SET state = ${waiting}, tries = 0 WHERE batch = ? AND row = ?`)
    this.standRow = db.prepare('UPDATE batch_row SET state = ?, record = ? WHERE batch = ? AND row = ?')
    this.underway = db
      .prepare(
        `SELECT DISTINCT row FROM batch_call JOIN batch_row USING (batch, row) WHERE batch = ? AND batch_row.state = ${waiting}`
      )
      .pluck()
    this.setReason = db.prepare('UPDATE batch SET reason = ? WHERE ref = ?')
    this.release = createRelease(db, subjects)
    this.wanted = new WantedRows(db)
    this.move = db.prepare(
      'UPDATE batch SET state = ?, started_at = coalesce(started_at, ?), ended_at = ?, reason = ? WHERE ref = ?'
    )
  }

  private inCreation(id: string): StoredBatch | undefined {
    return this.db.prepare(`SELECT * FROM batch WHERE id = ? AND state = ${inCreation}`).get(id) as
      | StoredBatch
      | undefined
  }

  create(_: Writer, draft: BatchDraft): Result<{ readonly id: string }, Failure> {
    const newest = this.db.prepare('SELECT coalesce(max(created_at), 0) FROM batch').pluck().get() as number
    // The time is the list's paging key, so it must be unique.
    const createdAt = Math.max(Math.trunc(draft.createdAt), newest + 1)
    const id = uuidText(uuid7(createdAt))
    this.db
      .prepare('INSERT INTO batch (id, state, created_at, draft) VALUES (?, 0, ?, ?)')
      .run(id, createdAt, JSON.stringify(draft))
    return ok({ id })
  }

  add(_: Writer, id: string, rows: readonly NewRow[], since?: number): Result<null, Failure> {
    const batch = this.inCreation(id)
    if (!batch) return failed('batch-missing')
    const { operations, connection } = JSON.parse(batch.draft) as BatchDraft
    const { subjects, guard } = this.parts
    const placeOfCall = (at: number, check: VerificationInput): LeftOut | undefined => {
      const same = canonicalCheck(operations.at(at) ?? firstOperation, connection.id, check)
      return (
        this.leftOut(same, since) ??
        (since !== undefined && guard.sentElsewhere(same, since) !== undefined ? { code: recentDuplicates } : undefined)
      )
    }
    /** What was answered before is left out when its turn comes, unless nothing of the row is left to send. */
    const placeOf = ([first, ...rest]: readonly VerificationInput[]): LeftOut | undefined => {
      const place = first && placeOfCall(0, first)
      const isRecent = (at: number, check: VerificationInput) => placeOfCall(at, check)?.code === recentDuplicates
      return place?.code !== recentDuplicates || rest.every((check, at) => isRecent(at + 1, check)) ? place : undefined
    }
    for (const { row, state, cells, fault, applicantId, checks, documents, corrections } of rows) {
      const subject = subjects.forCheck(applicantId)
      const place = state === 'waiting' && checks ? placeOf(checks) : undefined
      this.insertRow.run(batch.ref, row, place?.code ?? codeOfRow(state), subject.ref, place?.record ?? null)
      const payload: CellsSealed = { cells, fault, documents, corrections }
      this.insertCells.run(batch.ref, row, seal(subject.key, cellsPurpose, JSON.stringify(payload)).sealed)
    }
    return ok(null)
  }

  /**
   * Where a row goes that is not sent because the same request was: one without a known outcome is for a person to resolve, for this
   * row as well; one that was answered at or after `since` is a recent duplicate.
   *
   * @param batches The row's own batch and those that it runs again: their answers do not count.
   */
  private leftOut(
    check: string,
    since: number | undefined,
    batches?: readonly [string, ...string[]]
  ): LeftOut | undefined {
    const record = this.parts.guard.unresolved(check, batches?.[0])
    if (record !== undefined) return { code: unknown, record }
    const answered = since === undefined ? undefined : this.parts.guard.answered(check, since, new Set(batches))
    return answered === undefined ? undefined : { code: recentDuplicates, earlier: answered }
  }

  /** A batch and those whose rows it sends again, newest first. */
  private chainOf(batch: StoredBatch): readonly [string, ...string[]] {
    const known = this.chains.get(batch.id)
    if (known) return known
    const chain: [string, ...string[]] = [batch.id]
    for (let next = (JSON.parse(batch.draft) as BatchDraft).rerunOf; next !== undefined && !chain.includes(next);) {
      chain.push(next)
      const before = this.read.find(next)
      next = before && (JSON.parse(before.draft) as BatchDraft).rerunOf
    }
    this.chains.set(batch.id, chain)
    return chain
  }

  seal(writer: Writer, id: string): Result<BatchSummary, Failure> {
    const batch = this.inCreation(id)
    if (!batch) return failed('batch-missing')
    this.db.prepare('UPDATE batch SET state = ? WHERE ref = ?').run(codeOfBatch('made'), batch.ref)
    const { operations, connection, sha256, operator, rerunOf } = JSON.parse(batch.draft) as BatchDraft
    const made = this.summary(id)
    const plain = { id, operations, connection: connection.id, sha256, rows: made.rows, operator, rerunOf }
    writer.note(batch.created_at, 'batch.made', plain)
    return ok(made)
  }

  discard(_: Writer, id: string): Result<null, Failure> {
    const batch = this.inCreation(id)
    if (!batch) return failed('batch-missing')
    this.remove(batch.ref)
    return ok(null)
  }

  private remove(ref: number): void {
    for (const table of ['batch_cells', 'batch_call', 'batch_row', 'batch_count'])
      this.db.prepare(`DELETE FROM ${table} WHERE batch = ?`).run(ref)
    this.db.prepare('DELETE FROM batch WHERE ref = ?').run(ref)
  }

  again(
    writer: Writer,
    id: string,
    kind: AgainKind | undefined,
    { at, operator }: Hand
  ): Result<BatchSummary, Failure> {
    const old = this.read.find(id)
    if (!old) return failed('batch-missing')
    const from = `FROM batch_row r LEFT JOIN record h ON h.seq = r.record WHERE r.batch = ${old.ref} AND ${againKind} ${kind ? '= $kind' : 'IS NOT NULL'}`
    const given = kind ? [{ kind }] : []
    const count = this.db
      .prepare(`SELECT count(*) ${from}`)
      .pluck()
      .get(...given) as number
    if (count === 0) return failed('batch-nothing-again')
    // A batch of this installation alone, even if a team shares the old one.
    const { shared: _, ...draft } = JSON.parse(old.draft) as BatchDraft
    const made = this.create(writer, {
      ...draft,
      name: `${draft.name.slice(0, 112)} (again)`,
      createdAt: at,
      operator,
      rerunOf: id
    })
    if (!made.ok) return made
    const ref = this.inCreation(made.value.id)?.ref
    if (ref === undefined) return failed('batch-missing')
    // Same subject, key and purpose: the sealed cells can be copied unchanged.
    this.db
      .prepare(
        `INSERT INTO batch_row (batch, row, state, tries, subject) SELECT ${ref}, r.row, ${waiting}, 0, r.subject ${from}`
      )
      .run(...given)
    this.db
      .prepare(
        `INSERT INTO batch_cells SELECT n.batch, n.row, c.sealed FROM batch_row n
          JOIN batch_cells c ON c.batch = ? AND c.row = n.row WHERE n.batch = ?`
      )
      .run(old.ref, ref)
    // What was answered well is not sent again.
    this.db
      .prepare(
        `INSERT INTO batch_call SELECT n.batch, n.row, c.call, c.state, c.record FROM batch_row n
          JOIN batch_call c ON c.batch = ? AND c.row = n.row LEFT JOIN record h ON h.seq = c.record
          WHERE n.batch = ? AND (c.state = ${recentDuplicates} OR c.state = ${codeOfRow('answered')} AND h.status BETWEEN 200 AND 299)`
      )
      .run(old.ref, ref)
    const sealed = this.seal(writer, made.value.id)
    const restoring = this.parts.restored.restorings().at(-1)
    if (!sealed.ok || restoring === undefined || restoring.at < old.created_at) return sealed
    // They may have been run again already, in a batch that this history does not contain.
    this.setReason.run(JSON.stringify(failure('batch-restored-rerun', { backupAt: restoring.backupAt })), ref)
    return ok(this.summary(made.value.id))
  }

  againCounts(id: string): Result<BatchAgain, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const counted = this.db
      .prepare(
        `SELECT ${againKind} AS kind, count(*) FROM batch_row r LEFT JOIN record h ON h.seq = r.record
         WHERE r.batch = ? AND kind IS NOT NULL GROUP BY kind`
      )
      .raw()
      .all(batch.ref) as [AgainKind, number][]
    return ok({
      ...(Object.fromEntries(againKinds.map((kind) => [kind, 0])) as BatchAgain),
      ...Object.fromEntries(counted)
    })
  }

  copiesKept(id: string): Result<number, Failure> {
    const batch = this.read.find(id)
    return batch ? ok(this.wanted.keptBefore(this.refsOf(batch))) : failed('batch-missing')
  }

  /** One step of a run, all or nothing. */
  step(writer: Writer, id: string, { finish, begin }: BatchStep): Result<StepDone, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    // Checked before anything is written: a refused step must not leave changes in the group.
    const row = begin && (this.rowOf.get(batch.ref, begin.row) as { state: number; subject: number } | undefined)
    const key = row && this.parts.subjects.key(row.subject)
    if (key && !isUnder(key, begin?.intent.copies)) return failed('document-copy-failed', { reason: 'erased' })
    if (begin && !this.isDue(batch, begin, row?.state === waiting, finish))
      return failed('internal', { reason: 'row-not-waiting' })
    const ended = finish ? this.endStep(writer, batch, finish) : ok({})
    if (!ended.ok) return ended
    // Of an applicant who was erased while the row waited nothing is left to send.
    if (!begin || !row || !key) return ok({})
    return this.beginStep(writer, batch, begin, { ref: row.subject, key })
  }

  /** The part of a step that begins a row, or leaves it out. */
  private beginStep(
    writer: Writer,
    batch: StoredBatch,
    begin: NonNullable<BatchStep['begin']>,
    subject: Subject
  ): Result<StepDone, Failure> {
    const place = this.placeOf(begin, batch)
    if (place && begin.intent.batchRow === undefined) {
      const left = this.endCall(batch, begin.row, place, false)
      return ok(left ? { next: true } : {})
    }
    const wanted = place || begin.unsent ? undefined : begin.wanted
    const before = wanted && this.wanted.recordBefore(this.refsOf(batch), begin.row, begin.intent.operation)
    const begun = writer.begin({ ...begin.intent, batchId: batch.id }, subject)
    if (!begun.ok) return begun
    this.beginRow.run(open, begun.value.seq, batch.ref, begin.row)
    if (wanted) this.wanted.add(begun.value.seq, { batch: batch.ref, row: begin.row }, wanted, before)
    // Colleagues wait for the outcome of a row of a team: its record says why it was not sent.
    const why = place
      ? failure('request-held-back', { reason: place.code === unknown ? 'unknown' : 'answered' })
      : begin.unsent
    if (!why) return ok({ begun: begun.value })
    const unsent = this.endStep(writer, batch, {
      row: begin.row,
      recordId: begun.value.id,
      ending: { outcome: 'not-sent', endedAt: begin.intent.startedAt, failure: why },
      again: false
    })
    return unsent.ok && !place ? ok({ ...unsent.value, unsent: true }) : unsent
  }

  /** Numbers of a batch and of those whose rows it sends again, newest first. */
  private refsOf(batch: StoredBatch): readonly number[] {
    const [, ...earlier] = this.chainOf(batch)
    return [batch.ref, ...earlier.flatMap((id) => this.read.find(id)?.ref ?? [])]
  }

  /** A row of a batch: whose key seals it, and the last record that it has for an operation, also from a batch that it was sent in before. */
  placeOfRow(
    id: string,
    row: number,
    operation: OperationId
  ): { readonly subject: number; readonly before?: number } | undefined {
    const batch = this.read.find(id)
    const found = batch && (this.rowOf.get(batch.ref, row) as { subject: number } | undefined)
    if (!found) return undefined
    const before = this.wanted.recordBefore(this.refsOf(batch), row, operation)
    return { subject: found.subject, ...(before !== undefined && { before }) }
  }

  /** Whether this operation of a row is the next to be sent, once a step has ended what it ends. */
  private isDue(
    batch: StoredBatch,
    { row, intent }: NonNullable<BatchStep['begin']>,
    isWaiting: boolean,
    finish: BatchStep['finish']
  ): boolean {
    const operations = this.read.operationsOf(batch)
    const left = leftOf(operations, this.read.calls.of(batch.ref, row, operations))
    if (finish?.row !== row) return isWaiting && left[0] === intent.operation
    return finish.again ? left[0] === intent.operation : !stops(finish.ending) && left[1] === intent.operation
  }

  /** Why a row is not sent: somebody sent the same one, or may have. */
  private placeOf({ intent, colleague, recentDuplicates: since }: NonNullable<BatchStep['begin']>, batch: StoredBatch) {
    const { operation, connection, input } = intent
    return colleague
      ? { code: recentDuplicates, record: undefined }
      : this.leftOut(canonicalCheck(operation, connection.id, input), since, this.chainOf(batch))
  }

  private endStep(
    writer: Writer,
    batch: StoredBatch,
    { row, recordId, ending, again }: NonNullable<BatchStep['finish']>
  ): Result<StepDone, Failure> {
    const ended = writer.finish(recordId, ending)
    if (!ended.ok) return ended
    if (again) this.endRow.run(waiting, batch.ref, row)
    const next = !again && this.endCall(batch, row, { code: codeOfRow(ending.outcome) }, stops(ending))
    return ok(next ? { next } : {})
  }

  /** The operation that a row was at has ended: the row waits for its next one (then true), or has ended as well. */
  private endCall(batch: StoredBatch, row: number, { code, record, earlier }: LeftOut, isLast: boolean): boolean {
    const operations = this.read.operationsOf(batch)
    // Who resolves an unknown outcome decides about the operation, which is the row's own until then.
    if (operations.length === 1 || code === unknown) {
      this.leaveRow.run(code, record ?? null, batch.ref, row)
      return false
    }
    const { calls } = this.read
    const [operation] = leftOf(operations, calls.of(batch.ref, row, operations))
    const call = operations.findIndex((id) => id === operation)
    const sent = code === recentDuplicates ? earlier : (this.rowOf.get(batch.ref, row) as { record?: number }).record
    calls.end(batch.ref, row, call, code, sent ?? null)
    const ended = calls.of(batch.ref, row, operations)
    const isLeft = ended.length < operations.length
    if (isLeft && !isLast) this.goOn.run(batch.ref, row)
    else this.stand(batch.ref, row, ended, isLeft ? ended.find((each) => each.call === call) : undefined)
    return isLeft && !isLast
  }

  /** Nothing more of a row is sent: its state is that of its operations. */
  private stand(ref: number, row: number, ended: readonly EndedCall[], stoppedBy: EndedCall | undefined): void {
    const { state, record } = rowOf(ended, stoppedBy)
    this.standRow.run(state, record, ref, row)
  }

  setState(
    writer: Writer,
    id: string,
    state: BatchState,
    { at, operator }: StateChange,
    reason?: Failure
  ): Result<BatchSummary, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const time = Math.trunc(at)
    const over = state === 'cancelled' || state === 'finished'
    if (state !== 'running') this.endOpen(batch.ref, time, writer)
    this.move.run(
      codeOfBatch(state),
      state === 'running' ? time : null,
      over ? time : null,
      reason ? JSON.stringify(reason) : null,
      batch.ref
    )
    // Colleagues send what a team's batch has left, and their outcomes count.
    if (over && (JSON.parse(batch.draft) as BatchDraft).shared) this.release(batch.ref)
    // When a run is complete, only rows of subjects erased meanwhile are still waiting.
    if (over) {
      const operations = this.read.operationsOf(batch)
      for (const row of this.underway.all(batch.ref) as number[]) {
        const ended = this.read.calls.of(batch.ref, row, operations)
        this.stand(batch.ref, row, ended, ended.at(-1))
      }
      this.db.prepare(`UPDATE batch_row SET state = ${cancelled} WHERE batch = ? AND state = ${waiting}`).run(batch.ref)
    }
    writer.note(time, 'batch.changed', {
      id,
      from: batchStateOf(batch.state),
      to: state,
      reason: reason?.code,
      ...(operator === undefined ? { by: 'console' } : { operator })
    })
    return ok(this.summary(id))
  }

  resolve(
    writer: Writer,
    id: string,
    rows: readonly number[] | undefined,
    as: BatchResolution,
    by: Hand
  ): Result<BatchSummary, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const chosen = rows && new Set(rows)
    const found = this.db
      .prepare(`SELECT row, record FROM batch_row WHERE batch = ? AND state = ${unknown}`)
      .all(batch.ref) as { row: number; record: number | null }[]
    const resolved = found.filter(({ row }) => chosen?.has(row) ?? true)
    if (resolved.length === 0) return failed('batch-nothing-to-resolve')
    // A row of a shared batch is never sent twice: another batch can send it again.
    const final =
      batchStateOf(batch.state) === 'cancelled' || (JSON.parse(batch.draft) as BatchDraft).shared !== undefined
    const code = as === 'sent' || final ? resolvedCode(as) : waiting
    const [word, note] =
      as === 'sent' ? (['processed', 'Counted as sent.'] as const) : (['undetermined', 'To be sent again.'] as const)
    for (const { row, record } of resolved) {
      const done = record === null ? ok(null) : writer.resolve(this.idOf(record), word, note, by)
      // Already resolved in the history: the row follows.
      if (!done.ok && done.failure.code !== 'record-not-resolvable') return done
      this.endRow.run(code, batch.ref, row)
    }
    // Rows of a restored batch have no record here to document the resolution.
    const unrecorded = resolved.filter(({ record }) => record === null).length
    if (unrecorded > 0) writer.note(by.at, 'batch.resolved', { id, rows: unrecorded, as, operator: by.operator })
    if (code === waiting && batchStateOf(batch.state) === 'finished') return this.setState(writer, id, 'paused', by)
    return ok(this.summary(id))
  }

  /** Updates the row of a record that was resolved in the history. */
  follow(recordId: string): void {
    const seq = this.parts.reader.seq(recordId)
    if (seq === undefined) return
    this.db
      .prepare(
        `UPDATE batch_row SET state = ${resolvedCode('sent')} WHERE record = ? AND state = ${unknown}
         AND batch = (SELECT b.ref FROM batch b JOIN record r ON r.batch = b.id WHERE r.seq = ?)`
      )
      .run(seq, seq)
  }

  /** Whether the file was closed while a batch was running, a batch was being created, or a row had no outcome. */
  get interrupted(): boolean {
    const unfinished =
      'SELECT 1 FROM batch WHERE state IN (?, ?) UNION ALL SELECT 1 FROM batch_count WHERE state = ? AND count > 0 LIMIT 1'
    return this.db.prepare(unfinished).get(inCreation, codeOfBatch('running'), open) !== undefined
  }

  /**
   * After a crash: pauses batches that were running, gives rows without an outcome one whatever the state of their
   * batch (on a full disk the state may have been written but not the outcome), and deletes batches that were being
   * created.
   */
  recover(at: number, writer: Writer): Result<null, Failure> {
    for (const ref of this.db.prepare('SELECT ref FROM batch WHERE state = ?').pluck().all(inCreation) as number[])
      this.remove(ref)
    const ran = this.db.prepare('SELECT id FROM batch WHERE state = ?').pluck().all(codeOfBatch('running')) as string[]
    for (const id of ran) {
      const paused = this.setState(writer, id, 'paused', { at, operator: undefined })
      if (!paused.ok) return paused
    }
    const left = this.db
      .prepare('SELECT batch FROM batch_count WHERE state = ? AND count > 0')
      .pluck()
      .all(open) as number[]
    for (const ref of left) this.endOpen(ref, at, writer)
    return ok(null)
  }

  /** Ids of the batches that could send: not finished, not cancelled. */
  startable(): string[] {
    const codes = (['made', 'paused', 'stopped'] as const).map(codeOfBatch)
    return this.db
      .prepare(`SELECT id FROM batch WHERE state IN (${codes.join(', ')}) ORDER BY ref`)
      .pluck()
      .all() as string[]
  }

  /**
   * Holds a batch of a restored history until the user confirms: its rows may have been sent after the backup.
   *
   * @param sent Numbers of rows that may have been sent; undefined if unknown: then every waiting row.
   * @returns Number of rows that became unknown. Within a transaction.
   */
  hold(
    id: string,
    sent: readonly number[] | undefined,
    { backupAt, now }: { readonly backupAt: number; readonly now: number },
    writer: Writer
  ): number {
    const batch = this.read.find(id)
    if (!batch) return 0
    const among = sent === undefined ? '' : 'AND row IN (SELECT value FROM json_each(?))'
    const given = sent === undefined ? [] : [JSON.stringify(sent)]
    const { changes } = this.db
      .prepare(`UPDATE batch_row SET state = ${unknown} WHERE batch = ? AND state = ${waiting} ${among}`)
      .run(batch.ref, ...given)
    const reason =
      sent === undefined
        ? failure('batch-restored-unknown', { backupAt, rows: changes })
        : failure('batch-restored', { backupAt, rows: changes })
    this.setState(writer, id, 'stopped', { at: now, operator: undefined }, reason)
    return changes
  }

  /**
   * Ends rows whose request may have been sent and whose outcome can no longer be determined: their records become
   * unknown.
   */
  private endOpen(ref: number, at: number, writer: Writer): void {
    const rows = this.db
      .prepare(
        `SELECT r.row, h.id, h.state FROM batch_row r JOIN record h ON h.seq = r.record WHERE r.batch = ? AND r.state = ${open}`
      )
      .all(ref) as { row: number; id: Buffer; state: number }[]
    for (const { row, id, state } of rows) {
      // After a crash the records have become unknown before their rows.
      if (state === codeOfState('open'))
        writer.finish(uuidText(id), { outcome: 'unknown', endedAt: at, failure: failure('interrupted') })
      this.endRow.run(unknown, ref, row)
    }
  }

  private summary(id: string): BatchSummary {
    const batch = this.read.find(id)
    if (!batch) throw new Error('a batch that was just written is not there')
    return this.read.summary(batch)
  }

  private idOf(seq: number): string {
    return uuidText(this.db.prepare('SELECT id FROM record WHERE seq = ?').pluck().get(seq) as Buffer)
  }
}
