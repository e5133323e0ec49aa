/**
 * Documents of rows whose requests were recorded before a copy was kept. An entry is written in the transaction that begins the
 * record and goes in the one that says what became of the copy, so none is lost and none is answered twice.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { uuidText } from '#kit/bytes.ts'
import type { WantedField } from '#wire/history/batches.ts'
import type { KeptSealed, RowCopies, WantedCopy } from '#wire/history/copies.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { copyKeys, type DocumentCopies } from '../records/document-copies.ts'
import type { Subjects } from '../storage/subjects.ts'
import type { BatchReader } from './reader.ts'

/** What is still to be copied outlives the program, as the rows do. It holds no link: that is in the sealed cells. */
export const wantedTables = `
  CREATE TABLE document_wanted (
    record INTEGER NOT NULL,
    field TEXT NOT NULL,
    batch INTEGER NOT NULL,
    row INTEGER NOT NULL,
    -- When the link expires, Unix milliseconds; the largest number if it does not say.
    expires INTEGER NOT NULL,
    -- The record of the same row and operation before it, whose copy is taken instead of a request.
    before INTEGER,
    PRIMARY KEY (record, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_wanted_due ON document_wanted(expires, record, field);
`

const never = Number.MAX_SAFE_INTEGER

/** A row of a batch, by their numbers in the file. */
interface Place {
  readonly batch: number
  readonly row: number
}

interface StoredWanted extends Place {
  readonly field: string
  readonly before: number | null
  readonly id: Buffer
  readonly operation: OperationId
  readonly batchId: string
  readonly subject: number
  readonly sealed: Buffer
}

/** Writes entries, within the step that begins a row. */
export class WantedRows {
  private readonly insert
  private readonly newest

  constructor(db: Db) {
    this.insert = db.prepare('INSERT INTO document_wanted VALUES (?, ?, ?, ?, ?, ?)')
    this.newest = db
      .prepare(
        `SELECT max(h.seq) FROM record h JOIN operation o ON o.ref = h.operation AND o.id = ?
          WHERE h.seq IN (SELECT record FROM batch_row WHERE batch = ? AND row = ?
            UNION ALL SELECT record FROM batch_call WHERE batch = ? AND row = ?)`
      )
      .pluck()
  }

  add(record: number, { batch, row }: Place, wanted: readonly WantedField[], before: number | undefined): void {
    for (const { field, expires = never } of wanted)
      this.insert.run(record, field, batch, row, Math.min(never, Math.trunc(expires)), before ?? null)
  }

  /** The last record of a row for an operation; `batches`: its own batch and those that it sends again, newest first. */
  recordBefore(batches: readonly number[], row: number, operation: OperationId): number | undefined {
    for (const batch of batches) {
      const found = this.newest.get(operation, batch, row, batch, row) as number | null
      if (found !== null) return found
    }
    return undefined
  }
}

/** Reads what is to be copied. What became of it is written by `DocumentCopies`. */
export class WantedCopies {
  private readonly parts
  private readonly due

  constructor(parts: {
    readonly history: Db
    readonly subjects: Subjects
    readonly batches: {
      readonly read: Pick<BatchReader, 'cells'>
      placeOfRow(
        id: string,
        row: number,
        operation: OperationId
      ): { readonly subject: number; readonly before?: number } | undefined
    }
    readonly copies: DocumentCopies
  }) {
    this.parts = parts
    this.due = parts.history.prepare(
      `SELECT w.field, w.batch, w.row, w.before, h.id, o.id AS operation, b.id AS batchId, r.subject, c.sealed
        FROM document_wanted w JOIN record h ON h.seq = w.record JOIN operation o ON o.ref = h.operation
          JOIN batch b ON b.ref = w.batch JOIN batch_row r ON r.batch = w.batch AND r.row = w.row
          JOIN batch_cells c ON c.batch = w.batch AND c.row = w.row
        ORDER BY w.expires, w.record, w.field LIMIT ?`
    )
  }

  /** The first entries, by the expiry of their links. */
  wanted(limit: number): readonly WantedCopy[] {
    return (this.due.all(limit) as StoredWanted[]).flatMap(
      ({ field, row, before, id, operation, batchId, subject, sealed }) => {
        const key = this.parts.subjects.key(subject)
        if (!key) return []
        const { cells } = this.parts.batches.read.cells(subject, sealed)
        const earlier = before === null ? undefined : this.parts.copies.linksOf(before)[field]
        const copy = { recordId: uuidText(id), field, batchId, row, operation, cells, keys: copyKeys(key) }
        return [{ ...copy, ...(earlier && { earlier }) }]
      }
    )
  }

  /** The keys for copies of a row that is about to begin, and what its earlier records have; null if its applicant was erased. */
  ofRow(batchId: string, row: number, operation: OperationId): Result<RowCopies | null, Failure> {
    const place = this.parts.batches.placeOfRow(batchId, row, operation)
    if (!place) return failed('batch-missing')
    const key = this.parts.subjects.key(place.subject)
    if (!key) return ok(null)
    const earlier: Record<string, KeptSealed> =
      place.before === undefined ? {} : this.parts.copies.linksOf(place.before)
    return ok({ keys: copyKeys(key), earlier })
  }
}
