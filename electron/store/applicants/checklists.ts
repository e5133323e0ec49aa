/** The versions of checklists that were answered: the audit trail itself is the only list of them. */
import type { Decision } from '#contract/applicants/applicants.ts'
import {
  answeredOf,
  type ChecklistAnswered,
  type ChecklistNamed,
  type Checks
} from '#contract/applicants/checklists.ts'
import type { ChecklistPlain } from '#wire/history/applicant-payloads.ts'
import type { AnsweredChecklist } from '#wire/history/applicants.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Writer } from '../records/writer.ts'

export class ChecklistVersions {
  private readonly refOf
  private readonly textOf
  private readonly last

  constructor(history: Db) {
    const noted = (value: string, where: string) =>
      history
        .prepare(`SELECT ${value} FROM event WHERE kind = 'checklist.noted' AND ${inAuditTrail} AND ${where}`)
        .pluck()
    this.refOf = noted(`json_extract(plain, '$.ref')`, `json_extract(plain, '$.text') = ?`)
    this.textOf = noted(`json_extract(plain, '$.text')`, `json_extract(plain, '$.ref') = ?`)
    this.last = noted(`coalesce(max(json_extract(plain, '$.ref')), 0)`, 'true')
  }

  /** What an event says of the checklist that is answered with it; a version that is new gets its own event first. Within a transaction. */
  named(writer: Writer, at: number, answered: AnsweredChecklist | undefined): ChecklistNamed | undefined {
    if (!answered) return undefined
    const { text, complete } = answered
    const known = this.refOf.get(text) as number | undefined
    if (known !== undefined) return { ref: known, complete }
    const plain: ChecklistPlain = { ref: (this.last.get() as number) + 1, text }
    writer.append({ at, kind: 'checklist.noted', subject: null, record: null, plain })
    return { ref: plain.ref, complete }
  }

  /** What was answered, for display; undefined without a checklist. */
  answered(
    named: ChecklistNamed | undefined,
    of: Decision | 'review',
    checks: Checks = {}
  ): ChecklistAnswered | undefined {
    const text = named && (this.textOf.get(named.ref) as string | undefined)
    return text === undefined ? undefined : answeredOf(text, of, { complete: named?.complete === true, checks })
  }
}
