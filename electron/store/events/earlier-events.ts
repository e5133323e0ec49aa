/** The events of version 0.1 in a series: they have no links and are found by what they are about. */
import { inAuditTrail } from './event-index.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { resolutionColumn } from '#wire/sqlite/resolution-column.ts'

const ofRecords = (condition: string): string =>
  ['begun', 'ended', resolutionColumn]
    .map((event) => `SELECT ${event} AS seq FROM record WHERE ${condition} AND ${event} <= $until`)
    .join(' UNION ')

export class EarlierEvents {
  /** The last event of version 0.1; 0 if there is none. */
  readonly until: number
  private readonly bySubject
  private readonly byBatch

  constructor(history: Db) {
    this.until = history.prepare('SELECT after FROM series_start').pluck().get() as number
    // A due date of a record is not among them: version 0.1 listed it nowhere.
    this.bySubject = history
      .prepare(
        `${ofRecords('subject = $subject')} UNION SELECT event FROM applicant_event WHERE subject = $subject AND event <= $until ORDER BY seq`
      )
      .pluck()
    this.byBatch = history
      .prepare(
        `${ofRecords('batch = $batch')} UNION SELECT seq FROM event WHERE kind IN ('batch.made', 'batch.changed', 'batch.resolved') AND ${inAuditTrail}
           AND seq <= $until AND json_extract(plain, '$.id') = $batch ORDER BY seq`
      )
      .pluck()
  }

  /** Numbers of the events of a person, in order. */
  ofSubject(subject: number): number[] {
    return this.until === 0 ? [] : (this.bySubject.all({ subject, until: this.until }) as number[])
  }

  /** Numbers of the events of a batch, in order. */
  ofBatch(batch: string): number[] {
    return this.until === 0 ? [] : (this.byBatch.all({ batch, until: this.until }) as number[])
  }
}
