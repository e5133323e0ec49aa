/** Which received events belong to shared batches: kept up to date within the transaction that adds the events. */
import type { Db } from '#wire/sqlite/files.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { placeOf } from './places.ts'

/**
 * What an event is to a shared batch: one of its rows, an attempt to send a row, or, with row 0, the batch itself, that its
 * installation runs it, or that its installation has started or ended a run.
 */
export const batchEvents = { header: 0, row: 1, attempt: 2, taken: 3, changed: 4 } as const

const kinds: ReadonlySet<string> = new Set(['batch.shared', 'batch.taken', 'batch.changed', 'record.begun'])
const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isRow = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 2 ** 31

export class BatchEvents {
  private readonly header
  private readonly isShared
  private readonly put
  private readonly arrived

  constructor(db: Db) {
    this.header = db.prepare(
      `INSERT INTO batch_event VALUES (?, ?, 0, ${batchEvents.header}, ?) ON CONFLICT DO NOTHING`
    )
    this.isShared = db.prepare(
      `SELECT 1 FROM batch_event WHERE batch = ? AND ref = ? AND row = 0 AND kind = ${batchEvents.header}`
    )
    this.arrived = db.prepare('INSERT OR IGNORE INTO attempt_arrived VALUES (?, ?)')
    this.put = db.prepare(
      'INSERT INTO batch_event VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value'
    )
  }

  /** A verified event was added. @param ref Of its installation in the file. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    if (!event.plain || !kinds.has(event.kind)) return
    const values = valuesOf(event.plain)
    const id = event.kind === 'record.begun' ? values?.['batchId'] : values?.['id']
    if (typeof id === 'string' && idForm.test(id)) this.note(id, { ref, seq }, event, values ?? {})
  }

  private note(
    id: string,
    { ref, seq }: { readonly ref: number; readonly seq: number },
    { kind, record }: SharedEvent,
    { row, batchRow }: Readonly<Record<string, unknown>>
  ): void {
    if (kind === 'batch.changed') this.put.run(id, ref, 0, batchEvents.changed, seq)
    else if (kind === 'batch.taken') this.put.run(id, ref, 0, batchEvents.taken, seq)
    else if (kind === 'record.begun') {
      // Of several attempts the last one counts.
      if (!isRow(batchRow) || record === null) return
      this.put.run(id, ref, batchRow, batchEvents.attempt, record)
      this.arrived.run(id, batchRow)
    } else if (row === undefined) this.header.run(id, ref, placeOf(ref, seq))
    // What is recorded before a batch is shared is replaced by what is recorded next; afterwards nothing changes.
    else if (isRow(row) && !this.isShared.get(id, ref)) this.put.run(id, ref, row, batchEvents.row, placeOf(ref, seq))
  }
}
