/** Writes of batches that a team shares. Each runs within the group's transaction. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { BatchSummary } from '#contract/batches/batches.ts'
import { heldBy } from '#contract/batches/held-batches.ts'
import { fail, ok, type Result } from '#contract/failures/result.ts'
import type { Hand } from '#wire/history/applicants.ts'
import type { BatchDraft, SharedTerms } from '#wire/history/batches.ts'
import type { BegunRow, SharedRow, BatchClaim, SharingTerms, WaitingRow } from '#wire/history/shared-batches.ts'
import { states } from '../projections/columns.ts'
import type { Writer } from '../records/writer.ts'
import { uuidText } from '#kit/bytes.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { seal } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'
import { batchStateOf, codeOfBatch, codeOfRow, rowStateOf } from './codes.ts'
import { cellsPurpose, type BatchReader } from './reader.ts'
import { createRelease } from './release.ts'

interface GivenRow {
  readonly row: number
  readonly state: number
  readonly subject: number
  readonly sealed: Buffer
}

const kind = 'batch.shared'
const [waiting, shared, cancelled] = (['waiting', 'shared', 'cancelled'] as const).map(codeOfRow) as [
  number,
  number,
  number
]
/** Time of the newest batch; batches are paged by it, so each has its own. */
const newest = 'SELECT coalesce(max(created_at), 0) FROM batch'

export class BatchSharing {
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly read: BatchReader
  private readonly statements
  private readonly releaseRows

  constructor(db: Db, subjects: Subjects, read: BatchReader) {
    this.db = db
    this.subjects = subjects
    this.read = read
    this.releaseRows = createRelease(db, subjects)
    this.statements = {
      rows: db.prepare(
        `SELECT r.row, r.state, r.subject, c.sealed FROM batch_row r JOIN batch_cells c ON c.batch = r.batch
          AND c.row = r.row WHERE r.batch = ? AND r.row > ? ORDER BY r.row LIMIT ?`
      ),
      row: db.prepare('SELECT state, subject FROM batch_row WHERE batch = ? AND row = ?'),
      insertRow: db.prepare(
        `INSERT INTO batch_row (batch, row, state, tries, subject) VALUES (?, ?, ${waiting}, 0, ?)`
      ),
      insertCells: db.prepare('INSERT INTO batch_cells VALUES (?, ?, ?)'),
      move: db.prepare('UPDATE batch_row SET state = ? WHERE batch = ? AND row = ?'),
      moveAll: db.prepare('UPDATE batch_row SET state = ? WHERE batch = ? AND state = ?'),
      last: db.prepare('SELECT last FROM batch_series WHERE batch = ?').pluck(),
      begun: db.prepare(
        `SELECT r.row, h.id, h.begun, h.state FROM batch_row r JOIN record h ON h.seq = r.record
          WHERE r.batch = ? AND r.row BETWEEN ? AND ? AND h.begun > ? ORDER BY r.row`
      ),
      within: db.prepare('SELECT row, state, subject FROM batch_row WHERE batch = ? AND row BETWEEN ? AND ?'),
      setDraft: db.prepare('UPDATE batch SET draft = ? WHERE ref = ?')
    }
  }

  last(id: string): Result<number, Failure> {
    return this.read.find(id) ? ok((this.statements.last.get(id) as number | undefined) ?? 0) : failed('batch-missing')
  }

