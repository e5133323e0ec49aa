/** Legal holds, derived from their events. There are few, so they have no table. */
import { failed, type Failure } from '#contract/failures/failures.ts'
import type { LegalHold } from '#contract/data-management/data-management.ts'
import { isoDue, today } from '#contract/applicants/due-dates.ts'
import { addMonths } from '#contract/applicants/reviews.ts'
import { ok, type Result } from '#contract/failures/result.ts'
import type { HoldOrder } from '#wire/history/erasure.ts'
import { inAuditTrail } from '../events/event-index.ts'
import type { Db } from '#wire/sqlite/files.ts'
import { unseal } from '#kit/sealing/seal.ts'
import type { Subject, Subjects } from '../storage/subjects.ts'
import type { Writer } from '../records/writer.ts'

/** An authority may extend the five years after a relationship by five more. */
const maxHoldMonths = 120

interface HeldSubject {
  readonly subject: number
  readonly hold: LegalHold
}

/** What the last event about somebody's hold says. */
export interface HoldState extends LegalHold {
  readonly subject: number
  readonly key: Buffer
  readonly held: boolean
  /** Number and time of the event. */
  readonly event: number
  readonly eventAt: number
}

interface HoldPlain {
  readonly operator: string
  /** When it was placed or lifted, if a restore carried it over from another file. */
  readonly since?: number
}
type HoldSealed = Pick<LegalHold, 'applicantId' | 'reason' | 'until' | 'reference'>

interface HoldParts {
  readonly history: Db
  readonly subjects: Subjects
}

export class Holds {
  private readonly parts: HoldParts

  constructor(parts: HoldParts) {
    this.parts = parts
  }

  /** The last state of everybody who is or was held and was not erased, oldest first. */
  states(): HoldState[] {
    const rows = this.parts.history
      .prepare(
        `SELECT seq, at, kind, subject, plain, sealed FROM event WHERE kind IN ('hold.placed', 'hold.lifted')
          AND ${inAuditTrail} ORDER BY seq`
      )
      .all() as { seq: number; at: number; kind: string; subject: number; plain: string; sealed: Buffer }[]
    const last = new Map<number, HoldState>()
    for (const { seq, at, kind, subject, plain, sealed } of rows) {
      last.delete(subject)
      const key = this.parts.subjects.key(subject)
      if (!key) continue
      const opened = unseal(key, kind, sealed)
      const said = opened ? (JSON.parse(opened.payload) as HoldSealed) : { applicantId: '', reason: '' }
      const { operator, since = at } = JSON.parse(plain) as HoldPlain
      last.set(subject, {
        subject,
        key,
        held: kind === 'hold.placed',
        event: seq,
        eventAt: at,
        ...said,
        at: since,
        by: operator
      })
    }
    return [...last.values()]
  }

  /** The current holds, oldest first. */
  all(): HeldSubject[] {
    return this.states().flatMap(({ subject, held, key: _key, event: _event, eventAt: _eventAt, ...hold }) =>
      held ? [{ subject, hold }] : []
    )
  }

  list(): LegalHold[] {
    return this.all().map(({ hold }) => hold)
  }

  /**
   * Places, changes or lifts a hold; no effect if it is already as requested.
   * Failures: `applicant-missing`; `hold-until-invalid`, if its last day has passed or is more than 10 years away.
   */
  set(applicantId: string, held: boolean, order: HoldOrder, writer: Writer): Result<null, Failure> {
    const subject = this.parts.subjects.ofApplicant(applicantId)
    const key = subject === undefined ? undefined : this.parts.subjects.key(subject)
    if (subject === undefined || !key) return failed('applicant-missing')
    const { reason, until, reference } = order
    const now = this.all().find((one) => one.subject === subject)?.hold
    const isSame = now?.reason === reason && now.until === until && now.reference === (reference || undefined)
    if (held ? isSame : !now) return ok(null)
    const date = isoDue(today(order.at))
    if (until !== undefined && (until < date || until > addMonths(date, maxHoldMonths)))
      return failed('hold-until-invalid')
    this.append(
      { ref: subject, key },
      held,
      { applicantId, reason, ...(until !== undefined && { until }), ...(reference && { reference }) },
      order.at,
      { operator: order.operator },
      writer
    )
    return ok(null)
  }

  /** Takes over a state from another file of this history: from now on, with who did it and when. */
  carry({ applicantId, held, reason, until, reference, by, at }: HoldState, now: number, writer: Writer): void {
    this.append(
      this.parts.subjects.forCheck(applicantId),
      held,
      { applicantId, reason, ...(until !== undefined && { until }), ...(reference !== undefined && { reference }) },
      now,
      { operator: by, since: at },
      writer
    )
  }

  private append(
    { ref, key }: Subject,
    held: boolean,
    payload: HoldSealed,
    at: number,
    plain: HoldPlain,
    writer: Writer
  ): void {
    writer.append(
      { at: Math.trunc(at), kind: held ? 'hold.placed' : 'hold.lifted', subject: ref, record: null, plain },
      { key, payload }
    )
  }
}
