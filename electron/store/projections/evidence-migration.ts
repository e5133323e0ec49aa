/** Updates projections of an earlier version to the evidence rule (contract/evidence/rule.ts). */
import { decisions } from '#contract/applicants/applicants.ts'
import { codeOfApplicant } from './applicants.ts'
import { evidenceEvent } from './evidence-rule.ts'
import type { Migration } from '#wire/sqlite/migrate.ts'

const [none, outdated, noEvidence] = (['none', 'outdated', 'no-evidence'] as const).map(codeOfApplicant)
const linkedRecords = 'applicant_link l JOIN record r ON r.seq = l.record WHERE l.subject = applicant.subject'

/**
 * The last event of an applicant's evidence: a result, a resolution, or linking or unlinking a record that is
 * evidence.
 */
const lastEvidence = `coalesce((SELECT max(at) FROM (
  SELECT ${evidenceEvent} AS at FROM record r WHERE r.subject = applicant.subject
  UNION ALL SELECT max(l.event, ${evidenceEvent}) FROM ${linkedRecords}
  UNION ALL SELECT removed.seq FROM applicant_event a JOIN event removed ON removed.seq = a.event JOIN record r ON r.seq = removed.record
    WHERE a.subject = applicant.subject AND removed.kind = 'link.removed' AND ${evidenceEvent} < removed.seq
)), 0)`

const anyEvidence = `(EXISTS (SELECT 1 FROM record r WHERE r.subject = applicant.subject AND ${evidenceEvent} IS NOT NULL)
  OR EXISTS (SELECT 1 FROM ${linkedRecords} AND ${evidenceEvent} IS NOT NULL))`

const decided = `CASE json_extract(d.plain, '$.decision') ${decisions.map((each) => `WHEN '${each}' THEN ${codeOfApplicant(each)}`).join(' ')} END`

/**
 * No event changes: applicant rows are projections. Uses the current rule, so a change of the rule needs a migration
 * of its own that repeats this. Messages that are no longer listed are filtered when reading.
 */
export const evidenceMigration: Migration = {
  version: 4,
  name: 'evidence by one rule',
  why: 'A failure of the way to the service made a decision outdated and put applicants into the queue, though it said nothing about them.',
  up: (db) =>
    db.exec(`
      UPDATE applicant SET evidence = ${lastEvidence};
      UPDATE applicant SET state = CASE
        WHEN decision IS NULL THEN CASE WHEN ${anyEvidence} THEN ${none} ELSE ${noEvidence} END
        ELSE (SELECT CASE WHEN json_extract(d.plain, '$.evidence') < applicant.evidence THEN ${outdated} ELSE ${decided} END FROM event d WHERE d.seq = applicant.decision)
      END WHERE state IN (${none}, ${outdated});

      -- The catalogue counts by status, and without reading the rows.
      CREATE INDEX message_status ON message(operation, status);
      DROP INDEX message_unread;
      CREATE INDEX message_unread ON message(subject, status) WHERE reading IS NULL;
    `)
}
