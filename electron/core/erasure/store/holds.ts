/** Legal holds, derived from their events. There are few, so they have no table. */
import { failed, type Failure } from '#contract/failures.ts'
import type { LegalHold } from '#contract/data-management.ts'
import { ok, type Result } from '#contract/result.ts'
import type { Order } from '#core/history/api/erasure.ts'
import { inAuditTrail } from '#core/history/events/event-index.ts'
import type { Db, FileName } from '#core/history/storage/files.ts'
import { unseal } from '#core/history/storage/seal.ts'
import type { Subjects } from '#core/history/storage/subjects.ts'
import type { Writer } from '#core/history/records/writer.ts'

interface HeldSubject {
  readonly subject: number
  readonly hold: LegalHold
}

interface HoldPlain {
  readonly operator: string
}
interface HoldSealed {
  readonly applicantId: string
  readonly reason: string
}

interface HoldParts {
  readonly dbs: Readonly<Record<FileName, Db>>
  readonly subjects: Subjects
}

export class Holds {
  private readonly parts: HoldParts

  constructor(parts: HoldParts) {
    this.parts = parts
  }

  /** The current holds, oldest first. */
  all(): HeldSubject[] {
    const rows = this.parts.dbs.history
      .prepare(`SELECT at, kind, subject, plain, sealed FROM event WHERE kind IN ('hold.placed', 'hold.lifted') AND ${inAuditTrail} ORDER BY seq`)
      .all() as { at: number; kind: string; subject: number; plain: string; sealed: Buffer }[]
    const current = new Map<number, HeldSubject>()
    for (const { at, kind, subject, plain, sealed } of rows) {
      current.delete(subject)
      const key = this.parts.subjects.key(subject)
      if (kind !== 'hold.placed' || !key) continue
      const opened = unseal(key, kind, sealed)
      const { applicantId, reason } = opened ? (JSON.parse(opened.payload) as HoldSealed) : { applicantId: '', reason: '' }
      current.set(subject, { subject, hold: { applicantId, reason, at, by: (JSON.parse(plain) as HoldPlain).operator } })
    }
    return [...current.values()]
  }

  list(): LegalHold[] {
    return this.all().map(({ hold }) => hold)
  }

  /** Places or lifts a hold; no effect if the state is already as requested. */
  set(applicantId: string, held: boolean, order: Order, writer: Writer): Result<null, Failure> {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    const key = subject === undefined ? undefined : this.parts.subjects.key(subject)
    if (subject === undefined || !key) return failed('applicant-missing')
    if (this.all().some((one) => one.subject === subject) === held) return ok(null)
    const plain: HoldPlain = { operator: order.operator }
    const payload: HoldSealed = { applicantId, reason: order.reason }
    const kind = held ? 'hold.placed' : 'hold.lifted'
    writer.append({ at: Math.trunc(order.at), kind, subject, record: null, plain }, { key, payload })
    return ok(null)
  }
}
