/** Reads batches and their rows. */
import { finder } from '#kit/text/folding.ts'
import { rowStates, type RowState } from '#contract/batches/rows.ts'
import { toFinish, type BatchListQuery, type BatchSummary, type RowFaults } from '#contract/batches/batches.ts'
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { sameOperations } from '#contract/verification/recipes.ts'
import type { BatchDraft, RowResult, RowsWanted, TakenRow } from '#wire/history/batches.ts'
import { callsOf, Calls, leftOf } from './calls.ts'
import { batchStateOf, codeOfBatch, codeOfRow, codesOfRow, isCreated, rowStateOf } from './codes.ts'
import { sortBatches } from './orders.ts'
import { DamageError, type Db } from '#wire/sqlite/files.ts'
import type { Reader } from '../records/reader.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { RecordIntent } from '#wire/history/record-intent.ts'

/** The purpose that a row's sealed cells are bound to. */
export const cellsPurpose = 'batch.row'
export interface CellsSealed {
  readonly cells: readonly string[]
  readonly fault?: RowFaults
  readonly documents?: RecordIntent['documents']
  readonly corrections?: RecordIntent['corrections']
}

export interface StoredBatch {
  readonly ref: number
  readonly id: string
  readonly state: number
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly draft: string
  readonly reason: string | null
  readonly copies_missed: number
}
interface StoredRow {
  readonly row: number
  readonly state: number
  readonly tries: number
  readonly subject: number
  readonly record: number | null
  readonly sealed: Buffer
}

const waiting = codeOfRow('waiting')
const unknown = codeOfRow('unknown')

export class BatchReader {
  private readonly byId
  private readonly all
  private readonly startable
  private readonly createdBetween
  private readonly countBetween
  private readonly counts
  private readonly waitingRows
  private readonly operations = new Map<number, readonly OperationId[]>()
  readonly calls: Calls
  private readonly db: Db
  private readonly subjects: Subjects
  private readonly reader: Reader

  constructor(db: Db, subjects: Subjects, reader: Reader) {
    this.db = db
    this.subjects = subjects
    this.reader = reader
    this.calls = new Calls(db)
    this.byId = db.prepare(`SELECT * FROM batch WHERE id = ? AND ${isCreated}`)
    this.all = db.prepare(`SELECT * FROM batch WHERE ${isCreated} AND created_at < ? ORDER BY created_at DESC`)
    this.startable = db.prepare(
      `SELECT * FROM batch
        WHERE state IN (${(['made', 'running', 'paused', 'stopped'] as const).map(codeOfBatch).join(', ')})
        ORDER BY created_at DESC`
    )
    const between = `FROM batch WHERE ${isCreated} AND created_at >= ? AND created_at < ?`
    this.createdBetween = db.prepare(`SELECT * ${between} ORDER BY created_at DESC, ref DESC LIMIT ?`)
    this.countBetween = db.prepare(`SELECT count(*) ${between}`).pluck()
    this.counts = db.prepare('SELECT state, count FROM batch_count WHERE batch = ?').raw()
    this.waitingRows = db.prepare(
      `SELECT r.row, r.tries, r.subject, c.sealed FROM batch_row r JOIN batch_cells c ON c.batch = r.batch AND c.row = r.row
       WHERE r.batch = ? AND r.row > ? AND r.row <= ? AND r.state = ${waiting} ORDER BY r.row LIMIT ?`
    )
  }

  find(id: string): StoredBatch | undefined {
    return this.byId.get(id) as StoredBatch | undefined
  }

  /** What a batch sends for each row: fixed when it is created. */
  operationsOf({ ref, draft }: StoredBatch): readonly OperationId[] {
    const known = this.operations.get(ref) ?? (JSON.parse(draft) as BatchDraft).operations
    this.operations.set(ref, known)
    return known
  }

  private with<T>(id: string, work: (batch: StoredBatch) => T): Result<T, Failure> {
    const batch = this.find(id)
    return batch ? ok(work(batch)) : failed('batch-missing')
  }

  summary(batch: StoredBatch): BatchSummary {
    const state = batchStateOf(batch.state)
    if (!state) throw new DamageError({ reason: 'batch', number: batch.ref })
    const { name, fileName, sha256, operations, connection, atOnce, pace, rerunOf, shared } = JSON.parse(
      batch.draft
    ) as BatchDraft
    const counts = Object.fromEntries(rowStates.map((each) => [each, 0])) as Record<RowState, number>
    let rows = 0
    let unresolved = 0
    for (const [code, count] of this.counts.all(batch.ref) as [number, number][]) {
      const stored = rowStateOf(code)
      if (!stored) throw new DamageError({ reason: 'batch', number: batch.ref })
      counts[stored.state] += count
      rows += count
      if (code === unknown) unresolved = count
    }
    return {
      id: batch.id,
      name,
      fileName,
      sha256,
      operations,
      connection,
      state,
      atOnce,
      pace,
      rows,
      counts,
      unresolved,
      ...(batch.copies_missed > 0 && { copiesMissed: batch.copies_missed }),
      createdAt: batch.created_at,
      ...(batch.reason !== null && { reason: JSON.parse(batch.reason) as Failure }),
      ...(batch.started_at !== null && { startedAt: batch.started_at }),
      ...(batch.ended_at !== null && { endedAt: batch.ended_at }),
      ...(rerunOf !== undefined && { rerunOf }),
      ...(shared && { shared: true })
    }
  }

  show(id: string): Result<BatchSummary, Failure> {
    return this.with(id, (batch) => this.summary(batch))
  }

