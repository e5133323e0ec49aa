/**
 * Documents of rows whose requests were recorded before a copy was kept. An entry is written in the transaction that begins the
 * record and goes in the one that says what became of the copy, so none is lost and none is answered twice.
 */
import { failed, type Failure } from '#contract/failures/failures.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { OperationId } from '#contract/verification/operations.ts'
import { uuidBytes, uuidText } from '#kit/bytes.ts'
import { seal, unseal } from '#kit/sealing/seal.ts'
import type { WantedField } from '#wire/history/batches.ts'
import type { KeptSealed, RowCopies, WantedCopy } from '#wire/history/copies.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { copyKeys, type DocumentCopies } from '../records/document-copies.ts'
import type { Subjects } from '../storage/subjects.ts'
import { codeOfBatch, codeOfRow } from './codes.ts'
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
    -- What a history that a restore has replaced has kept of it, sealed: taken instead of a request as well.
    found BLOB,
    PRIMARY KEY (record, field)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX document_wanted_due ON document_wanted(expires, record, field, batch);
`

/** Of the sealed part of an entry. */
const foundPurpose = 'document.found'

/** Batches that a restore holds (`isHeld`): nothing is asked for them before a person has said what was sent since the backup. */
const heldBatches = `SELECT ref FROM batch WHERE state IN (${(['made', 'stopped'] as const).map(codeOfBatch).join(', ')})
  AND reason ->> 'code' LIKE 'batch-restored%'`

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
  readonly found: Buffer | null
}

/** A copy that a history has, and of what. */
export interface CopyElsewhere {
  readonly recordId: string
  readonly field: string
  readonly copy: KeptSealed
}

/** The newest record of each operation of each row that waits, in its own batch ($batch) or in those that it sends again ($batches). */
const lastRecords = `SELECT row, max(seq) AS record FROM (${['batch_row', 'batch_call']
  .map(
    (table) => `SELECT r.row, h.seq, h.operation FROM batch_row r CROSS JOIN json_each($batches) b
      CROSS JOIN ${table} x ON x.batch = b.value AND x.row = r.row CROSS JOIN record h ON h.seq = x.record
      WHERE r.batch = $batch AND r.state = ${codeOfRow('waiting')}`
  )
  .join(' UNION ALL ')}) GROUP BY row, operation`

/** Writes entries, within the step that begins a row. */
export class WantedRows {
  private readonly insert
  private readonly newest
  private readonly kept

  constructor(db: Db) {
    this.insert = db.prepare('INSERT INTO document_wanted VALUES (?, ?, ?, ?, ?, ?, NULL)')
    this.newest = db
      .prepare(
        `SELECT max(h.seq) FROM record h JOIN operation o ON o.ref = h.operation AND o.id = ?
          WHERE h.seq IN (SELECT record FROM batch_row WHERE batch = ? AND row = ?
            UNION ALL SELECT record FROM batch_call WHERE batch = ? AND row = ?)`
      )
      .pluck()
    // Which file has a fault is sealed: then all of its person count as missing.
    this.kept = db
      .prepare(
        `SELECT count(*) FROM (SELECT DISTINCT l.row, e.plain ->> 'field' FROM (${lastRecords}) l
          CROSS JOIN event e ON e.record = l.record AND e.kind = 'document.kept'
          WHERE e.plain ->> 'when' <> 'file'
            AND NOT EXISTS (SELECT 1 FROM document_file f WHERE f.subject = e.subject AND f.fault IS NOT NULL))`
      )
      .pluck()
  }

  /** How many documents of the rows that wait have a copy from an earlier attempt. @param batches As of `recordBefore`. */
  keptBefore(batches: readonly number[]): number {
    return this.kept.get({ batch: batches[0] ?? null, batches: JSON.stringify(batches) }) as number
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

function foundIn(key: Buffer, found: Buffer | null): KeptSealed | undefined {
  const opened = found && unseal(key, foundPurpose, found)
  return opened ? (JSON.parse(opened.payload) as KeptSealed) : undefined
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
      `SELECT w.field, w.batch, w.row, w.before, w.found, h.id, o.id AS operation, b.id AS batchId, r.subject, c.sealed
        FROM document_wanted w JOIN record h ON h.seq = w.record JOIN operation o ON o.ref = h.operation
          JOIN batch b ON b.ref = w.batch JOIN batch_row r ON r.batch = w.batch AND r.row = w.row
          JOIN batch_cells c ON c.batch = w.batch AND c.row = w.row
        WHERE w.batch NOT IN (${heldBatches})
        ORDER BY w.expires, w.record, w.field LIMIT ?`
    )
  }

  /** The first entries that may be copied, by the expiry of their links. */
  wanted(limit: number): readonly WantedCopy[] {
    return (this.due.all(limit) as StoredWanted[]).flatMap(
      ({ field, row, before, id, operation, batchId, subject, sealed, found }) => {
        const key = this.parts.subjects.key(subject)
        if (!key) return []
        const { cells } = this.parts.batches.read.cells(subject, sealed)
        const earlier = foundIn(key, found) ?? (before === null ? undefined : this.parts.copies.linksOf(before)[field])
        const copy = { recordId: uuidText(id), field, batchId, row, operation, cells, keys: copyKeys(key) }
        return [{ ...copy, ...(earlier && { earlier }) }]
      }
    )
  }

  /** Within a transaction: notes which copies other files have of what is still to be copied here. */
  adopt(copies: readonly CopyElsewhere[]): void {
    const { history, subjects } = this.parts
    const entry = history.prepare(
      'SELECT w.record, h.subject FROM document_wanted w JOIN record h ON h.seq = w.record WHERE h.id = ? AND w.field = ?'
    )
    const note = history.prepare('UPDATE document_wanted SET found = ? WHERE record = ? AND field = ?')
    for (const { recordId, field, copy } of copies) {
      const found = entry.get(uuidBytes(recordId), field) as { record: number; subject: number } | undefined
      const key = found && subjects.key(found.subject)
      if (key) note.run(seal(key, foundPurpose, JSON.stringify(copy)).sealed, found.record, field)
    }
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
