/** What the history knows of a countersigned case: later events, and the author of its decision. */
import { evidenceEvent } from '../projections/evidence-rule.ts'
import type { Db } from '#wire/sqlite/files.ts'

/** An applicant by its subject's number; a record or batch by its own events. */
export type CaseScope =
  | { readonly kind: 'applicant'; readonly subject: number }
  | { readonly kind: 'batch'; readonly id: string; readonly others: readonly number[] }
  | { readonly kind: 'record'; readonly events: readonly number[] }

export class CaseEvents {
  private readonly aboutApplicant
  private readonly ofBatch
  private readonly decidedBy

  constructor(history: Db) {
    this.aboutApplicant = history
      .prepare(
        `SELECT count(*) FROM (
           SELECT ${evidenceEvent} AS at FROM record r WHERE r.subject = $subject
           UNION ALL SELECT ${evidenceEvent} FROM applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = $subject
           UNION ALL SELECT e.seq FROM applicant_event a JOIN event e ON e.seq = a.event LEFT JOIN record r ON r.seq = e.record
             WHERE a.subject = $subject AND (e.kind = 'decision.made' OR (e.kind IN ('link.made', 'link.removed')
               AND ${evidenceEvent} IS NOT NULL))
         ) WHERE at > $since`
      )
      .pluck()
    this.decidedBy = history
      .prepare(
        `SELECT json_extract(e.plain, '$.operator') FROM applicant_event a JOIN event e ON e.seq = a.event
         WHERE a.subject = ? AND a.event <= ? AND e.kind = 'decision.made' ORDER BY a.event DESC LIMIT 1`
      )
      .pluck()
    this.ofBatch = history.prepare(`SELECT count(*) FROM record r WHERE r.batch = ? AND ${evidenceEvent} > ?`).pluck()
  }

  /**
   * Number of later events that void a countersignature: evidence according to contract/evidence/rule.ts, and
   * decisions. Notes, tags, due dates and connection failures do not count. A case about one record is voided by any
   * event of it.
   */
  newer(scope: CaseScope, since: number): number {
    if (scope.kind === 'record') return scope.events.filter((event) => event > since).length
    if (scope.kind === 'applicant') return this.aboutApplicant.get({ subject: scope.subject, since }) as number
    return (this.ofBatch.get(scope.id, since) as number) + scope.others.filter((event) => event > since).length
  }

  /** The author of the decision that was current at an event; undefined if there was none. */
  author(scope: CaseScope, until: number): string | undefined {
    return scope.kind === 'applicant' ? (this.decidedBy.get(scope.subject, until) as string | undefined) : undefined
  }
}
