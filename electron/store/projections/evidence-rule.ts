/** The rule of contract/evidence/rule.ts as SQL, generated from the same data. */
import { evidenceResolution, technicalStatuses } from '#contract/evidence/rule.ts'
import { codeOfState } from './columns.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** Whether a column contains a status of an answer that says nothing about an applicant. */
const isTechnical = (column: string): string =>
  `(${technicalStatuses.map(({ from, to }) => `${column} BETWEEN ${from} AND ${to}`).join(' OR ')})`

/** SQL expression for the event that made a record `r` evidence; null if it is not evidence. */
export const evidenceEvent = `CASE
  WHEN r.state = ${codeOfState('answered')} AND (r.status IS NULL OR NOT ${isTechnical('r.status')}) THEN r.ended
  WHEN r.state = ${codeOfState('unknown')} AND r.resolved IS NOT NULL
    AND (SELECT json_extract(e.plain, '$.as') FROM event e WHERE e.seq = r.resolved) = '${evidenceResolution}' THEN r.resolved
END`

/** Records that are evidence, an applicant's own and those manually linked to it. */
export class EvidenceRecords {
  private readonly one
  private readonly own
  private readonly linked

  constructor(history: Db) {
    this.one = history.prepare(`SELECT ${evidenceEvent} FROM record r WHERE r.seq = ?`).pluck()
    this.own = history
      .prepare(`SELECT 1 FROM record r WHERE r.subject = ? AND ${evidenceEvent} IS NOT NULL LIMIT 1`)
      .pluck()
    this.linked = history
      .prepare(
        `SELECT 1 FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = ? AND ${evidenceEvent} IS NOT NULL LIMIT 1`
      )
      .pluck()
  }

  holds(record: number): boolean {
    return (this.one.get(record) as number | null | undefined) != null
  }

  any(subject: number): boolean {
    return this.own.get(subject) !== undefined || this.linked.get(subject) !== undefined
  }
}