  give(
    writer: Writer,
    id: string,
    after: number,
    limit: number,
    { at, operator }: Hand
  ): Result<number | undefined, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const rows = this.statements.rows.all(batch.ref, after, limit) as GivenRow[]
    for (const { row, state, subject, sealed } of rows) {
      const key = this.subjects.key(subject)
      // Of an erased applicant nothing is left to send.
      const found = key ? rowStateOf(state)?.state : 'cancelled'
      const event = {
        at: Math.trunc(at),
        kind,
        subject: key ? subject : null,
        record: null,
        plain: { id, row, state: found, operator }
      } as const
      const applicantId = this.subjects.applicantOf(subject)
      writer.append(
        event,
        key && {
          key,
          payload: { ...this.read.cells(subject, sealed), ...(applicantId !== undefined && { applicantId }) }
        }
      )
    }
    return ok(rows.at(-1)?.row)
  }

  share(
    writer: Writer,
    id: string,
    given: SharingTerms,
    { at, operator }: Hand,
    last: number
  ): Result<BatchSummary, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const state = batchStateOf(batch.state)
    if (state === 'running' || state === 'cancelled' || state === 'finished')
      return failed('batch-not-startable', { reason: state === 'cancelled' ? 'cancelled' : 'finished' })
    const summary = this.read.summary(batch)
    const held = heldBy(summary)
    if (held) return fail(held)
    const draft = JSON.parse(batch.draft) as BatchDraft
    if (draft.shared) return failed('team-batch-unusable', { reason: 'shared' })
    if (last !== ((this.statements.last.get(id) as number | undefined) ?? 0))
      return failed('team-batch-unusable', { reason: 'changed' })
    const { operations, connection, atOnce, pace, name, fileName, sha256, layout } = draft
    const operation = operations.at(0)
    // Each row of a team's batch is one request: its intent names the row alone.
    if (operations.length > 1) return failed('team-batch-unusable', { reason: 'recipe' })
    const terms: SharedTerms = { ...given, count: summary.rows }
    const time = Math.trunc(at)
    const ref = writer.dictionary.connection(connection, (number, snapshot) => {
      writer.append({
        at: time,
        kind: 'connection.noted',
        subject: null,
        record: null,
        plain: { ref: number, snapshot }
      })
    })
    // Name and headings are a person's words: they are sealed, under a key of their own.
    const subject = this.subjects.forCheck(undefined)
    const plain = { id, operation, connection: ref, ...terms, atOnce, pace, operator }
    const since = writer.append(
      { at: time, kind, subject: subject.ref, record: null, plain },
      { key: subject.key, payload: { name, fileName, sha256, layout } }
    )
    this.statements.setDraft.run(
      JSON.stringify({ ...draft, shared: { ...terms, since } satisfies SharedTerms }),
      batch.ref
    )
    this.statements.moveAll.run(shared, batch.ref, waiting)
    return this.summary(id)
  }

  join(
    writer: Writer,
    id: string,
    draft: BatchDraft & { readonly shared: SharedTerms }
  ): Result<BatchSummary, Failure> {
    const found = this.read.find(id)
    if (found)
      return (JSON.parse(found.draft) as BatchDraft).shared
        ? this.summary(id)
        : failed('team-batch-unusable', { reason: 'present' })
    const createdAt = Math.max(Math.trunc(draft.createdAt), (this.db.prepare(newest).pluck().get() as number) + 1)
    this.db
      .prepare('INSERT INTO batch (id, state, created_at, draft) VALUES (?, ?, ?, ?)')
      .run(id, codeOfBatch('made'), createdAt, JSON.stringify(draft))
    const {
      operations,
      connection,
      sha256,
      operator,
      shared: { count }
    } = draft
    writer.note(createdAt, 'batch.made', { id, operations, connection: connection.id, sha256, rows: count, operator })
    return this.summary(id)
  }

  accept(_: Writer, id: string, rows: readonly SharedRow[]): Result<readonly WaitingRow[], Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    return ok(rows.flatMap((row) => this.acceptRow(batch.ref, row) ?? []))
  }

  private acceptRow(batch: number, { row, cells, applicantId, documents }: SharedRow): WaitingRow | undefined {
    const known = this.statements.row.get(batch, row) as
      | { readonly state: number; readonly subject: number }
      | undefined
    if (known) {
      const isFree = known.state === shared || known.state === waiting
      if (!isFree) return undefined
      const isErased = this.subjects.key(known.subject) === undefined
      this.statements.move.run(isErased ? cancelled : waiting, batch, row)
      return isErased ? undefined : { row, subject: known.subject }
    }
    if (!cells) return undefined
    const { ref, key } = this.subjects.forCheck(applicantId)
    this.statements.insertRow.run(batch, row, ref)
    this.statements.insertCells.run(batch, row, seal(key, cellsPurpose, JSON.stringify({ cells, documents })).sealed)
    return { row, subject: ref }
  }

  withdraw(_: Writer, id: string, row: number): Result<null, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    this.statements.move.run(cancelled, batch.ref, row)
    return ok(null)
  }

  claim(writer: Writer, id: string, { over }: BatchClaim, { at, operator }: Hand): Result<number, Failure> {
    if (!this.read.find(id)) return failed('batch-missing')
    return ok(
      writer.append({
        at: Math.trunc(at),
        kind: 'batch.taken',
        subject: null,
        record: null,
        plain: { id, over, operator }
      })
    )
  }

  begun(id: string, from: number, to: number): Result<readonly BegunRow[], Failure> {
    const batch = this.read.find(id)
    if (!batch) return ok([])
    const { since = 0 } = (JSON.parse(batch.draft) as BatchDraft).shared ?? {}
    const rows = this.statements.begun.all(batch.ref, from, to, since) as {
      readonly row: number
      readonly id: Buffer
      readonly begun: number
      readonly state: number
    }[]
    return ok(
      rows.map(({ row, id: record, begun, state }) => ({
        row,
        recordId: uuidText(record),
        event: begun,
        sent: states[state] !== 'not-sent'
      }))
    )
  }

  closed(id: string, from: number, to: number): Result<readonly number[], Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    const rows = this.statements.within.all(batch.ref, from, to) as Omit<GivenRow, 'sealed'>[]
    return ok(
      rows
        .filter(
          ({ state, subject }) => (state !== shared && state !== waiting) || this.subjects.key(subject) === undefined
        )
        .map(({ row }) => row)
    )
  }

  release(_: Writer, id: string): Result<null, Failure> {
    const batch = this.read.find(id)
    if (!batch) return failed('batch-missing')
    this.releaseRows(batch.ref)
    return ok(null)
  }

  private summary(id: string): Result<BatchSummary, Failure> {
    return this.read.show(id)
  }
}