  draft(id: string): Result<BatchDraft, Failure> {
    return this.with(id, (batch) => JSON.parse(batch.draft) as BatchDraft)
  }

  /** The newest batch that could still send rows of a file, for operations and a connection. */
  unfinished({
    sha256,
    operations,
    connectionId
  }: {
    readonly sha256: string
    readonly operations: readonly OperationId[]
    readonly connectionId: string
  }): BatchSummary | undefined {
    for (const batch of this.startable.iterate() as IterableIterator<StoredBatch>) {
      const draft = JSON.parse(batch.draft) as BatchDraft
      const isSame = draft.sha256 === sha256 && sameOperations(draft.operations, operations)
      if (!isSame || draft.connection.id !== connectionId) continue
      const found = this.summary(batch)
      if (toFinish(found) > 0) return found
    }
    return undefined
  }

  list({ search = '', order, after, limit }: BatchListQuery): readonly BatchSummary[] {
    const last = after === undefined ? undefined : this.find(after)
    if (!order) return this.newest(search, last?.created_at ?? Number.MAX_SAFE_INTEGER, limit)
    const sorted = sortBatches(this.newest(search, Number.MAX_SAFE_INTEGER, Infinity), order)
    const first = last ? sorted.findIndex(({ id }) => id === last.id) + 1 : 0
    return sorted.slice(first, first + limit)
  }

  /** The batches created before a time in which a text occurs, newest first. */
  private newest(search: string, before: number, limit: number): readonly BatchSummary[] {
    const isFound = finder(search)
    const found: BatchSummary[] = []
    for (const batch of this.all.iterate(before) as IterableIterator<StoredBatch>) {
      const { name, fileName, connection, operations } = JSON.parse(batch.draft) as BatchDraft
      const words = [name, fileName, connection.name, ...operations, batch.id].join('\n')
      if (isFound?.(words) !== false) found.push(this.summary(batch))
      if (found.length >= limit) break
    }
    return found
  }

  /** The number of batches created in a period, and the newest of them. */
  createdIn(
    from: number,
    until: number,
    limit: number
  ): { readonly count: number; readonly newest: readonly BatchSummary[] } {
    const newest = (this.createdBetween.all(from, until, limit) as StoredBatch[]).map((batch) => this.summary(batch))
    return { count: this.countBetween.get(from, until) as number, newest }
  }

  /** Cells and fault; empty if the row's subject was erased. */
  cells(subject: number, sealed: Buffer): CellsSealed {
    const key = this.subjects.key(subject)
    if (!key) return { cells: [] }
    const opened = unseal(key, cellsPurpose, sealed)
    if (!opened) throw new DamageError({ reason: 'sealed', part: 'batch.cells' })
    return JSON.parse(opened.payload) as CellsSealed
  }

  /** Skips rows whose subject was erased: they have nothing left to send. */
  take(
    id: string,
    after: number,
    limit: number,
    to: number = Number.MAX_SAFE_INTEGER
  ): Result<readonly TakenRow[], Failure> {
    return this.with(id, (batch) => {
      const { ref } = batch
      const operations = this.operationsOf(batch)
      for (let from = after; ;) {
        const stored = this.waitingRows.all(ref, from, to, limit) as StoredRow[]
        const rows = stored
          .filter(({ subject }) => this.subjects.key(subject) !== undefined)
          .map(({ row, tries, subject, sealed }) => {
            const { cells, documents, corrections } = this.cells(subject, sealed)
            const left = leftOf(operations, this.calls.of(ref, row, operations))
            return { row, tries, left, cells, ...(documents && { documents }), ...(corrections && { corrections }) }
          })
        from = stored.at(-1)?.row ?? from
        if (rows.length > 0 || stored.length === 0) return rows
      }
    })
  }

  private stored(ref: number, { states, unresolved, after, limit }: Omit<RowsWanted, 'records'>): StoredRow[] {
    const codes = unresolved ? [unknown] : states?.flatMap(codesOfRow)
    const within = codes ? `AND r.state IN (${codes.join(',')})` : ''
    const statement = this.db.prepare(
      `SELECT r.row, r.state, r.tries, r.subject, r.record, c.sealed
       FROM batch_row r JOIN batch_cells c ON c.batch = r.batch AND c.row = r.row
       WHERE r.batch = ? AND r.row > ? ${within} ORDER BY r.row LIMIT ?`
    )
    return statement.all(ref, after, limit) as StoredRow[]
  }

  results(id: string, wanted: RowsWanted): Result<{ rows: RowResult[]; more: boolean }, Failure> {
    return this.with(id, (batch) => {
      const { ref } = batch
      const operations = this.operationsOf(batch)
      const stored = this.stored(ref, { ...wanted, limit: wanted.limit + 1 })
      const rows = stored.slice(0, wanted.limit).map(({ row, state, tries, subject, record, sealed }): RowResult => {
        const opened = this.cells(subject, sealed)
        return {
          row,
          tries,
          ...opened,
          ...(rowStateOf(state) ?? { state: 'unknown' }),
          ...(record !== null && wanted.records && { record: this.reader.detail(record) }),
          ...(operations.length > 1 && {
            calls: callsOf(operations, this.calls.of(ref, row, operations), { state, record }).map((call) => ({
              operation: call.operation,
              state: call.state,
              ...(call.record !== null && wanted.records && { record: this.reader.detail(call.record) })
            }))
          })
        }
      })
      return { rows, more: stored.length > wanted.limit }
    })
  }
}
