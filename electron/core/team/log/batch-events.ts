/** Which received events belong to shared batches: kept up to date within the transaction that adds the events. */
import type { Db } from '#core/history/storage/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { placeOf } from './places.ts'

/** What an event is to a shared batch: the batch itself (row 0), one of its rows, or an attempt to send a row. */
export const batchEvents = { header: 0, row: 1, attempt: 2 } as const

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isRow = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31

export class BatchEvents {
  private readonly header
  private readonly isShared
  private readonly put

  constructor(db: Db) {
    this.header = db.prepare(`INSERT INTO batch_event VALUES (?, ?, 0, ${batchEvents.header}, ?) ON CONFLICT DO NOTHING`)
    this.isShared = db.prepare(`SELECT 1 FROM batch_event WHERE batch = ? AND ref = ? AND row = 0 AND kind = ${batchEvents.header}`)
    this.put = db.prepare('INSERT INTO batch_event VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value')
  }

  /** A verified event was added. @param ref Of its installation in the file. */
  onAdded(ref: number, seq: number, { kind, record, plain }: SharedEvent): void {
    if (!('text' in plain) || (kind !== 'batch.shared' && kind !== 'record.begun')) return
    const values = valuesOf(plain)
    const [id, row] = kind === 'batch.shared' ? [values?.['id'], values?.['row']] : [values?.['batchId'], values?.['batchRow']]
    if (typeof id !== 'string' || !idForm.test(id)) return
    if (kind === 'record.begun') {
      // Of several attempts the last one counts.
      if (isRow(row) && record !== null) this.put.run(id, ref, row, batchEvents.attempt, record)
    } else if (row === undefined) this.header.run(id, ref, placeOf(ref, seq))
    // What is recorded before a batch is shared is replaced by what is recorded next; afterwards nothing changes.
    else if (isRow(row) && !this.isShared.get(id, ref)) this.put.run(id, ref, row, batchEvents.row, placeOf(ref, seq))
  }
}
