/**
 * An installation that was removed and is admitted again shares its history once more, under its new number. Its events are
 * recognised by number and hash, which covers all before, and count once. What others name stays under the number that they
 * named: decisions, requests for approval and answers, evidence, shared batches. Everything else goes on under the new one.
 */
import type { Db } from '#wire/sqlite/files.ts'
import { batchEvents } from './batch-events.ts'
import { valuesOf, type SharedEvent } from './content.ts'
import { placeOf } from './places.ts'
import type { Twins } from './twins.ts'
import { codeOfEntryKind } from './waiting.ts'

/** What colleagues name by installation, number and hash. */
const named: ReadonlySet<string> = new Set(['decision.made', 'approval.asked', 'approval.answered'])

/** Statements on the file. Throws SQLite's errors. */
export class TakenOver {
  private readonly twins: Twins
  private readonly removed
  private readonly entry
  private readonly claim
  private readonly evidence
  private readonly share
  private readonly attempts
  private readonly ofRecord
  private readonly ofSubject

  constructor(db: Db, twins: Twins) {
    this.twins = twins
    const prepare = (sql: string): ReturnType<Db['prepare']> => db.prepare(sql)
    this.removed = prepare(
      'SELECT 1 FROM installation i JOIN member m ON m.installation = i.id WHERE i.ref = ? AND m.removed = 1'
    )
    this.entry = prepare('DELETE FROM entry WHERE place = ?')
    this.claim = prepare('DELETE FROM claim_event WHERE place = ?')
    this.evidence = prepare('DELETE FROM newest_evidence WHERE ref = ? AND seq <= ?')
    this.share = prepare(
      `DELETE FROM batch_event WHERE batch = ? AND kind <> ${batchEvents.attempt} AND ref = ? AND value = ?`
    )
    this.attempts = prepare(
      `DELETE FROM batch_event WHERE batch = ? AND kind = ${batchEvents.attempt} AND ref = ? AND value = ?`
    )
    const waiting = 'DELETE FROM waiting WHERE ref = ? AND number = ? AND kind ='
    this.ofRecord = [
      prepare('DELETE FROM open_unknown WHERE ref = ? AND record = ?'),
      prepare(`${waiting} ${codeOfEntryKind('record')}`)
    ]
    this.ofSubject = prepare(`${waiting} ${codeOfEntryKind('applicant')}`)
  }

  /** A verified event was added, and what follows from it: if another installation has the same one, it counts once. */
  onAdded(ref: number, seq: number, event: SharedEvent): void {
    for (const twin of this.twins.at(ref, seq)) {
      if (this.goesOnAs(twin, ref)) this.countOnce(twin, ref, seq, event)
      else if (this.goesOnAs(ref, twin)) this.countOnce(ref, twin, seq, event)
    }
  }

  /** Of two that were both removed, the later one goes on; of two members with one history, which are copies, neither. */
  private goesOnAs(former: number, current: number): boolean {
    const isRemoved = (ref: number): boolean => this.removed.get(ref) !== undefined
    return isRemoved(former) && (!isRemoved(current) || current > former)
  }

  private countOnce(former: number, current: number, seq: number, { subject, record, kind, plain }: SharedEvent): void {
    this.entry.run(placeOf(named.has(kind) ? current : former, seq))
    this.claim.run(placeOf(former, seq))
    this.evidence.run(current, seq)
    if (record !== null) for (const statement of this.ofRecord) statement.run(former, record)
    if (subject !== null) this.ofSubject.run(former, subject)
    const values = kind === 'record.begun' || kind === 'batch.shared' ? valuesOf(plain) : undefined
    const batch = kind === 'batch.shared' ? values?.['id'] : values?.['batchId']
    if (typeof batch !== 'string') return
    if (kind === 'batch.shared') this.share.run(batch, current, placeOf(current, seq))
    else if (record !== null) this.attempts.run(batch, former, record)
  }
}
